from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deixis.errors import BadInput
from deixis.stats.proportions import compare_proportions


@given(st.data(), st.integers(1, 400), st.integers(1, 400))
def test_against_scipy(data: st.DataObject, n: int, m: int) -> None:
    first, second = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    table = np.array([[first, n - first], [second, m - second]])
    found = compare_proportions(first, n, second, m)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    assert found.test == ("Fisher" if expected.min() < 5 else "chi-squared")
    if found.test == "Fisher":
        assert found.p == pytest.approx(stats.fisher_exact(table)[1], abs=1e-9)
        assert math.isnan(found.statistic)
    else:
        other = stats.chi2_contingency(table, correction=False)
        assert (found.statistic, found.p) == pytest.approx((other[0], other[1]), abs=1e-9)


def test_what_cannot_be_compared() -> None:
    for counts in ((1, 0, 0, 0), (3, 2, 0, 4), (-1, 2, 0, 4)):
        with pytest.raises(BadInput, match="no proportions to compare"):
            compare_proportions(*counts)
