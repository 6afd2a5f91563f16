"""One dialog told again with edits made by hand, beside what it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.players.common.crossfit import CrossFit
from deixis.players.common.saved import Saved
from deixis.players.guessing.converse import turn_of
from deixis.players.protocols import Bound, Player
from deixis.stats.percentile import percentile
from deixis.tasks.edits import Edits, check
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import Dialog, GuessTrial, opaque

Floats = NDArray[np.float64]


@runtime_checkable
class Editable(Protocol):
    """A player that makes its dialogs itself, so that edits have to act while it does."""

    def edited(self, edits: Mapping[str, Edits]) -> Player:
        """The same player with edits made in some trials, by their ids."""


@dataclass(frozen=True)
class Told:
    """One dialog and how its picture stood after each of its rounds.

    Attributes:
        dialog: as the guesser read it.
        ranks: after the caption and after each round, from 1, shape (1 + R,).
        size: of the pool.
    """

    dialog: Dialog
    ranks: Floats
    size: int

    @property
    def percentiles(self) -> Floats:
        """Percentile ranks, 0 to 100, shape (1 + R,)."""
        return percentile(self.ranks, np.full(len(self.ranks), self.size, np.int64))

    def json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "caption": self.dialog.caption,
            "turns": [[t.question, t.answer] for t in self.dialog.turns],
            "rank": self.ranks,
            "percentile_rank": self.percentiles,
        }


def found(task: Task, name: str) -> GuessTrial:
    """The dialog of that id.

    Raises:
        BadInput: the task is no guessing game, or has no such dialog.
    """
    if task.kind != "guessing":
        raise BadInput(f"{task.name}: dialogs are edited, and this is a {task.kind} task")
    for trial in task.trials:
        if trial.id == name:
            made: GuessTrial = trial
            return made
    raise BadInput(f"{task.name} has no dialog {name!r} (the first is {task.trials[0].id})")


def tell(task: Task, player: Player, trial: GuessTrial, edits: Edits = ()) -> Told:
    """Play one dialog with edits in it.

    A player that talks says everything anew; what it said before the first edit stays, since what
    it says depends on nothing else.

    Args:
        task: with its condition.
        player: at that task.
        trial: one of its dialogs.
        edits: to make.

    Raises:
        BadInput: an edit does not fit, or is of something that nobody looks at.
    """
    check(task, trial, edits)
    for one in edits:
        reader = task.channels[one.channel].reader
        if reader not in (None, *task.readers):
            raise BadInput(f"{one}: no {reader} plays here, so nobody looks at it")
    seated = _seated(player, trial, task)
    if isinstance(seated, Editable):
        seated = seated.edited({trial.id: edits})
    view = see(task, trial, None, edits)
    replies = seated.reply([view])
    assert replies.ranks is not None  # every player of guessing games ranks
    assert replies.sizes is not None
    said = trial
    if replies.raw is not None:
        turns = tuple(turn_of(r) for r in replies.raw if r is not None)
        said = replace(trial, dialog=Dialog(trial.dialog.caption, turns))
    read = see(task, said, "guesser", edits).dialog
    return Told(read, replies.ranks, int(replies.sizes[0]))


def _seated(player: Player, trial: GuessTrial, task: Task) -> Player:
    """The one player who replies to this trial, at this task."""
    if isinstance(player, Saved):
        return _seated(player.player, trial, task)
    if isinstance(player, CrossFit):
        return _seated(player.players[player.fold[opaque(trial.id)]], trial, task)
    return player.at(task) if isinstance(player, Bound) else player
