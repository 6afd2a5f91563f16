"""What A-bot answers to people's questions, beside what people answered.

Many questions have one answer whatever the picture, so that shares of right answers say little by
themselves. Only questions count here that people answered in more than one way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.players.common.crossfit import CrossFit
from deixis.players.guessing.bots.learner import Talking
from deixis.players.guessing.bots.lexicon import joined, tokens
from deixis.players.guessing.converse import unanswered
from deixis.players.protocols import Player
from deixis.reproduce.cooperation.conditions import Line
from deixis.stats.clustered import t_intervals
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import GuessTrial, GuessView, opaque

Floats = NDArray[np.float64]

LINES = (
    Line("the picture", ""),
    Line("another's picture", "image=shuffle"),
    Line("no picture", "image=drop"),
)
"""What A-bot sees."""

USUAL = Line("nobody: the usual answer", "")
"""Always the answer that people gave most often to the question, in the dialogs of training."""


@dataclass(frozen=True)
class Asked:
    """Questions that people answered in more than one way.

    Attributes:
        rounds: the dialogs, each up to one such question and people's answer to it.
    """

    rounds: Sequence[GuessTrial]

    @classmethod
    def of(cls, task: Task) -> Asked:
        """Find them in a task's dialogs."""
        answers = _answers(task.trials)
        return cls(
            [
                replace(t, dialog=t.dialog.upto(r))
                for t in task.trials
                for r, turn in enumerate(t.dialog.turns, start=1)
                if len(answers[bare(turn.question)]) > 1
            ]
        )

    def right(self, player: Player, task: Task) -> Floats:
        """Whether A-bot answers as people did who stood where it stands, shape (n,).

        Args:
            player: the bots, or those of each fold.
            task: with the condition under which A-bot reads.
        """
        made = np.zeros(len(self.rounds))
        views = [unanswered(self._view(task, t)) for t in self.rounds]
        for bots, rows, _ in _seats(player, self.rounds):
            said = bots.answerer.answer([views[i] for i in rows])
            made[rows] = [bare(a) == self._wanted(i) for a, i in zip(said, rows, strict=True)]
        return made

    def usual(self, player: Player, task: Task, train: Task | None) -> Floats:
        """Whether people answered as most did where A-bot has learnt, shape (n,).

        Args:
            player: the bots, or those of each fold.
            task: what they play, and where they were cross-fitted, learnt from.
            train: what they learnt from otherwise.
        """
        made = np.zeros(len(self.rounds))
        held = train or task.only(task.dataset.records)
        for _, rows, learnt in _seats(player, self.rounds):
            trials = held.trials if train else [t for t in held.trials if learnt(t)]
            answers = _answers(trials)
            most = sum(answers.values(), Counter[str]()).most_common(1)[0][0]
            for i in rows:
                known = answers.get(bare(self.rounds[i].dialog.turns[-1].question))
                made[i] = (known.most_common(1)[0][0] if known else most) == self._wanted(i)
        return made

    def _wanted(self, i: int) -> str:
        return bare(self.rounds[i].dialog.turns[-1].answer)

    def rows(self, runs: Sequence[Sequence[Floats]]) -> list[dict[str, Any]]:
        """The share of right answers by line, with intervals over dialogs.

        Args:
            runs: what `right` gave by line, and `usual`, by run.
        """
        if not self.rounds:
            return []
        tables = np.array(runs).swapaxes(0, 1)
        clusters = np.array([t.clusters[0][1] for t in self.rounds])
        made = []
        for line, table in zip((*LINES, USUAL), tables, strict=True):
            one = t_intervals(table.mean(axis=0)[:, None], clusters, np.eye(1))
            means = table.mean(axis=1)
            made.append(
                {
                    "name": line.name,
                    "do": line.do,
                    "right": one.estimates[0],
                    "low": one.low[0],
                    "high": one.high[0],
                    "between": means.std(ddof=1) if len(means) > 1 else float("nan"),
                }
            )
        return made

    @staticmethod
    def _view(task: Task, trial: GuessTrial) -> GuessView:
        view: GuessView = see(task, trial, "answerer")
        return view


def bare(text: str) -> str:
    """A text as bots say it, without marks.

    >>> bare("No , it 's not .")
    "no it 's not"
    """
    return joined(w for w in tokens(text) if any(c.isalnum() for c in w))


def _answers(trials: Sequence[GuessTrial]) -> dict[str, Counter[str]]:
    """How often each answer was given, by question."""
    made: dict[str, Counter[str]] = defaultdict(Counter)
    for turn in (turn for t in trials for turn in t.dialog.turns):
        made[bare(turn.question)][bare(turn.answer)] += 1
    return made


def _seats(
    player: Player, trials: Sequence[GuessTrial]
) -> list[tuple[Talking, list[int], Callable[[GuessTrial], bool]]]:
    """Who answers in which of some dialogs, and which of a task's dialogs they have learnt from."""
    if isinstance(player, CrossFit):
        fold = player.fold
        folds = [fold[opaque(t.id)] for t in trials]
        return [
            (
                one,
                [i for i, f in enumerate(folds) if f == number],
                lambda t, own=number: fold.get(opaque(t.id)) != own,  # type: ignore[misc]
            )
            for number, one in enumerate(player.players)
            if isinstance(one, Talking) and number in folds
        ]
    assert isinstance(player, Talking)  # what `BotsLearner` makes
    return [(player, list(range(len(trials))), lambda t: False)]
