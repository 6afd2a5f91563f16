"""The perfect guesser of the world `rooms`: it knows what every text tells, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.players.guessing.ranked import GuessPlayer
from deixis.stats.ranks import Affine
from deixis.tasks.task import Task
from deixis.trials import Dialog, Picture
from deixis.worlds.interiors.attributes import ATTRIBUTES
from deixis.worlds.interiors.words import known
from deixis.worlds.rooms import RoomStore


class Ideal:
    """Predicts the mean of all rooms that fit what is told."""

    name = "ideal"
    revision = "1"

    def __init__(self, store: RoomStore) -> None:
        self.store = store

    def pictures(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """The store's vectors, shape (N, 64)."""
        return self.store.vectors(pictures)

    def read(self, dialogs: Sequence[Dialog]) -> Affine:
        """Hidden: 1 or -1 for each attribute that is told, 0 for the others."""
        signs = np.zeros((len(dialogs), len(ATTRIBUTES)))
        for i, dialog in enumerate(dialogs):
            told = known(dialog)
            for j, one in enumerate(ATTRIBUTES):
                if one.name in told:
                    signs[i, j] = 1 - 2 * told[one.name]
        return Affine(signs, self.store.mixer / np.sqrt(len(ATTRIBUTES)))


def ideal(argument: str, task: Task) -> GuessPlayer:
    """Build it.

    Raises:
        BadInput: the task is about other pictures.
    """
    if argument:
        raise BadInput(f"ideal takes no argument, got {argument!r}")
    if not isinstance(task.store, RoomStore):
        raise BadInput(f"ideal knows the world rooms, and {task.name} is none")
    return GuessPlayer(Ideal(task.store), task)
