"""What interventions do to what is said and guessed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from deixis.audit.talk import (
    by_caption,
    information,
    predicted_apart,
    shift,
    spearman,
    turns_of,
    yes_no,
)
from deixis.errors import BadInput
from deixis.outcomes import Outcomes, score
from deixis.players.guessing.converse import converse
from deixis.players.guessing.ideal import Ideal, ideal
from deixis.players.guessing.scripted import Prompted, Scripted
from deixis.runs.play import play
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.worlds.rooms import RoomStore, rooms

READERS = ("guesser", "questioner", "answerer")


@pytest.fixture(scope="module")
def task() -> Task:
    return replace(make(rooms(scenes=48)), readers=READERS)


def talked(task: Task, answers: dict[str, dict[int, str]] | None = None) -> Outcomes:
    assert isinstance(task.store, RoomStore)
    script = Scripted(task)
    answerer = Prompted(script, answers=answers)
    return score(
        task, converse(task.trials, script, answerer, Ideal(task.store), partial(see, task))
    )


def test_answers_that_change_are_counted_by_round(task: Task) -> None:
    few = [t.id for t in task.trials[:12]]
    base, other = talked(task), talked(task, {i: {4: "nobody knows"} for i in few})
    made = shift(base, other)
    assert np.isnan(made.answers[0])
    assert made.answers[1:].tolist() == [0, 0, 0, 0.25, *[0] * 6]
    assert made.questions[1:].tolist() == [0] * 10
    assert made.overlap[3] == made.spearman[3] == 1
    assert made.overlap[10] <= 1
    assert turns_of(other, 4)[0].answer == "nobody knows"


def test_nothing_said_nothing_changed(task: Task) -> None:
    run = play(task, ideal("", task), ["caption=drop"])
    base, other = run.base[0], run.outcomes["caption=drop"][0]
    made = shift(base, other)
    assert np.isnan(made.answers).all()
    assert made.overlap[0] < 1
    assert abs(made.spearman[0]) < 1
    assert np.isnan(spearman(np.ones(3), np.arange(3.0)))
    with pytest.raises(BadInput, match="the same trials"):
        shift(base, base.at(1))


def test_the_value_of_rounds_sums_to_what_the_dialog_wins(task: Task) -> None:
    base = talked(task)
    made = information(base)
    total = base.at(0).rank.mean() - base.at(10).rank.mean()
    assert made.estimates.sum() == pytest.approx(total)
    assert (made.low <= made.estimates).all()
    assert total > 0


def test_captions_that_help_least_come_first(task: Task) -> None:
    base = talked(task)
    worst = by_caption(base, 3)
    assert worst[0][1] == base.at(0).rank.max()
    assert worst[0][1] >= worst[1][1] >= worst[2][1]
    assert worst[0][0] in base.ids


def test_predictions_apart(task: Task) -> None:
    assert isinstance(task.store, RoomStore)
    guesser = Ideal(task.store)
    whole = [t.dialog for t in task.trials]
    assert predicted_apart(guesser, whole, whole) == pytest.approx(1)
    bare = [replace(d, caption="a room") for d in whole]
    assert (predicted_apart(guesser, whole, bare) < 1).any()


def test_yes_and_no_on_val(data: Path) -> None:
    """39.1 % of the answers on the val dialogs are yes or no, 52.6 % begin so."""
    dialogs = load("chatir:human", data).records.values()
    exact, first = yes_no([t.answer for c in dialogs for t in c.dialog.turns])
    assert (round(100 * exact, 1), round(100 * first, 1)) == (39.1, 52.6)
