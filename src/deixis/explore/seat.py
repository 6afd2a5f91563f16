"""The player's seat: taken when somebody first wants a replay, since training may take a while."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from deixis.errors import DeixisError
from deixis.players.protocols import Player
from deixis.progress import Progress

Maker = Callable[[Progress], Player]
"""Trains or loads the player, and tells how far it is."""

Condition = Literal["empty", "waiting", "ready", "failed"]


@dataclass(frozen=True)
class State:
    """How the seat is.

    Attributes:
        condition: whether it can be played.
        sentence: what a reader is told, while it cannot.
    """

    condition: Condition
    sentence: str = ""


class Seat:
    """A player that is made in the background, once; after a failure it may be tried again."""

    def __init__(self, name: str, make: Maker | None, lacking: str = "") -> None:
        """Say who is to play.

        Args:
            name: as the user named the player.
            make: makes it; None where there is none.
            lacking: then, why not.
        """
        self.name = name
        self._make, self._lacking = make, lacking
        self._player: Player | None = None
        self._doing = ""
        self._failed = ""
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self.playing = threading.Lock()
        """Held while the player replies: players need not be made for several at a time."""

    def state(self) -> State:
        """How the seat is; the first question has the player made."""
        with self._lock:
            if self._player is not None:
                return State("ready")
            if self._make is None:
                return State("empty", self._lacking)
            if self._failed:
                said, self._failed = self._failed, ""
                return State("failed", said)
            if self._thread is None:
                self._doing = f"{self.name} gets ready"
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
            return State("waiting", self._doing)

    @property
    def player(self) -> Player:
        """The player; `state` has said that it is ready."""
        assert self._player is not None
        return self._player

    def wait(self) -> State:
        """Stay until the player is ready or has failed."""
        state = self.state()
        while state.condition == "waiting":
            thread = self._thread
            if thread is not None:
                thread.join()
            state = self.state()
        return state

    def _work(self) -> None:
        assert self._make is not None
        try:
            player = self._make(self._told)
        except (DeixisError, OSError) as error:
            with self._lock:
                self._failed, self._thread = f"{self.name} cannot play: {error}", None
        except BaseException as error:
            with self._lock:
                self._failed, self._thread = f"{self.name} broke: {type(error).__name__}", None
            raise
        else:
            with self._lock:
                self._player, self._thread = player, None

    def _told(self, what: str, done: int, total: int) -> None:
        self._doing = f"{what}: {done} of {total}"
