from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.measures.divergence import divergence, resampled_divergence, resamples, shares

LISTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=4), min_size=2, max_size=7)


def plainly(lists: list[list[str]]) -> float:
    """The definition, word by word."""
    total = 0.0
    for i, words in enumerate(lists):
        apart = [
            1 - sum(w in other for j, other in enumerate(lists) if j != i) / (len(lists) - 1)
            for w in words
        ]
        total += sum(apart) / len(words) if words else 0.0
    return total / len(lists)


@given(LISTS)
def test_the_definition(lists: list[list[str]]) -> None:
    assert divergence(lists) == pytest.approx(plainly(lists), abs=1e-12)
    assert 0 <= divergence(lists) <= 1


@given(LISTS, st.randoms(use_true_random=False))
def test_order_does_not_matter(lists: list[list[str]], random) -> None:
    mixed = list(lists)
    random.shuffle(mixed)
    assert divergence(mixed) == pytest.approx(divergence(lists), abs=1e-12)


@given(LISTS)
def test_a_resample_with_everybody_once_is_the_value(lists: list[list[str]]) -> None:
    once = np.ones((1, len(lists)), np.int64)
    for copies in (False, True):
        drawn = resampled_divergence(shares(lists), once, copies=copies)
        assert drawn[0] == pytest.approx(divergence(lists), abs=1e-12)


@given(LISTS, st.integers(0, 99))
def test_resamples_with_copies_are_those_of_the_definition(lists, seed: int) -> None:
    """Where copies count, a resample is a list of annotations like any other."""
    counts = resamples(len(lists), 3, np.random.default_rng(seed))
    drawn = resampled_divergence(shares(lists), counts, copies=True)
    for row, value in zip(counts, drawn, strict=True):
        taken = [words for words, n in zip(lists, row, strict=True) for _ in range(n)]
        assert value == pytest.approx(plainly(taken), abs=1e-12)


def test_a_copy_is_nobody_elses_agreement() -> None:
    """Five people who share no word diverge wholly, however they are drawn."""
    table = shares([[w] for w in "abcde"])
    counts = resamples(5, 500, np.random.default_rng(0))
    counts = counts[(counts > 0).sum(axis=1) > 1]
    assert (resampled_divergence(table, counts) == 1).all()
    assert resampled_divergence(table, counts, copies=True).mean() < 0.9


def test_nothing_to_diverge_from() -> None:
    with pytest.raises(BadInput, match="needs two annotations, there is 1"):
        divergence([["dog"]])
    assert divergence([[], []]) == 0, "annotations without words add nothing"
