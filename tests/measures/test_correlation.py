from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deixis.measures.correlation import correlate

NUMBERS = st.integers(-3, 3).map(float)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=4, max_size=20))
def test_as_the_library_has_it(pairs: list[tuple[float, float]]) -> None:
    xs, ys = zip(*pairs, strict=True)
    found = correlate(xs, ys)
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        assert not found.defined
        assert found.cells()[0] == "–"
        return
    expected = stats.spearmanr(xs, ys)
    assert found.rho == pytest.approx(expected.statistic, abs=1e-12)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-9)


def test_sums_in_other_orders_tie() -> None:
    xs = [0.1 + 0.2, 0.3, 0.5, 0.7]
    found = correlate(xs, [1, 1, 2, 3])
    assert found.tied == pytest.approx(1.0)
    assert found.rho < 0.99, "published coefficients rank such differences"


def test_too_few() -> None:
    found = correlate([1, None, 3], [1, 2, 3])
    assert (found.n, math.isnan(found.rho)) == (2, True)
