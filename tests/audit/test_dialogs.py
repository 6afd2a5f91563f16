"""Dialogs followed round by round: what moves, and what does not."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from deixis.audit.dialogs import cosines, dialogs, guessers, read_by_guesser
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.guessing.bots.learner import READERS, BotsLearner, Talking
from deixis.players.guessing.converse import converse, turn_of
from deixis.players.guessing.ideal import ideal
from deixis.players.guessing.known import constant
from deixis.players.guessing.linear import LinearLearner
from deixis.players.guessing.scripted import Scripted
from deixis.runs.play import play
from deixis.runs.prepare import prepare
from deixis.tasks.make import make
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.worlds.rooms import rooms


@pytest.fixture(scope="module")
def task() -> Task:
    return make(rooms(scenes=45))


def test_what_is_worth_something_and_what_moves(task: Task) -> None:
    """The ideal guesser gains by answers alone: without them only its later predictions move."""
    player = ideal("", task)
    found = dialogs(play(task, player, ["answer=drop", "caption=drop"]), player, worst=3)
    assert found.said is None
    assert len(found.worst) == 3
    ranks = play(task, player).base[0]
    total = ranks.at(0).rank.mean() - ranks.at(10).rank.mean()
    assert found.information.estimates.sum() == pytest.approx(total)
    answers, captions = found.cosines["answer=drop"], found.cosines["caption=drop"]
    assert answers[0] == pytest.approx(1)
    assert answers[10] < answers[1] < 1
    assert np.isnan(captions[0])  # nothing is predicted without a caption
    said = found.json()
    assert [one["round"] for one in said["information"]] == list(range(1, 11))
    assert said["yes_no"]["player"] is None


def test_dialogs_are_read_as_the_guesser_read_them(task: Task) -> None:
    altered = task.do("answer=shuffle@2")
    people = Scripted(task)
    seen = partial(see, altered)
    outcomes = score(altered, converse(task.trials, people, people, ideal("", task).guesser, seen))
    read = read_by_guesser(altered, outcomes, 3)
    for dialog, trial in zip(read, task.trials, strict=True):
        assert dialog.turns[0] == trial.dialog.turns[0]
        assert len(dialog.turns) == 3
    assert any(d.turns[1:] != t.dialog.turns[1:3] for d, t in zip(read, task.trials, strict=True))


def test_bots_that_talk_are_followed_by_what_they_said() -> None:
    game = replace(make(rooms(scenes=12, rounds=5)), readers=READERS)
    learner = BotsLearner(hidden=8, embedding=6, least=1, epochs=1, batch=8)
    learner.design = replace(learner.design, longest=(3, 2, 40))
    made = learner.fit(game, seed=0)
    assert isinstance(made, Talking)
    run = play(game, made, ["question/guesser=drop@3"])
    found = dialogs(run, made)
    moved = found.cosines["question/guesser=drop@3"]
    assert moved[:3] == pytest.approx(1)
    assert moved[3] < 1
    assert found.said is not None
    first = run.base[0].at(1).raw
    assert first is not None
    assert [d.turns[0] for d in read_by_guesser(game, run.base[0], 1)] == [
        turn_of(r) for r in first
    ]


def test_every_fold_has_its_own_reader(task: Task) -> None:
    player = prepare(LinearLearner(), task, folds=3)
    places = [i for _, rows in guessers(player, task) for i in rows]
    assert sorted(places) == list(range(len(task)))
    run = play(task, player, ["caption=same"])
    same = cosines(task, player, run.base[0], run.outcomes["caption=same"][0], "")
    assert same == pytest.approx(1)


def test_what_cannot_be_followed(task: Task) -> None:
    blind = constant("", task)
    assert dialogs(play(task, blind), blind).information.estimates == pytest.approx(0)
    with pytest.raises(BadInput, match="constant does not read dialogs"):
        dialogs(play(task, blind, ["caption=drop"]), blind)
    run = play(task, blind)
    with pytest.raises(BadInput, match="only guessing games have dialogs"):
        dialogs(replace(run, task=replace(task, kind="statement")), blind)
