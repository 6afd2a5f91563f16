"""Small runs of both kinds, opened as the command opens them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.audit.audit import Spec, audit
from deixis.explore.opened import Opened, open_all
from deixis.explore.seat import Seat
from deixis.plain import plain
from deixis.players.protocols import Player
from deixis.runs.folder import RunFolder
from deixis.runs.play import play
from deixis.runs.prepare import build
from deixis.tasks.task import Task


@dataclass(frozen=True)
class Ran:
    """A task, a player and the folder of their run."""

    task: Task
    spec: str
    path: Path

    def open(self, cache: Path, **more: Any) -> Opened:
        """The run as the command opens it."""
        seat = more.pop("seat", None) or Seat(
            self.spec, lambda told: player_of(self.spec, self.task)
        )
        return open_all(self.task, seat, run=self.path, cache=cache, **more)


def player_of(spec: str, task: Task) -> Player:
    """A player that need not be trained."""
    made = build(spec, task)
    assert not hasattr(made, "fit")
    return made  # type: ignore[return-value]


def folder_of(task: Task, player: str, path: Path) -> RunFolder:
    """A run's folder, begun and open."""
    folder = RunFolder(path)
    spec = {
        "task": task.kind,
        "source": task.name,
        "fingerprint": task.dataset.fingerprint,
        "options": dict(task.options),
        "condition": "",
        "trials": len(task),
        "player": player,
    }
    folder.open(spec)
    return folder


def audited(task: Task, spec: str, path: Path, do: Sequence[str] = (), replicates: int = 1) -> Ran:
    """Audit a player and keep the run."""
    folder, player = folder_of(task, spec, path), player_of(spec, task)

    def playing(conditions: Sequence[str]) -> Any:
        return play(task, player, conditions, replicates=replicates, folder=folder)

    answer = audit(task, playing, Spec(do=tuple(do), shapley=not do, resamples=200))
    folder.note("audit.json", plain(answer.json()))
    folder.close()
    return Ran(task, spec, path)


def played(task: Task, spec: str, path: Path, conditions: Sequence[str] = ()) -> Ran:
    """Play a few conditions and keep the run."""
    folder = folder_of(task, spec, path)
    play(task, player_of(spec, task), conditions, folder=folder)
    folder.close()
    return Ran(task, spec, path)
