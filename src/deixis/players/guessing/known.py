"""Players of guessing games whose ranks are known before they play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.players.common.planted import check, intact, revision_of, terms
from deixis.players.guessing.ranked import ranked, rounds_of, trials_of
from deixis.replies import Replies
from deixis.stats.ranks import TOP, Ranks
from deixis.tasks.task import Task
from deixis.trials import GuessTrial, GuessView

Floats = NDArray[np.float64]
Standing = Callable[[Task, GuessTrial, GuessView], tuple[float, int]]
"""Mid-rank of a trial's target, and how many tie with it."""


class Known:
    """Ranks the target where it was told to, after every round."""

    def __init__(self, name: str, revision: str, task: Task, standing: Standing) -> None:
        self.name, self.revision, self.task, self.standing = name, revision, task, standing

    def at(self, task: Task) -> Known:
        """The same player at the task under another condition."""
        return Known(self.name, self.revision, task, self.standing)

    def reply(self, views: Sequence[GuessView]) -> Replies:
        """Ranks after the caption and after every round."""
        trials = trials_of(self.task, views)
        parts = []
        for number in range(1 + rounds_of(self.task)):
            seen = [v.__class__(v.id, v.dialog.upto(number), v.pool) for v in views]
            held = [self.standing(self.task, t, v) for t, v in zip(trials, seen, strict=True)]
            parts.append(_ranks(trials, held))
        return ranked(views, parts)


def constant(_: str, task: Task) -> Known:
    """Scores all pictures the same: its percentile rank is exactly 50."""
    return Known("constant", "1", task, lambda _, __, view: ((view.k + 1) / 2, view.k))


def oracle(_: str, task: Task) -> Known:
    """Knows the picture."""
    return Known("oracle", "1", task, lambda _, __, ___: (1.0, 1))


def planted(argument: str, task: Task) -> Known:
    """Gains points of percentile rank by each set of channels that is intact.

    ``planted:caption=30,question*answer=10`` stands at 50 + 30 while the caption is intact, and 10
    higher while all questions and answers are.

    Raises:
        BadInput: a channel the task lacks, or points beyond 0 to 100.
    """
    points = terms(argument)
    check(task, points)
    if not 0 <= 50 + sum(points.values()) <= 100:
        raise BadInput("planted: 50 and the points add to more than 100, or less than 0")

    def standing(task: Task, trial: GuessTrial, view: GuessView) -> tuple[float, int]:
        whole = task.view(trial)
        whole = whole.__class__(whole.id, whole.dialog.upto(len(view.dialog.turns)), whole.pool)
        kept = intact(task, view, whole)
        value = 50 + sum(w for channels, w in points.items() if channels <= kept)
        return view.k - value * (view.k - 1) / 100, 1

    return Known("planted", revision_of(points), task, standing)


def _ranks(trials: Sequence[GuessTrial], held: Sequence[tuple[float, int]]) -> Ranks:
    top = np.full((len(trials), TOP), -1, np.int64)
    for i, (trial, (rank, ties)) in enumerate(zip(trials, held, strict=True)):
        if rank < 2 and ties == 1:
            top[i, 0] = trial.answer
    ranks = np.array([rank for rank, _ in held], np.float64)
    return Ranks(ranks, np.array([ties for _, ties in held], np.int64), top)
