from __future__ import annotations

import pytest

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.oracle import answers, oracle
from deixis.seeds import Seeds
from deixis.tasks.see import views
from deixis.tasks.task import Task


@pytest.mark.parametrize("condition", ["", "image=blank", "whole=shuffle,color=drop"])
def test_always_right(games: Task, condition: str) -> None:
    task = games.do(*[condition] if condition else []).reseed(Seeds(order=3))
    player = oracle("", games).at(task)
    assert (score(task, player.reply(views(task))).credit == 1).all()


def test_answers_are_places_in_shown_order(games: Task) -> None:
    seen = views(games)
    for view, place, trial in zip(seen, answers(games, seen), games.trials, strict=True):
        assert view.pictures[place] == trial.pictures[trial.answer]


def test_views_of_another_task(games: Task, dense: Task) -> None:
    with pytest.raises(BadInput, match=r"figures: [0-9a-f]{16} is no trial of this task"):
        oracle("", games).reply(views(dense.limit(1)))
