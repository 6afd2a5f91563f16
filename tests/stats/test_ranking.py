"""Reciprocal ranks and discounted gain: golden numbers, ties in all their orders, bounds."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.outcomes import mid_rank
from deixis.stats.ranking import ndcg, reciprocal

small = st.lists(st.integers(0, 2), min_size=1, max_size=5)


def orders(scores: list[int]) -> list[tuple[int, ...]]:
    """Every order of the options that their scores allow."""
    every = permutations(range(len(scores)))
    return [o for o in every if all(scores[a] >= scores[b] for a, b in pairwise(o))]


@given(small)
def test_reciprocal_rank_is_the_mean_over_all_orders_of_ties(scores: list[int]) -> None:
    table = np.array([scores], float)
    for answer in range(len(scores)):
        rank, ties = mid_rank(table, np.array([answer]))
        expected = np.mean([1 / (1 + o.index(answer)) for o in orders(scores)])
        assert reciprocal(rank, ties)[0] == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=5))
def test_discounted_gain_is_the_mean_over_all_orders_of_ties(pairs: list[tuple[int, int]]) -> None:
    scores, gains = [a for a, _ in pairs], [b / 2 for _, b in pairs]
    made = ndcg(np.array([scores], float), np.array([gains]))[0]
    count = sum(g > 0 for g in gains)
    if not count:
        assert np.isnan(made)
        return
    best = sorted(gains, reverse=True)

    def gain(order: list[float]) -> float:
        return sum(g / np.log2(i + 2) for i, g in enumerate(order[:count]))

    expected = np.mean([gain([gains[i] for i in o]) for o in orders(scores)]) / gain(best)
    assert made == pytest.approx(expected)
    assert 0 <= made <= 1


def test_golden_numbers() -> None:
    """By hand: relevances 1, .6, .4; found at places 2, 4 and 1, of which three count."""
    scores = np.array([[4.0, 3.0, 2.0, 1.0, np.nan]])
    relevance = np.array([[0.4, 1.0, 0.0, 0.6, 0.0]])
    found = 0.4 + 1.0 / np.log2(3)
    ideal = 1.0 + 0.6 / np.log2(3) + 0.4 / 2
    assert ndcg(scores, relevance)[0] == pytest.approx(found / ideal)
    assert found / ideal == pytest.approx(0.6531, abs=1e-4)
    assert reciprocal(np.array([50.5]), np.array([100]))[0] == pytest.approx(0.051873775)
