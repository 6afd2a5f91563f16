"""The numbers of the figures, on outcomes whose truth is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deixis.dataset import Dataset
from deixis.outcomes import Outcomes, score
from deixis.players.common.planted import planted
from deixis.players.reference.lessons import lessons
from deixis.reproduce.kilogram.numbers import by_picture, cell, curve
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.subsets import by_count
from deixis.tasks.task import Task

WHERE = {"test": "t", "player": "p", "state": "s", "condition": "c"}


def played(task: Task, reliance: str = "whole=0.5") -> Outcomes:
    player = planted(reliance, task)
    return score(task, player.reply(views(task)))


def test_a_bar_of_planted_truth(world: Dataset) -> None:
    """Chance of 1 in 5 and half of the trials more, and what each run did."""
    task = make(world, "figures", k=5)
    one, other = played(task), played(task, "whole=0.1")
    pictures = {x.id: x.picture.key for x in lessons(task)}
    made = cell(WHERE, one, [one, other], pictures)
    assert made.accuracy == pytest.approx(0.7, abs=1 / len(task))
    assert made.runs == (made.accuracy, pytest.approx(0.3, abs=1 / len(task)))
    assert made.low < made.accuracy < made.high
    assert (made.n, made.cut, made.player) == (len(task), 0, "p")
    assert made.clusters == len({t.clusters[0][1] for t in task.trials})
    assert cell(WHERE, replace(one, cut=np.ones(len(task), bool)), [one], pictures).cut == len(task)


def test_pictures_count_once_however_many_annotations_they_have(world: Dataset) -> None:
    """One picture with three right answers, one with a single wrong one: a half, not 3 in 4."""
    task = make(world, "figures", k=5).limit(4)
    outcomes = replace(played(task), credit=np.array([1.0, 1, 1, 0]))
    keys = dict(zip(outcomes.items.tolist(), ["a", "a", "a", "b"], strict=True))
    assert by_picture(outcomes, keys) == 0.5
    assert by_picture(outcomes, {i: i for i in keys}) == 0.75


def test_a_curve_has_the_means_of_the_tasks_own_count(world: Dataset) -> None:
    task = make(world, "figures", k=5, contexts="subsets").limit(400)
    outcomes = replace(played(task), probability=np.linspace(0, 1, len(task)))
    points = curve("p", outcomes)
    known = by_count(outcomes)
    assert [(p.full, p.included) for p in points] == list(known)
    for point in points:
        accuracy, probability, n = known[point.full, point.included]
        assert point.n == n
        assert point.accuracy[0] == pytest.approx(accuracy)
        assert point.probability[0] == pytest.approx(probability)
