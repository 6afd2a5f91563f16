from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deixis.errors import BadInput
from deixis.stats import tests as under_test
from deixis.stats.tests import holm, mcnemar, sign_flip

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_few_clusters_are_flipped_in_every_way(totals: list[int]) -> None:
    ways = [
        abs(sum(s * t for s, t in zip(signs, totals, strict=True)))
        for signs in product((1, -1), repeat=len(totals))
    ]
    expected = np.mean([w >= abs(sum(totals)) for w in ways])
    assert sign_flip(np.array(totals, float)[:, None])[0] == expected


def test_many_clusters_are_flipped_at_random() -> None:
    totals = np.random.default_rng(0).normal(0.6, 1, (14, 2))
    patterns = (np.arange(2**14)[:, None] >> np.arange(14)) & 1
    flipped = np.abs((patterns * 2 - 1) @ totals)
    exact = (flipped >= np.abs(totals.sum(axis=0)) - 1e-9).mean(axis=0)
    drawn = sign_flip(totals, n=20_000)
    assert drawn == pytest.approx(exact, abs=0.01)
    assert (drawn != exact).any()


def test_p_is_never_zero_and_holds_its_level() -> None:
    assert sign_flip(np.ones((50, 1)), n=999)[0] == 1 / 1000
    null = np.random.default_rng(0).normal(size=(30, 400))
    assert (sign_flip(null, n=2000) < 0.05).mean() == pytest.approx(0.05, abs=0.025)
    assert sign_flip(np.zeros((20, 1)))[0] == 1


def test_memory_is_bounded_without_changing_p(monkeypatch: pytest.MonkeyPatch) -> None:
    totals = np.random.default_rng(1).normal(0.3, 1, (17, 3))
    whole = sign_flip(totals, n=800)
    monkeypatch.setattr(under_test, "_CELLS", 17 * 100)
    assert (sign_flip(totals, n=800) == whole).all()


pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


@given(pairs)
def test_mcnemar_is_a_binomial_test_of_discordant_pairs(outcomes: list) -> None:
    first, second = np.array(outcomes, float).T
    b = sum(x and not y for x, y in outcomes)
    c = sum(y and not x for x, y in outcomes)
    expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar(first, second) == pytest.approx(expected)
    assert mcnemar(second, first) == pytest.approx(expected)


@given(pairs)
def test_mid_p_takes_half_of_the_observed_point_on_either_side(outcomes: list) -> None:
    first, second = np.array(outcomes, float).T
    b = sum(x and not y for x, y in outcomes)
    n = b + sum(y and not x for x, y in outcomes)
    if n == 0:
        assert mcnemar(first, second, mid=True) == 1
        return
    fewer = min(b, n - b)
    tail = sum(comb(n, i) for i in range(fewer)) + comb(n, fewer) / 2
    assert mcnemar(first, second, mid=True) == pytest.approx(min(1, 2 * tail / 2**n))


def test_mcnemar_of_a_thousand_pairs() -> None:
    first = np.r_[np.ones(600), np.zeros(500)]
    value = mcnemar(first, 1 - first, mid=True)
    exact = mcnemar(first, 1 - first)
    assert exact == pytest.approx(stats.binomtest(600, 1100).pvalue)
    assert 0 < value < exact


def test_ties_are_no_outcome_for_mcnemar() -> None:
    with pytest.raises(BadInput, match=r"outcomes of 0 and 1"):
        mcnemar(np.array([1.0, 0.5]), np.array([0.0, 1.0]))


@given(p_values)
def test_holm_is_the_step_down_of_bonferroni(p: list[float]) -> None:
    order = sorted(range(len(p)), key=lambda i: p[i])
    expected = [0.0] * len(p)
    running = 0.0
    for step, i in enumerate(order):
        running = max(running, min(1.0, (len(p) - step) * p[i]))
        expected[i] = running
    assert holm(np.array(p)).tolist() == pytest.approx(expected)


@given(p_values)
def test_holm_never_lowers_a_p_and_keeps_their_order(p: list[float]) -> None:
    adjusted = holm(np.array(p))
    assert (adjusted >= np.array(p)).all()
    assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()
    assert (adjusted <= np.minimum(1, len(p) * np.array(p)) + 1e-12).all()
