"""Cluster bootstrap of many contrasts at once against `scipy.stats.bootstrap` of one.

Usage: python benchmarks/bootstrap.py. SciPy resamples units, not clusters, and one contrast at a
time; it is given the clusters' means, which is the nearest it can do.
"""

from __future__ import annotations

import resource
import time

import numpy as np
from scipy import stats

from deixis.stats.clustered import bootstrap
from timing import side_by_side

UNITS, CLUSTERS, RESAMPLES, CONDITIONS = 40_000, 2_000, 10_000, 5


def main() -> None:
    """Print the ratio, and the time where each unit is a cluster of its own."""
    rng = np.random.default_rng(0)
    clusters = rng.integers(0, CLUSTERS, UNITS)
    effect = rng.normal(0, 0.2, CLUSTERS)[clusters]
    chances = 0.5 + effect[:, None] / 4 + np.linspace(0, 0.1, CONDITIONS)
    values = (rng.random((UNITS, CONDITIONS)) < chances).astype(float)
    weights = np.eye(CONDITIONS)[1:] - np.eye(CONDITIONS)[0]
    gaps = (values @ weights.T)[:, 0]
    means = np.bincount(clusters, gaps) / np.bincount(clusters)

    def scipys() -> None:
        """One contrast; in batches, else it asks for the memory of all resamples at once."""
        stats.bootstrap((means,), np.mean, n_resamples=RESAMPLES, batch=500, method="basic", rng=0)

    side_by_side(
        f"{UNITS} units in {CLUSTERS} clusters, {RESAMPLES} resamples",
        {
            f"deixis, {len(weights)} contrasts": lambda: bootstrap(
                values, clusters, weights, n=RESAMPLES
            ),
            "scipy, 1 contrast": scipys,
        },
    )
    started = time.process_time()
    bootstrap(values, np.arange(UNITS), weights[:1], n=RESAMPLES)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"each unit its own cluster: {time.process_time() - started:.1f} s, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
