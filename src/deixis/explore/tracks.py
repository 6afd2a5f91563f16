"""Tracks: what a player did under one condition, as the cells of a run's folder hold it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyarrow import ArrowInvalid

from deixis import __version__
from deixis.errors import BadInput
from deixis.runs.cell import Cell
from deixis.runs.folder import RunFolder
from deixis.runs.held import read_cell
from deixis.seeds import Seeds
from deixis.tasks.task import Task


@dataclass(frozen=True)
class Track:
    """One player under one condition, in one or several replicates.

    Attributes:
        run: name of the run's folder.
        player: who played.
        condition: on top of the run's base condition; empty for the base itself.
        trained: what the player's training lacked; empty for nothing.
        files: seeds and cell of each replicate.
        main: whether it is of the run that is explored, not of one beside it.
    """

    run: str
    player: str
    condition: str
    trained: str
    files: tuple[tuple[Seeds, Path], ...]
    main: bool = True

    @property
    def label(self) -> str:
        """What pages and links call it; unique among the tracks of a page.

        >>> Track("r", "linear", "color=drop", "", ()).label
        'color=drop'
        >>> Track("r", "people", "", "", (), main=False).label
        'r: as it is'
        """
        name = self.condition or "as it is"
        if self.trained:
            name = f"{name}, trained under {self.trained}"
        return name if self.main else f"{self.run}: {name}"

    @property
    def base(self) -> bool:
        """Whether nothing was altered, at test or in training."""
        return not self.condition and not self.trained


@dataclass(frozen=True)
class Folder:
    """A run's folder, read for looking.

    Attributes:
        path: the folder.
        spec: what the run was begun with.
        tracks: the base first.
        notes: what a reader must know, in sentences.
    """

    path: Path
    spec: Mapping[str, Any]
    tracks: tuple[Track, ...]
    notes: tuple[str, ...]


def open_folder(path: Path, task: Task, *, main: bool = True) -> Folder:
    """Find the tracks of a run; nothing is written and no lock is taken.

    Args:
        path: the run's folder.
        task: the task as it is made today.
        main: whether it is the run that is explored.

    Raises:
        BadInput: the folder is no run.
    """
    spec = RunFolder(path).spec()
    notes = differences(path, spec, task)
    cells: list[tuple[Cell, Path]] = []
    for file in sorted((path / "cells").glob("*.parquet")):
        try:
            cells.append((read_cell(file), file))
        except (ArrowInvalid, OSError, BadInput) as error:
            said = str(error).splitlines()[0]
            notes.append(f"{file.name} cannot be read, so its replies are not shown: {said}")
    made = _tracks(path.resolve().name, str(spec.get("condition", "")), cells, main)
    if not any(t.base for t in made):
        notes.append(f"{path.name}: its base condition has not been played yet")
    return Folder(path, spec, tuple(made), tuple(notes))


def differences(path: Path, spec: Mapping[str, Any], task: Task) -> list[str]:
    """What a run and the task as it is made today do not agree on, in sentences."""
    notes = []
    minor = [".".join(str(v).split(".")[:2]) for v in (spec.get("version"), __version__)]
    if minor[0] != minor[1]:
        notes.append(
            f"{path.name} was played by deixis {spec.get('version')}, this is {__version__}: "
            "replies are shown as they were kept, and replays may differ from them"
        )
    for key, is_now in (
        ("fingerprint", task.dataset.fingerprint),
        ("task", task.kind),
        ("options", dict(task.options)),
        ("trials", len(task)),
    ):
        if key in spec and spec[key] != is_now:
            notes.append(
                f"{path.name} was played with another {key} ({spec[key]} there, {is_now} now): "
                "trials that are no more are left out"
            )
    return notes


def _tracks(run: str, base: str, cells: Sequence[tuple[Cell, Path]], main: bool) -> list[Track]:
    found: dict[tuple[str, str, str], list[tuple[Seeds, Path]]] = {}
    for cell, file in cells:
        own = _on_top(base, cell.condition)
        found.setdefault((cell.player, cell.trained, own), []).append((cell.seeds, file))
    made = [
        Track(run, player, own, trained, tuple(sorted(files, key=_seeds)), main)
        for (player, trained, own), files in found.items()
    ]
    return sorted(made, key=lambda t: (bool(t.trained), t.condition.count(","), t.condition))


def _seeds(entry: tuple[Seeds, Path]) -> tuple[int, int]:
    return entry[0].order, entry[0].training


def _on_top(base: str, condition: str) -> str:
    """What a condition adds to the base; the whole of it where it does not begin with it."""
    if condition == base:
        return ""
    return condition.removeprefix(f"{base},") if base else condition
