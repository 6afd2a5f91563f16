"""Several players as one: products or sums of their probabilities."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis import registry
from deixis.errors import BadInput
from deixis.players.common.saved import CARD, saved, write_card
from deixis.players.protocols import Bound, Learner, Player, Saveable
from deixis.progress import Progress, quiet
from deixis.replies import Replies
from deixis.seeds import digest
from deixis.tasks.task import Task

Floats = NDArray[np.float64]

HOW = ("product", "sum")


class Ensemble:
    """Multiplies, or adds, the probabilities that its members give to each option.

    Attributes:
        players: the members; their scores are log-odds.
        how: ``product`` or ``sum``.
    """

    def __init__(self, players: Sequence[Player], how: str = "product") -> None:
        """Join members, at least one.

        Raises:
            BadInput: there is no such way of joining.
        """
        if how not in HOW:
            raise BadInput(f"--ensemble: expected {' or '.join(HOW)}, got {how!r}")
        self.players = players
        self.how = how
        self.name = players[0].name
        self.revision = f"{digest(how, *(p.revision for p in players)):016x}"

    def at(self, task: Task) -> Ensemble:
        """The same members for another condition or order."""
        bound = [p.at(task) if isinstance(p, Bound) else p for p in self.players]
        return Ensemble(bound, self.how)

    def save(self, folder: Path) -> None:
        """Write each member into a folder of its own.

        Raises:
            BadInput: a member cannot be kept.
        """
        kind = ""
        for i, player in enumerate(self.players):
            if not isinstance(player, Saveable):
                raise BadInput(f"ensemble: {self.players[i].name} cannot be kept")
            player.save(folder / f"member-{i}")
            kind = json.loads((folder / f"member-{i}" / CARD).read_text("utf-8"))["kind"]
        n = len(self.players)
        write_card(folder, player="ensemble", kind=kind, members=n, how=self.how)

    def reply(self, views: Sequence[Any]) -> Replies:
        """Joined scores; where a member gives none, so does the ensemble.

        Raises:
            BadInput: a member scores no options.
        """
        replies = [p.reply(views) for p in self.players]
        for player, reply in zip(self.players, replies, strict=True):
            if reply.scores is None:
                raise BadInput(f"ensemble: {player.name} ranks pools, and cannot be joined")
        status = np.max([r.status for r in replies], axis=0)
        scores = join([r.scores for r in replies if r.scores is not None], self.how)
        cuts = [r.cut for r in replies if r.cut is not None]
        return replace(
            replies[0],
            status=status,
            scores=scores,
            graded=True,
            raw=None,
            seconds=None,
            cut=np.any(cuts, axis=0) if cuts else None,
        )


def join(tables: Sequence[Floats], how: str) -> Floats:
    """Log of the product, or of the mean, of softmaxes over options.

    Args:
        tables: log-odds of members, each of shape (n, k), NaN beyond a row's options.
        how: ``product`` or ``sum``.

    >>> a, b = np.log([[0.5, 0.5]]), np.log([[0.9, 0.1]])
    >>> [np.exp(join([a, b], how)).round(2).tolist() for how in HOW]
    [[[0.45, 0.05]], [[0.7, 0.3]]]
    """
    absent = np.isnan(tables).any(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # rows without scores
        logs = np.array([_log_softmax(np.where(absent, -np.inf, t)) for t in tables])
        if how == "product":
            joined = logs.sum(axis=0)
        else:
            joined = np.logaddexp.reduce(logs, axis=0) - np.log(len(tables))
    return np.where(absent, np.nan, joined)


def _log_softmax(scores: Floats) -> Floats:
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


class Members:
    """A learner that trains another several times, and joins what comes of it."""

    stochastic = True

    def __init__(self, learner: Learner, n: int, how: str = "product") -> None:
        """Train `n` members, each with a seed of its own."""
        if n < 1:
            raise BadInput(f"--members: expected at least 1, got {n}")
        self.learner = learner
        self.n = n
        self.how = how
        self.name = learner.name
        self.quick = learner.quick
        self.progress: Progress = quiet

    def fit(self, task: Task, *, dev: Task | None, seed: int, folder: Path | None) -> Ensemble:
        """Train all; different seeds share no member."""
        learner: Any = self.learner
        learner.progress = self.progress
        players = []
        for i in range(self.n):
            own = folder / f"member-{i}" if folder else None
            players.append(learner.fit(task, dev=dev, seed=seed * self.n + i, folder=own))
        return Ensemble(players, self.how)


class Builder:
    """Builds an ensemble of players, and reads a saved one."""

    def __call__(self, argument: str, task: Task, *, how: str = "product") -> Ensemble:
        """Build it from players joined by ``+``: ``ensemble:saved:a+saved:b``.

        Raises:
            BadInput: a member still has to be trained, or there is no such player.
        """
        members = []
        for spec in argument.split("+"):
            name, _, rest = spec.partition(":")
            member = registry.find("players", name, task.kind)(rest, task)
            if isinstance(member, Learner):
                raise BadInput(f"ensemble: {name} is not trained yet; join saved:FOLDER")
            members.append(member)
        return Ensemble(members, how)

    def load(self, folder: Path, task: Task) -> Ensemble:
        """Read the members in the folders below."""
        card = json.loads((folder / CARD).read_text("utf-8"))
        members = [saved(str(folder / f"member-{i}"), task) for i in range(card["members"])]
        return Ensemble(members, card["how"])


ensemble = Builder()
