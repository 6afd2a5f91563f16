"""From the options of a command to a player at its task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from deixis.cli.options import PlayOptions, TaskOptions
from deixis.errors import BadInput
from deixis.players.protocols import Learner, Player
from deixis.progress import Progress
from deixis.runs.folder import RunFolder
from deixis.runs.prepare import build, prepare
from deixis.tasks.task import Task


def own_options(options: Mapping[str, str]) -> dict[str, str]:
    """The player's own options, written as keywords."""
    return {name.lstrip("-").replace("-", "_"): value for name, value in options.items()}


def made_player(
    spec: str, task: Task, wanted: PlayOptions, how: TaskOptions, options: Mapping[str, str]
) -> tuple[Player | Learner, Task | None]:
    """The player or learner, and the task to train on if one was named."""
    if wanted.seeds < 1:
        raise BadInput(f"--seeds: expected at least 1, got {wanted.seeds}")
    made = build(spec, task, **own_options(options))
    return made, how.training(wanted.train_on) if wanted.train_on else None


def ready(
    made: Player | Learner,
    task: Task,
    train: Task | None,
    wanted: PlayOptions,
    progress: Progress,
) -> Player:
    """A player that may play."""
    folder = wanted.out / "players" if wanted.out else None
    return prepare(
        made,
        task,
        train=train,
        folder=folder,
        allow=wanted.allow_overlap,
        progress=progress,
    )


@contextmanager
def run_folder(path: Path | None, task: Task, player: str) -> Iterator[RunFolder | None]:
    """The run's folder, opened and locked, or None where none was named."""
    if path is None:
        yield None
        return
    folder = RunFolder(path)
    folder.open(
        {
            "task": task.kind,
            "source": task.name,
            "fingerprint": task.dataset.fingerprint,
            "options": dict(task.options),
            "condition": ",".join(map(str, task.condition)),
            "contexts_seed": task.seeds.contexts,
            "trials": len(task),
            "player": player,
        }
    )
    try:
        yield folder
    finally:
        folder.close()
