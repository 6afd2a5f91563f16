from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deixis.errors import BadInput
from deixis.seeds import draw
from deixis.stats import clustered
from deixis.stats.clustered import Intervals, bootstrap, resample, sums, t_intervals

GAP = np.array([[1.0, -1.0]])
MEAN = np.array([[1.0]])


def planted(g: int, seed: int = 0, conditions: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Correlated 0/1 outcomes in clusters of unequal sizes."""
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, 9, g)
    clusters = np.repeat(np.arange(g), sizes)
    level = generator.uniform(0.2, 0.8, g)[clusters]
    values = (generator.random((len(clusters), conditions)) < level[:, None]).astype(float)
    return values, clusters


def ends(made: Intervals) -> list[float]:
    return [*made.low, *made.high]


def test_sums_are_sums() -> None:
    values = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    made = sums(values, np.array(["b", "a", "b", "b"]), np.array([[1.0, -1.0], [0.5, 0.5]]))
    assert made.totals.tolist() == [[0, 1], [1, 1.5]]
    assert made.sizes.tolist() == [1, 3]
    assert made.estimates.tolist() == [0.25, 0.625]


def test_errors_are_those_of_a_regression_on_a_constant() -> None:
    """Sandwich formula of Liang and Zeger with the factor G / (G - 1), written out."""
    values, clusters = planted(23)
    gap = values @ GAP[0]
    design = np.ones((len(gap), 1))
    bread = np.linalg.inv(design.T @ design)
    residual = gap - gap.mean()
    meat = sum(
        np.outer(score, score)
        for c in np.unique(clusters)
        for score in [design[clusters == c].T @ residual[clusters == c]]
    )
    variance = (bread @ meat @ bread)[0, 0] * 23 / 22
    made = t_intervals(values, clusters, GAP)
    assert made.errors[0] == pytest.approx(np.sqrt(variance))
    assert (made.clusters, made.units) == (23, len(values))


def test_clusters_of_one_give_students_interval() -> None:
    values = np.random.default_rng(1).normal(size=(40, 1))
    made = t_intervals(values, np.arange(40), MEAN)
    low, high = stats.ttest_1samp(values[:, 0], 0).confidence_interval(0.95)
    assert (made.low[0], made.high[0]) == pytest.approx((low, high))
    wider = t_intervals(values, np.arange(40), MEAN, level=0.99)
    assert wider.low[0] < made.low[0] < made.high[0] < wider.high[0]


def test_constant_values_have_no_error_and_the_exact_mean() -> None:
    made = t_intervals(np.full((3971, 1), 0.1), np.arange(3971) % 74, MEAN)
    assert made.estimates[0] == 0.1
    assert (made.errors[0], made.low[0], made.high[0]) == pytest.approx((0, 0.1, 0.1), abs=1e-15)


def test_each_resample_is_what_drawing_clusters_would_give() -> None:
    """The pivots, computed anew from units that were really drawn again."""
    values, clusters = planted(12)
    weights = np.array([[1.0, -1.0], [0.5, 0.5]])
    drawn = resample(values, clusters, weights, n=200, seed=3)
    generator = draw(3, "bootstrap")
    rows = [np.flatnonzero(clusters == c) for c in range(12)]
    estimate = (values @ weights.T).mean(axis=0)
    least = t_intervals(values, clusters, weights).errors / np.sqrt(12)
    for pivots in drawn.pivots:
        taken = generator.integers(0, 12, 12, dtype=np.uint16)
        again = np.concatenate([values[rows[c]] for c in taken])
        codes = np.repeat(np.arange(12), [len(rows[c]) for c in taken])
        made = t_intervals(again, codes, weights)
        expected = (made.estimates - estimate) / np.maximum(made.errors, least)
        assert pivots == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_memory_is_bounded_without_changing_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    values, clusters = planted(30)
    whole = bootstrap(values, clusters, GAP, n=500)
    monkeypatch.setattr(clustered, "_CELLS", 7 * 30)
    parts = bootstrap(values, clusters, GAP, n=500)
    assert ends(whole) == pytest.approx(ends(parts), rel=1e-12)


def test_bootstrap_and_t_agree_where_clusters_are_many() -> None:
    values, clusters = planted(400)
    quick, slow = t_intervals(values, clusters, GAP), bootstrap(values, clusters, GAP)
    assert slow.estimates == quick.estimates
    width = quick.high[0] - quick.low[0]
    assert slow.low[0] == pytest.approx(quick.low[0], abs=width / 25)
    assert slow.high[0] == pytest.approx(quick.high[0], abs=width / 25)


def test_bootstrap_sees_skew() -> None:
    """A rare large value on one side moves the far end of a studentised interval further out."""
    values = np.concatenate([np.zeros(35), [0.5, 1, 2, 4, 8]])[:, None]
    made = bootstrap(values, np.arange(40), MEAN)
    assert made.high[0] - made.estimates[0] > 1.3 * (made.estimates[0] - made.low[0])


def test_bootstrap_resembles_scipys_for_units_of_one() -> None:
    values = np.random.default_rng(5).normal(size=(60, 1)) ** 2
    ours = bootstrap(values, np.arange(60), MEAN, n=4000)
    made = stats.bootstrap(
        (values[:, 0],), np.mean, n_resamples=4000, method="BCa", rng=np.random.default_rng(0)
    )
    low, high = made.confidence_interval
    width = high - low
    assert ours.low[0] == pytest.approx(low, abs=width / 6)
    assert ours.high[0] == pytest.approx(high, abs=width / 3)


@given(st.integers(0, 2**31), st.randoms())
def test_the_order_of_units_changes_nothing(seed: int, random) -> None:
    values, clusters = planted(11, seed % 97)
    order = list(range(len(values)))
    random.shuffle(order)
    names = np.array([f"c{c:02}" for c in clusters])
    one = bootstrap(values, names, GAP, n=100, seed=seed)
    other = bootstrap(values[order], names[order], GAP, n=100, seed=seed)
    assert one.estimates == other.estimates
    assert ends(one) == pytest.approx(ends(other), rel=1e-9, abs=1e-12)


def test_contrasts_share_their_resamples() -> None:
    values, clusters = planted(20)
    together = bootstrap(values, clusters, np.array([[1.0, -1.0], [1.0, 0.0]]), n=300)
    alone = bootstrap(values, clusters, np.array([[1.0, 0.0]]), n=300)
    assert together.low[1] == pytest.approx(alone.low[0])
    assert together.high[1] == pytest.approx(alone.high[0])


def test_too_few_clusters_give_no_interval() -> None:
    values, clusters = planted(9)
    for made in (t_intervals(values, clusters, GAP), bootstrap(values, clusters, GAP, n=50)):
        assert np.isnan(made.low).all()
        assert np.isnan(made.high).all()
        assert np.isfinite(made.estimates).all()
    one = t_intervals(values, np.zeros(len(values)), GAP)
    assert np.isnan(one.errors).all()


def test_no_spread_gives_a_point() -> None:
    values = np.ones((50, 2))
    made = bootstrap(values, np.arange(50) % 25, GAP, n=200)
    assert (made.low[0], made.estimates[0], made.high[0]) == (0, 0, 0)


def test_many_clusters_need_wider_integers() -> None:
    g = 70_000
    made = bootstrap(np.random.default_rng(0).normal(size=(g, 1)), np.arange(g), MEAN, n=20)
    assert made.low[0] < made.estimates[0] < made.high[0]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite(bad: float) -> None:
    with pytest.raises(BadInput, match=r"not finite"):
        sums(np.array([[bad]]), np.array([0]), MEAN)


def test_no_units() -> None:
    with pytest.raises(BadInput, match=r"no units"):
        sums(np.zeros((0, 1)), np.zeros(0), MEAN)


def sparse(g: int, share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A gap in few clusters: half of the answers of a share of the clusters change, mostly down."""
    generator = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(g), generator.integers(5, 30, g))
    moved = (generator.random(g) < share)[clusters] & (generator.random(len(clusters)) < 0.5)
    sign = np.where(generator.random(len(clusters)) < 0.85, 1.0, -1.0)
    return np.column_stack([moved * sign, np.zeros(len(clusters))]), clusters


