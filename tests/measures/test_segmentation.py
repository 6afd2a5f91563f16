from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from deixis.errors import BadInput
from deixis.measures.segmentation import agreements, resampled_agreement, segmentation_agreement

PARTS = st.lists(
    st.lists(st.integers(0, 6), min_size=7, max_size=7), min_size=2, max_size=6
)  # fmt: skip


def by_assignment(one: list[int], other: list[int]) -> int:
    """The published definition: the best one-to-one matching of parts."""
    overlap = np.zeros((7, 7), np.int64)
    for a, b in zip(one, other, strict=True):
        overlap[a, b] += 1
    return int(overlap[linear_sum_assignment(overlap, maximize=True)].sum())


@given(PARTS)
def test_the_published_definition(parts: list[list[int]]) -> None:
    met = agreements(parts)
    for i, j in combinations(range(len(parts)), 2):
        assert met[i, j] == met[j, i] == by_assignment(parts[i], parts[j])
    assert (met.diagonal() == 7).all()
    pairs = [by_assignment(a, b) for a, b in combinations(parts, 2)]
    assert segmentation_agreement(parts) == pytest.approx(np.mean(pairs), abs=1e-12)


@given(PARTS, st.permutations(range(7)))
def test_names_of_parts_do_not_matter(parts: list[list[int]], names: list[int]) -> None:
    renamed = [[names[p] for p in row] for row in parts]
    assert (agreements(renamed) == agreements(parts)).all()


def test_resamples_take_no_annotator_for_two() -> None:
    met = agreements([[0, 0, 0], [0, 1, 2]])
    drawn = resampled_agreement(met, np.array([[1, 1], [5, 2], [3, 0]]))
    assert drawn[:2].tolist() == [1.0, 1.0]
    assert np.isnan(drawn[2])


def test_mistakes() -> None:
    with pytest.raises(BadInput, match="two annotators, there is 1"):
        segmentation_agreement([[0, 1]])
    with pytest.raises(BadInput, match="1 to 8 pieces"):
        agreements([[0] * 9, [1] * 9])
