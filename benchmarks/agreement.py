"""Krippendorff's alpha of 100,000 units with 5 ratings, beside the textbook's coincidences.

python benchmarks/agreement.py
"""

from __future__ import annotations

from time import process_time

import numpy as np

from deixis.measures.agreement import LEVELS, alpha


def coincidences(table):
    """The textbook's way, unit by unit (nominal)."""
    values = np.unique(table)
    met = np.zeros((len(values), len(values)))
    for row in np.searchsorted(values, table):
        counts = np.bincount(row, minlength=len(values))
        met += (np.outer(counts, counts) - np.diag(counts)) / (len(row) - 1)
    totals = met.sum(axis=0)
    n = totals.sum()
    return 1 - (n - np.trace(met)) / ((n * n - (totals**2).sum()) / (n - 1))


def timed(work):
    start = process_time()
    return work(), process_time() - start


def main() -> None:
    table = np.random.default_rng(0).integers(0, 5, (100_000, 5)).astype(float)
    for level in LEVELS:
        found, seconds = timed(lambda level=level: alpha(table, level))
        print(f"{level:<9} {found.value:+.6f}  {seconds:.2f} s")
        if level == "nominal":
            ours = seconds
    plain, seconds = timed(lambda: coincidences(table))
    print(f"unit by unit {plain:+.6f}  {seconds:.2f} s: {seconds / ours:.0f} times as long")
    _, seconds = timed(lambda: alpha(table, resamples=1000))
    print(f"with an interval from 1,000 resamples {seconds:.1f} s")


if __name__ == "__main__":
    main()
