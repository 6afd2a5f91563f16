"""Several players of the same kind, each of which plays what it was not trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deixis.players.protocols import Bound, Player
from deixis.replies import Replies, concatenate
from deixis.seeds import digest
from deixis.tasks.task import Task
from deixis.trials import opaque


class CrossFit:
    """Sends each view to the player of its fold.

    Attributes:
        players: one for each fold.
        fold: the fold of each view's id.
    """

    def __init__(self, players: Sequence[Player], fold: Mapping[str, int]) -> None:
        self.players = players
        self.fold = fold
        self.name = players[0].name
        self.revision = format(digest(*(p.revision for p in players)), "x")

    def at(self, task: Task) -> CrossFit:
        """The same players for another condition or order."""
        bound = [p.at(task) if isinstance(p, Bound) else p for p in self.players]
        return CrossFit(bound, self.fold)

    def reply(self, views: Sequence[Any]) -> Replies:
        """Replies in the order of folds; rows are known by their ids."""
        parts = []
        for number, player in enumerate(self.players):
            mine = [v for v in views if self.fold[v.id] == number]
            if mine:
                parts.append(player.reply(mine))
        return concatenate(parts)


def deal(task: Task, folds: int, seed: int) -> list[list[str]]:
    """Deal the task's primary clusters to folds of about equal size.

    Args:
        task: the task.
        folds: how many; fewer where there are fewer clusters.
        seed: breaks ties of size.

    Returns:
        The clusters of each fold.
    """
    sizes: dict[str, int] = {}
    for trial in task.trials:
        sizes[trial.clusters[0][1]] = sizes.get(trial.clusters[0][1], 0) + 1
    order = sorted(sizes, key=lambda c: (-sizes[c], digest(seed, "fold", c)))
    dealt: list[list[str]] = [[] for _ in range(min(folds, len(order)))]
    loads = np.zeros(len(dealt))
    for cluster in order:
        least = int(loads.argmin())
        dealt[least].append(cluster)
        loads[least] += sizes[cluster]
    return dealt


def folds_of(task: Task, dealt: Sequence[Sequence[str]]) -> dict[str, int]:
    """The fold of each view's id."""
    where = {cluster: number for number, fold in enumerate(dealt) for cluster in fold}
    return {opaque(t.id): where[t.clusters[0][1]] for t in task.trials}
