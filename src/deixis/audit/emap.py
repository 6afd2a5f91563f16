"""EMAP: does a player use texts and pictures together, or does it only add them up?

The empirical multimodally-additive projection (Hessel and Lee, EMNLP 2020) is the best prediction
that adds a number for the text and a number for the pictures; what it loses against the player is
what the player gains by relating the two. Defined for label sets, on log-odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.players.protocols import Bound, Player
from deixis.seeds import draw
from deixis.stats.clustered import bootstrap
from deixis.tasks.see import see
from deixis.tasks.task import Task

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Emap:
    """What relating texts and pictures is worth.

    Attributes:
        player: accuracy of the player itself on the sampled trials.
        additive: accuracy of its additive projection.
        value: the first less the second.
        low: lower end of the 95 % interval.
        high: upper end.
        n: trials sampled; n² replies were asked for.
    """

    player: float
    additive: float
    value: float
    low: float
    high: float
    n: int


def project(odds: Floats) -> Floats:
    """The additive projection of log-odds of every text with every picture, shape (n, n).

    Mean over pictures plus mean over texts less the mean of all.

    >>> project(np.array([[1.0, 3.0], [2.0, 4.0]])).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    rows, columns = odds.mean(axis=1, keepdims=True), odds.mean(axis=0, keepdims=True)
    return np.asarray(rows + columns - odds.mean())


def emap(task: Task, player: Player, *, n: int = 200, seed: int = 0) -> Emap:
    """Ask the player about every text with every picture of a sample.

    Args:
        task: of statements.
        player: must score, not only choose.
        n: trials sampled, at most all of them.
        seed: of the sample.

    Raises:
        BadInput: the task has no fixed labels, or the player only chooses.
    """
    if task.kind != "statement":
        raise BadInput(f"{task.name}: EMAP is defined for fixed label sets, not {task.kind} tasks")
    places = draw(seed, "emap", task.name).permutation(len(task))[:n]
    trials = [task.trials[i] for i in sorted(places.tolist())]
    bound = player.at(task) if isinstance(player, Bound) else player
    views = [see(task, t) for t in trials]
    odds = np.array([_odds(bound, [_crossed(a, b) for b in views]) for a in views])
    labels = np.array([t.answer for t in trials])
    own, added = (_credit(np.diag(o), labels) for o in (odds, project(odds)))
    clusters = np.array([t.clusters[0][1] for t in trials])
    made = bootstrap(np.column_stack([own, added]), clusters, np.array([[1.0, -1.0]]), seed=seed)
    return Emap(
        float(own.mean()),
        float(added.mean()),
        float(made.estimates[0]),
        float(made.low[0]),
        float(made.high[0]),
        len(trials),
    )


def _crossed(text: object, pictures: object) -> object:
    """The sentence of one view with the pictures of another."""
    return replace(text, left=pictures.left, right=pictures.right)  # type: ignore[type-var,attr-defined]


def _odds(player: Player, views: Sequence[object]) -> Floats:
    replies = player.reply(views)
    if replies.scores is None or not replies.graded:
        raise BadInput(f"{player.name}: EMAP needs scores, and this player only chooses")
    return np.asarray(replies.scores[:, 0] - replies.scores[:, 1])


def _credit(odds: Floats, labels: NDArray[np.int64]) -> Floats:
    """1 where the label has the better odds, half where both are as good; label 0 is true."""
    side = np.where(labels == 0, odds, -odds)
    return np.asarray(np.where(side == 0, 0.5, side > 0), np.float64)
