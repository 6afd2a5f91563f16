from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deixis.stats.clustered import t_intervals
from deixis.stats.rates import rate, wilson


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_the_score_interval(case: tuple[int, int]) -> None:
    successes, n = case
    expected = stats.binomtest(successes, n).proportion_ci(0.95, method="wilson")
    assert wilson(successes, n) == pytest.approx((expected.low, expected.high), abs=1e-12)
    low, high = wilson(successes, n, level=0.8)
    assert 0 <= low <= successes / n <= high <= 1


def test_a_rate_between_has_a_t_interval() -> None:
    values = np.random.default_rng(0).random(200).round()
    clusters = np.arange(200) // 5
    made = t_intervals(values[:, None], clusters, np.ones((1, 1)))
    assert rate(values, clusters) == (values.mean(), made.low[0], made.high[0])


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_or_none_is_never_of_width_zero(value: float) -> None:
    mean, low, high = rate(np.full(100, value), np.arange(100) // 4)
    assert mean == value
    assert (low, high) == wilson(25 * value, 25)
    assert high - low > 0.1


def test_few_clusters() -> None:
    mean, low, high = rate(np.ones(90), np.arange(90) % 9)
    assert mean == 1
    assert math.isnan(low)
    assert math.isnan(high)
