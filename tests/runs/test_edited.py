"""Dialogs told again with edits: read, and talked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from deixis.errors import BadInput
from deixis.players.common.saved import Lessons, Saved
from deixis.players.guessing.ideal import ideal
from deixis.players.guessing.linear import LinearLearner
from deixis.runs.edited import found, tell
from deixis.runs.prepare import prepare
from deixis.tasks.edits import Edit, Edits
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.worlds.rooms import rooms


@pytest.fixture(scope="module")
def task() -> Task:
    return make(rooms(scenes=64))


def told(task: Task, edits: Sequence[Edit], player: object = None) -> tuple[list[float], Task]:
    made = ideal("", task) if player is None else player
    return tell(task, made, task.trials[0], tuple(edits)).ranks.tolist(), task  # type: ignore[arg-type]


def test_an_edit_acts_from_its_round_on(task: Task) -> None:
    dialog = task.trials[0].dialog
    asked = next(i for i, t in enumerate(dialog.turns, 1) if t.answer in ("round", "square"))
    other = {"round": "square", "square": "round"}[dialog.turns[asked - 1].answer]
    before, _ = told(task, [])
    after, _ = told(task, [Edit("answer", other, asked)])
    assert after[:asked] == before[:asked]
    assert after[asked] > before[asked]


def test_what_is_told_is_what_was_read(task: Task) -> None:
    made = tell(task, ideal("", task), task.trials[0], (Edit("caption", "a room", 0),))
    assert made.dialog.caption == "a room"
    assert made.dialog.turns == task.trials[0].dialog.turns
    assert made.size == 64
    assert made.json()["rank"].shape == (11,)
    assert made.percentiles[-1] == 100 * (64 - made.ranks[-1]) / 63


def test_players_in_folds_and_kept_ones(task: Task) -> None:
    folds = prepare(LinearLearner(), task)
    ranks, _ = told(task, [], folds)
    assert len(ranks) == 11
    kept = Saved(ideal("", task), Lessons("rooms", frozenset(), frozenset()))
    assert told(task, [], kept)[0] == told(task, [])[0]


def test_edits_that_nobody_reads(task: Task) -> None:
    with pytest.raises(BadInput, match="no answerer plays here, so nobody looks at it"):
        told(task, [Edit("image", "blank", 3)])
    with pytest.raises(BadInput, match="trial room-0000 has none there"):
        told(task, [Edit("answer", "no", 11)])
    with pytest.raises(BadInput, match="rooms has no dialog 'x'"):
        found(task, "x")


def test_bots_say_everything_anew_behind_an_edit() -> None:
    from deixis.players.guessing.bots.learner import READERS, BotsLearner

    task = replace(make(rooms(scenes=24, rounds=5)), readers=READERS)
    learner = BotsLearner(hidden=12, embedding=8, least=1, epochs=2, rate=0.02)
    player = learner.fit(task)

    def say(edits: Edits) -> list[str]:
        turns = tell(task, player, task.trials[1], edits).dialog.turns
        return [f"{t.question} {t.answer}" for t in turns]

    before, after = say(()), say((Edit("answer", "kitchen lamp door", 2),))
    assert after[0] == before[0]
    assert after[1].endswith("kitchen lamp door")
    assert len(after) == 5
    blind = tell(task, player, task.trials[1], (Edit("image", "picture:room-0003", 2),))
    assert blind.dialog.turns[0].answer in before[0]
