"""The answerer of trained bots ranks given answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.players.answering.abot import abot
from deixis.players.common.saved import Lessons
from deixis.players.guessing.bots.learner import READERS, BotsLearner, Talking
from deixis.players.guessing.converse import unanswered
from deixis.runs.play import play
from deixis.runs.prepare import prepare
from deixis.tasks.make import make
from deixis.tasks.see import see, views
from deixis.worlds.rooms import rooms


@pytest.fixture(scope="module")
def world() -> Dataset:
    return rooms(scenes=24, rounds=5)


@pytest.fixture(scope="module")
def asked(world: Dataset) -> Dataset:
    """The world's dialogs with all of its answers to choose from."""
    texts = tuple(
        sorted({t.answer for c in world.records.values() for t in c.dialog.turns} | {"blue"})
    )
    options = {
        (i, n): (texts, texts.index(t.answer))
        for i, c in world.records.items()
        for n, t in enumerate(c.dialog.turns, start=1)
    }
    return replace(world, kind="answering", extras={"options": options, "dense": {}})


@pytest.fixture(scope="module")
def folder(world: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = BotsLearner(hidden=12, embedding=8, least=1, batch=10, rate=0.01, epochs=2)
    player = made.fit(replace(make(world), readers=READERS), seed=1)
    kept = tmp_path_factory.mktemp("bots")
    assert isinstance(player, Talking)
    player.save(kept)
    return kept


def test_scores_are_those_of_the_answerer_that_talks(
    world: Dataset, asked: Dataset, folder: Path
) -> None:
    """The same log-probabilities, in shown order, by another way through the program."""
    task, game = make(asked), replace(make(world), readers=READERS)
    player = abot(str(folder), task)
    replies = player.reply(views(task)[:5])
    from deixis.players.guessing.bots.learner import load

    talking = load(folder, game, talk=True)
    assert isinstance(talking, Talking)
    trial = game.trials[0]
    for i in range(5):
        cut = replace(trial, dialog=trial.dialog.upto(i + 1))
        seen = unanswered(see(game, cut, "answerer"))
        view = views(task)[i]
        expected = talking.answerer.options([seen], [view.options])[0]
        assert replies.scores is not None
        assert replies.scores[i] == pytest.approx(expected, abs=1e-5)


def test_it_is_played_and_audited_as_any_player(asked: Dataset, folder: Path) -> None:
    task = make(asked)
    run = play(task, abot(str(folder), task), ["image=shuffle", "question=drop"])
    base = run.base[0]
    assert np.isfinite(base.rank).all()
    assert base.rank.tolist() != run.outcomes["question=drop"][0].rank.tolist()


def test_it_is_not_tested_on_what_it_was_trained_on(asked: Dataset, folder: Path) -> None:
    task = make(asked)
    Lessons("rooms", frozenset([task.trials[0].item]), frozenset()).write(folder)
    with pytest.raises(BadInput, match="share 1 records"):
        prepare(abot(str(folder), task), task)
    (folder / "lessons.json").unlink()


def test_what_is_no_pair_of_bots(asked: Dataset, tmp_path: Path) -> None:
    task = make(asked)
    with pytest.raises(BadInput, match=r"no player\.json there"):
        abot(str(tmp_path), task)
    (tmp_path / "player.json").write_text('{"player": "linear", "kind": "guessing"}')
    with pytest.raises(BadInput, match="'linear' has no answerer"):
        abot(str(tmp_path), task)
