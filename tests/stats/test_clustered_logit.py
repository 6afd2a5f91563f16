from __future__ import annotations

import numpy as np
import pytest
from statsmodels.api import Logit

from deixis.errors import BadInput
from deixis.stats.clustered_logit import clustered_logit


def crossed(seed: int, effect: float, workers: int = 30, items: int = 40, spread: float = 0.7):
    """Judgments of items by workers, with people and items of different ease."""
    rng = np.random.default_rng(seed)
    who, what = (a.ravel() for a in np.meshgrid(np.arange(workers), np.arange(items)))
    kept = rng.random(len(who)) < 0.5
    who, what = who[kept], what[kept]
    condition = (who % 2).astype(float)
    odds = 0.8 + effect * condition
    odds += spread * rng.standard_normal(workers)[who] + spread * rng.standard_normal(items)[what]
    right = (rng.random(len(who)) < 1 / (1 + np.exp(-odds))).astype(float)
    return np.column_stack([np.ones(len(who)), condition]), right, who, what


@pytest.mark.parametrize("seed", range(5))
def test_against_statsmodels(seed: int) -> None:
    """Coefficients and two-way clustered errors, where no variance had to be raised."""
    design, right, who, what = crossed(seed, 0.5)
    groups = np.column_stack([who, what])
    other = Logit(right, design).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True}
    )
    made = clustered_logit(design, right, who, what)
    assert made.coefficients == pytest.approx(other.params, abs=1e-7)
    one_way = [
        Logit(right, design).fit(disp=0, cov_type="cluster", cov_kwds={"groups": g}).bse
        for g in (who, what)
    ]
    floor = np.maximum(*one_way)
    assert made.errors == pytest.approx(np.maximum(other.bse, floor), rel=1e-6)
    assert made.df == 29
    low, high = made.interval()
    assert (low < made.coefficients).all()
    assert (made.coefficients < high).all()


def test_observations_in_one_cluster_each_are_independent() -> None:
    design, right, *_ = crossed(0, 0.5)
    alone = np.arange(len(right))
    plain = Logit(right, design).fit(disp=0, cov_type="cluster", cov_kwds={"groups": alone})
    made = clustered_logit(design, right, alone, alone)
    assert made.errors == pytest.approx(plain.bse, rel=1e-6)


@pytest.mark.parametrize(
    ("design", "right", "groups", "said"),
    [
        ([[1, 0], [1, 0], [1, 1], [1, 1]], [1, 0, 1, 1], [0, 1, 2, 3], "separated"),
        ([[1, 1], [1, 1], [1, 1]], [1, 0, 1], [0, 1, 2], "independent"),
        ([[1.0], [1], [1]], [1, 0, 1], [0, 0, 0], "two clusters"),
    ],
)
def test_what_has_no_estimate(design, right, groups, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        clustered_logit(
            np.array(design, float), np.array(right, float), np.array(groups), np.array(groups)
        )


def covered(runs: int) -> tuple[float, float]:
    """How often p < .05 without an effect: clustered, and as if all were independent."""
    hits = [0, 0]
    for seed in range(runs):
        design, right, who, what = crossed(seed, 0.0)
        alone = np.arange(len(right))
        hits[0] += clustered_logit(design, right, who, what).p[1] < 0.05
        hits[1] += clustered_logit(design, right, alone, alone).p[1] < 0.05
    return hits[0] / runs, hits[1] / runs


def test_planted_nothing_is_not_found() -> None:
    clustered, naive = covered(100)
    assert clustered < 0.13
    assert naive > clustered


@pytest.mark.long
def test_size_of_the_test() -> None:
    clustered, naive = covered(2000)
    print(f"\np < .05 without an effect: {clustered:.3f} clustered, {naive:.3f} naive")
    assert 0.035 < clustered < 0.075
    assert naive > 0.15
