from __future__ import annotations

import pytest

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.planted import planted
from deixis.seeds import Seeds
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task

RELIANCE = "whole=0.3,parts=0.1,color=0.05,parts*color=0.2,shape=0.1"


@pytest.fixture(scope="module")
def task(dense: Task) -> Task:
    return dense.limit(1000)


def accuracy(task: Task, argument: str, condition: str = "") -> float:
    altered = task.do(condition) if condition else task
    player = planted(argument, task).at(altered)
    return float(score(altered, player.reply(views(altered))).credit.mean())


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("", 0.1 + 0.3 + 0.1 + 0.05 + 0.2 + 0.1),
        ("whole=drop", 0.1 + 0.1 + 0.05 + 0.2 + 0.1),
        ("parts=drop", 0.1 + 0.3 + 0.05 + 0.1),
        ("color=drop", 0.1 + 0.3 + 0.1 + 0.1),
        ("shape=drop", 0.1 + 0.3 + 0.1 + 0.05 + 0.2),
        ("image=blank", 0.1 + 0.3 + 0.1),
        ("whole=drop,parts=drop,image=blank", 0.1),
        ("whole=same", 0.85),
    ],
)
def test_rates_are_planted_to_one_trial(task: Task, condition: str, expected: float) -> None:
    assert accuracy(task, RELIANCE, condition) == pytest.approx(expected, abs=1 / len(task))


def test_interventions_move_the_same_trials_whenever_they_are_made(games: Task) -> None:
    altered = games.do("color=drop")
    player = planted("color=0.4", games)
    one = score(altered, player.at(altered).reply(views(altered)))
    again = altered.reseed(Seeds(order=5, operator=2))
    other = score(again, player.at(again).reply(views(again)))
    assert (one.credit == other.credit).all()


def test_it_plays_the_other_direction(world) -> None:
    task = make(world, direction="picture-to-text")
    assert accuracy(task, "whole=0.5") == pytest.approx(0.6, abs=0.01)
    assert accuracy(task, "whole=0.5", "whole=drop") == pytest.approx(0.1, abs=0.01)


def test_nothing_planted_is_chance(games: Task) -> None:
    assert accuracy(games, "") == pytest.approx(0.1, abs=1 / len(games))


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("depth=0.3", r"no channel 'depth' \(known: whole, parts, color, shape\)"),
        ("whole=0.95", "add to more than 1"),
        ("whole=-0.2", "or less than 0"),
        ("whole", "expected CHANNEL=WEIGHT"),
        ("whole=much", "expected CHANNEL=WEIGHT"),
    ],
)
def test_what_cannot_be_planted(games: Task, argument: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        planted(argument, games)


def test_another_reliance_is_another_revision(games: Task) -> None:
    revisions = {planted(a, games).revision for a in ("", "whole=0.1", "whole=0.2", "parts=0.1")}
    assert len(revisions) == 4
    assert (
        planted("parts*color=0.1,whole=0.2", games).revision
        == planted("whole=0.2,color*parts=0.1", games).revision
    )