def sparse_coverage(
    g: int, share: float, simulations: int, resamples: int
) -> tuple[float, float, float]:
    """How often the interval holds the gap, how often the t interval does, and the widest."""
    truth, held, quick, width = share * 0.5 * 0.7, 0, 0, 0.0
    for seed in range(simulations):
        values, clusters = sparse(g, share, seed)
        made = resample(values, clusters, GAP, n=resamples, seed=seed).intervals()
        plain = t_intervals(values, clusters, GAP)
        held += bool(made.low[0] <= truth <= made.high[0])
        quick += bool(plain.low[0] <= truth <= plain.high[0])
        width = max(width, float(made.high[0] - made.low[0]))
    return held / simulations, quick / simulations, width


def test_a_gap_in_few_clusters_has_an_interval_that_ends() -> None:
    """Some resamples draw none of the clusters that differ, and must not count as certain."""
    held, _, width = sparse_coverage(74, 0.06, 60, 300)
    assert held > 0.85
    assert width < 0.6


@pytest.mark.long
@pytest.mark.parametrize(("g", "share"), [(40, 0.1), (74, 0.06), (74, 0.15), (236, 0.02)])
def test_coverage_of_a_gap_in_few_clusters(g: int, share: float) -> None:
    held, quick, width = sparse_coverage(g, share, 1000, 1000)
    print(f"{g} clusters, {share:.0%} differ: covered {held:.1%}, t {quick:.1%}, {width:.2f} wide")
    assert 0.93 < held < 0.99
    assert quick < held
    assert width < 1
