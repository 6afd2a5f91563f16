"""Players whose reliance on each channel is set by construction, so that audits have a truth.

``planted:whole=0.3,parts=0.2,parts*color=0.1`` chooses right with probability chance + 0.3 when
the whole text is intact, + 0.2 when the parts are, + 0.1 when parts and colors both are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deixis.errors import BadInput, unknown
from deixis.players.common.oracle import answers
from deixis.replies import Replies
from deixis.seeds import digest, keys, stream
from deixis.tasks.task import Task

Reliance = Mapping[frozenset[str], float]


class Planted:
    """Chooses right as often as the intact channels say.

    Each trial has a fixed threshold, the thresholds spread evenly over 0 to 1, so rates are
    exact to one trial and an intervention moves the same trials whenever it is made.
    """

    name = "planted"

    def __init__(self, task: Task, reliance: Reliance) -> None:
        """Plant.

        Args:
            task: what it will play.
            reliance: probability above chance for each set of intact channels.

        Raises:
            BadInput: a channel the task lacks, or probabilities beyond 1.
        """
        check(task, reliance)
        if not 0 <= task.chance + sum(reliance.values()) <= 1:
            raise BadInput("planted: chance and reliances add to more than 1, or less than 0")
        self.task = task
        self.reliance = reliance
        self.revision = revision_of(reliance)
        ids = keys([t.id for t in task.trials])
        ranks = np.argsort(np.argsort(stream(0, "planted", ids, 1)[:, 0]))
        self._threshold = (ranks + 0.5) / len(ranks)

    def at(self, task: Task) -> Planted:
        """The same player for another condition or order of the same trials."""
        return Planted(task, self.reliance)

    def reply(self, views: Sequence[Any]) -> Replies:
        """A choice for each view."""
        choices: list[int | None] = []
        for view, answer in zip(views, answers(self.task, views), strict=True):
            position = self.task.found(view.id)
            assert position is not None  # answers() has found it
            kept = intact(self.task, view, self.task.trials[position].view())
            rate = 1 / view.k + sum(w for c, w in self.reliance.items() if c <= kept)
            wrong = 1 + digest("planted", view.id) % (view.k - 1)
            right = self._threshold[position] < rate
            choices.append(answer if right else (answer + wrong) % view.k)
        return Replies.chosen(views, choices)


def revision_of(reliance: Reliance) -> str:
    """A hash of what was planted, in whatever order it was written."""
    written = sorted(("*".join(sorted(c)), w) for c, w in reliance.items())
    return format(digest(written), "x")


def intact(task: Task, seen: Any, whole: Any) -> frozenset[str]:
    """Channels whose content in one view is that of another, in whatever order."""
    return frozenset(
        name
        for name in task.atoms
        if sorted(map(repr, task.channels[name].contents(seen)))
        == sorted(map(repr, task.channels[name].contents(whole)))
    )


def check(task: Task, reliance: Reliance) -> None:
    """Refuse channels that the task lacks.

    Raises:
        BadInput: there is one.
    """
    for channel in {c for channels in reliance for c in channels}:
        if channel not in task.atoms:
            raise unknown(f"planted: no channel {channel!r}", channel, task.atoms)


def terms(argument: str) -> Reliance:
    """Read ``channel=weight`` terms, joined by commas; ``a*b`` is an interaction.

    Raises:
        BadInput: the argument is not of the form.
    """
    reliance = {}
    for term in argument.split(",") if argument else []:
        channels, _, weight = term.partition("=")
        try:
            reliance[frozenset(channels.split("*"))] = float(weight)
        except ValueError:
            raise BadInput(
                f"planted: expected CHANNEL=WEIGHT or CHANNEL*CHANNEL=WEIGHT, got {term!r}"
            ) from None
    return reliance


def planted(argument: str, task: Task) -> Planted:
    """Build it from `terms`.

    Raises:
        BadInput: the argument is not of the form.
    """
    return Planted(task, terms(argument))
