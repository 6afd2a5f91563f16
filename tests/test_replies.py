from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deixis.errors import BadInput
from deixis.replies import STATUSES, Replies, concatenate
from deixis.trials import ChoiceView

TWO = ChoiceView("two", "", (), ("a", "b"))
THREE = ChoiceView("three", "", (), ("a", "b", "c"))


def test_scores_are_padded_to_the_widest_view() -> None:
    replies = Replies.scored([TWO, THREE], [[1, 2], np.array([3.0, 4, 5])])
    assert replies.ids == ("two", "three")
    assert replies.graded
    assert np.isnan(replies.scores[0, 2])
    assert replies.scores[1].tolist() == [3, 4, 5]
    assert replies.status.tolist() == [0, 0]


@pytest.mark.parametrize("scores", [[[1, 2]], [[1, 2], [1, 2]], [[1, 2], [1, np.nan, 2]]])
def test_scores_of_the_wrong_shape_or_no_numbers(scores: list[list[float]]) -> None:
    with pytest.raises(BadInput, match=r"expected (scores of 2 trials, got 1|3 scores for trial)"):
        Replies.scored([TWO, THREE], scores)


def test_a_choice_scores_one() -> None:
    replies = Replies.chosen([TWO, THREE, TWO], [1, None, 0], status="refused")
    assert not replies.graded
    assert replies.scores[[0, 2], :2].tolist() == [[0, 1], [1, 0]]
    assert np.isnan(replies.scores[1]).all()
    assert [STATUSES[s] for s in replies.status] == ["ok", "refused", "ok"]


@pytest.mark.parametrize("choice", [-1, 2])
def test_a_choice_out_of_range(choice: int) -> None:
    with pytest.raises(BadInput, match=rf"trial two has 2 options, got choice {choice}"):
        Replies.chosen([TWO], [choice])


def test_no_views_no_rows() -> None:
    assert len(Replies.scored([], [])) == len(Replies.chosen([], [])) == 0


def test_columns_must_have_a_row_for_each_id() -> None:
    with pytest.raises(BadInput, match=r"2 ids but 1 status"):
        Replies(("a", "b"), np.zeros(1, np.uint8))


def test_parts_are_put_one_after_the_other() -> None:
    narrow, wide = Replies.scored([TWO], [[1, 2]]), Replies.scored([THREE], [[1, 2, 3]])
    joined = concatenate([narrow, wide, narrow])
    assert joined.ids == ("two", "three", "two")
    assert joined.scores.shape == (3, 3)
    assert np.isnan(joined.scores[[0, 2], 2]).all()
    assert concatenate([narrow]) is narrow
    assert not concatenate([narrow, Replies.chosen([TWO], [0])]).graded
    same = concatenate([narrow, narrow])
    assert same.scores.shape == (2, 2)


def test_texts_and_raters_are_joined_too() -> None:
    one = replace(Replies.scored([TWO], [[1, 2]]), raw=("x",), raters=("r",), seconds=np.ones(1))
    joined = concatenate([one, one])
    assert (joined.raw, joined.raters) == (("x", "x"), ("r", "r"))
    assert joined.seconds.tolist() == [1, 1]


def test_parts_that_hold_different_things() -> None:
    one = Replies.scored([TWO], [[1, 2]])
    with pytest.raises(BadInput, match=r"only some parts hold raw"):
        concatenate([one, replace(one, raw=("x",))])
