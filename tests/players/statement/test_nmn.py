"""Modules on pictures of three boxes: what a world teaches, and what of it reaches NLVR."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from deixis.outcomes import score
from deixis.players.statement.neural.baseline import Trained
from deixis.runs.prepare import build
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task


def accuracy(player: Trained, task: Task) -> float:
    return float(score(task, player.at(task).reply(views(task))).credit.mean())


@pytest.mark.long
def test_strips_are_learnt() -> None:
    world = load("strips", sentences=500)
    train, test = make(world.select("train", "dev"), "train"), make(world.select("test"), "test")
    learner = build("nmn", train)
    learner.before = (make(load("strips", sentences=300, kinds=("existence",)), "first"),)
    player = learner.fit(train, seed=0)
    found = {c: accuracy(player, test.do(c)) for c in ("image=blank", "sentence=blank")}
    found["test"] = accuracy(player, test)
    print(f"\nnmn on strips: {found}")
    assert found["test"] > 0.8
    assert abs(found["image=blank"] - 0.5) < 0.04


@pytest.mark.long
def test_what_towers_teach_of_nlvr(data: Path) -> None:
    train, test = make(load("nlvr:dev+train-sample", data)), make(load("nlvr:test", data))
    start = time.process_time()
    learner = build("nmn", train, before="towers", sentences="1500", epochs="12")
    player = learner.fit(train, seed=0)
    found = accuracy(player, test)
    print(f"\nnmn on nlvr:test: {found} after {time.process_time() - start:.0f} s")
    assert found > 0.7
