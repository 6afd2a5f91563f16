from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from deixis.errors import BadInput
from deixis.measures.agreement import LEVELS, Ratings, alpha, kappa

N = None
TEXTBOOK = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ],
    dtype=np.float64,
).T
"""The example of Krippendorff, Computing Krippendorff's Alpha-Reliability (2011)."""

TABLES = st.lists(
    st.lists(st.sampled_from([1.0, 2.0, 3.0, np.nan]), min_size=3, max_size=3),
    min_size=2,
    max_size=8,
)


def plainly(table: np.ndarray, level: str) -> float:
    """The definition by coincidences of values × values."""
    units = [row[~np.isnan(row)] for row in table]
    units = [u for u in units if len(u) > 1]
    values = np.unique(np.concatenate(units))
    met = np.zeros((len(values), len(values)))
    for unit in units:
        places = np.searchsorted(values, unit)
        for i, a in enumerate(places):
            for j, b in enumerate(places):
                if i != j:
                    met[a, b] += 1 / (len(unit) - 1)
    n_v = met.sum(axis=0)
    distance = np.zeros_like(met)
    for a in range(len(values)):
        for b in range(a + 1, len(values)):
            if level == "nominal":
                d = 1.0
            elif level == "interval":
                d = (values[a] - values[b]) ** 2
            else:
                d = (n_v[a : b + 1].sum() - (n_v[a] + n_v[b]) / 2) ** 2
            distance[a, b] = distance[b, a] = d
    expected = (np.outer(n_v, n_v) * distance).sum() / (n_v.sum() - 1)
    return float(1 - (met * distance).sum() / expected)


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_textbook_example(level: str, value: float) -> None:
    found = alpha(TEXTBOOK, level)
    assert found.value == pytest.approx(value, abs=5e-4)
    assert (found.units, found.ratings) == (11, 40)


@given(TABLES, st.sampled_from(LEVELS))
def test_the_definition(rows: list[list[float]], level: str) -> None:
    table = np.array(rows)
    found = alpha(table, level)
    if found.value is None:
        assert found.why in ("no unit has two ratings", "all ratings are equal")
    else:
        assert found.value == pytest.approx(plainly(table, level), abs=1e-9)
        assert found.value <= 1


@given(TABLES, st.randoms(use_true_random=False))
def test_who_rated_plays_no_part(rows: list[list[float]], random) -> None:
    mixed = [random.sample(row, len(row)) for row in rows]
    one, other = alpha(np.array(rows)), alpha(np.array(mixed))
    assert one.why == other.why
    assert one.value == pytest.approx(other.value, abs=1e-12)


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=12))
def test_kappa_as_the_library_has_it(rows: list[list[int]]) -> None:
    found = kappa(rows)
    if found.value is None:
        assert len({v for row in rows for v in row}) == 1
        return
    assert found.value == pytest.approx(fleiss_kappa(aggregate_raters(np.array(rows))[0]), abs=1e-9)


def test_texts_and_missing_ones() -> None:
    table = [["yes", "yes", None], ["no", "no", "no"], ["yes", "no", "yes"], ["no", None, None]]
    found = alpha(table)
    assert (found.units, found.ratings) == (3, 8)
    assert found.value == pytest.approx(
        plainly(np.array([[1, 1, np.nan], [0, 0, 0], [1, 0, 1.0]]), "nominal")
    )
    assert kappa(table).units == 2, "units with three ratings"
    assert kappa(table, raters=2).units == 1


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([[1.0], [2.0]], "no unit has two ratings"),
        ([[1, 1], [1, 1]], "all ratings are equal"),
        ([[None, None]], "no unit has two ratings"),
    ],
)
def test_undefined_is_said_and_is_no_number(table: list[list[float]], why: str) -> None:
    for level in LEVELS:
        found = alpha(table, level, resamples=20)
        assert (found.value, found.low, found.why) == (None, None, why)


def test_undefined_kappa() -> None:
    assert kappa([[1, None], [2, None]]).why == "there is one rater"
    assert kappa([[None, None]]).why == "there are no ratings"
    assert kappa([[1, 1]]).why == "all ratings are equal"
    assert kappa([[1, 2]], raters=3).why == "no unit has 3 ratings"


def test_intervals_hold_the_truth() -> None:
    """Raters who guess with probability 0.5: alpha is 0.25 in the long run."""
    generator = np.random.default_rng(0)
    held = 0
    for trial in range(60):
        truth = generator.integers(0, 2, (150, 1))
        guess = generator.random((150, 3)) < 0.5
        table = np.where(guess, generator.integers(0, 2, (150, 3)), truth)
        found = alpha(table, resamples=200, seed=trial)
        assert found.low < found.value < found.high
        held += found.low <= 0.25 <= found.high
    assert held >= 51


def test_clusters_widen_intervals() -> None:
    generator = np.random.default_rng(0)
    once = generator.integers(0, 2, (40, 4))
    table = np.repeat(once, 10, axis=0)
    alone = alpha(table, resamples=300)
    together = alpha(table, clusters=np.repeat(np.arange(40), 10), resamples=300)
    assert together.high - together.low > 2 * (alone.high - alone.low)
    wide = kappa(table, clusters=np.repeat(np.arange(40), 10), resamples=300)
    assert wide.high - wide.low > 2 * (kappa(table, resamples=300).high - wide.value)


def test_many_values_need_no_table_of_them() -> None:
    table = np.random.default_rng(0).normal(size=(20_000, 5))
    assert alpha(table, "interval").value == pytest.approx(0, abs=0.02)
    assert alpha(table + 1e6, "interval").value == pytest.approx(
        alpha(table, "interval").value, abs=1e-6
    )


def test_mistakes() -> None:
    with pytest.raises(BadInput, match="no level 'ratio'"):
        alpha([[1, 2]], "ratio")
    with pytest.raises(BadInput, match="units × ratings, got 1"):
        Ratings.of([1, 2])
    with pytest.raises(BadInput, match="interval ratings: expected numbers"):
        alpha([["a", "b"], ["a", "a"]], "interval")
    with pytest.raises(BadInput, match="values of one type"):
        alpha(np.array([["a", 1], [2, "b"]], dtype=object))
