"""A run's folder: what was planned, and every cell that is done."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deixis import __version__
from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.reading import read_text
from deixis.runs import columns
from deixis.runs.cell import Cell
from deixis.writing import write_json


class RunFolder:
    """A folder that one process writes at a time and any process may read.

    Cells are written whole or not at all, so a run that was killed goes on where it was.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def open(self, spec: Mapping[str, Any], arguments: Mapping[str, Any] | None = None) -> None:
        """Begin a run, or go on with the one that is there.

        Args:
            spec: what must stay the same for cells to fit together.
            arguments: how the run was asked for, so that it can be asked for again by its folder.

        Raises:
            BadInput: the folder holds another run (the message names what differs), is in use, or
                is not a run.
        """
        if self.path.is_file():
            raise BadInput(f"{self.path} is a file; name a folder")
        self.path.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        wanted = {"schema": "deixis/run/1", "version": __version__, **spec}
        if (self.path / "run.json").is_file():
            self._same(self.spec(), wanted)
            return
        strangers = [p.name for p in self.path.iterdir() if p.name != "lock"]
        if strangers:
            self.close()
            raise BadInput(f"{self.path}: holds {strangers[0]} but no run; name an empty folder")
        (self.path / "cells").mkdir()
        write_json(self.path / "run.json", {**wanted, "arguments": arguments or {}})

    def claim(self, key: str, value: str) -> None:
        """Say something of the run that is known only after it was begun.

        Raises:
            BadInput: the run that is there says otherwise.
        """
        held = self.spec()
        if key in held:
            self._same(held, {key: value})
        else:
            write_json(self.path / "run.json", {**held, key: value})

    def close(self) -> None:
        """Let others write."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def spec(self) -> dict[str, Any]:
        """What the run was begun with.

        Raises:
            BadInput: this is no run's folder.
        """
        path = self.path / "run.json"
        if not path.is_file():
            raise BadInput(f"{self.path}: no run.json there, so it is no run")
        try:
            held = json.loads(read_text(path))
        except json.JSONDecodeError as error:
            raise BadInput(f"{path}: no JSON: {error.msg}") from None
        if not isinstance(held, dict):
            raise BadInput(f"{path}: expected an object, got {str(held)[:60]!r}")
        return held

    def read(self, cell: Cell) -> Outcomes | None:
        """The outcomes of a cell, or None if it is not done."""
        path = self._file(cell)
        return columns.read(path) if path.is_file() else None

    def write(self, cell: Cell, outcomes: Outcomes) -> None:
        """Keep the outcomes of a cell."""
        columns.write(self._file(cell), cell, outcomes)

    def note(self, name: str, content: Any) -> None:
        """Write a JSON file beside the cells."""
        write_json(self.path / name, content)

    def _file(self, cell: Cell) -> Path:
        return self.path / "cells" / f"{cell.digest}.parquet"

    def _same(self, held: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        for key in wanted:
            was, is_now = held.get(key), wanted[key]
            if key == "version":
                was, is_now = (".".join(str(v).split(".")[:2]) for v in (was, is_now))
            if was != is_now:
                self.close()
                what, was, is_now = _difference(key, was, is_now)
                raise BadInput(
                    f"{self.path}: holds another run: {what} is {_short(was)} there, "
                    f"{_short(is_now)} now; name another folder"
                )

    def _take_lock(self) -> None:
        """Lock the folder; the lock goes with the process, however it ends."""
        import fcntl

        self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._lock, 20, 0).decode() or "another process"
            self.close()
            raise BadInput(f"{self.path}: in use by process {holder}") from None
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, str(os.getpid()).encode(), 0)


def _difference(key: str, was: Any, is_now: Any) -> tuple[str, Any, Any]:
    """What differs, and how: of two mappings, their first entry that does.

    >>> _difference("options", {"k": 10, "seed": 0}, {"k": 5, "seed": 0})
    ('k', 10, 5)
    """
    if isinstance(was, Mapping) and isinstance(is_now, Mapping):
        inner = next(k for k in {**was, **is_now} if was.get(k) != is_now.get(k))
        return _difference(inner, was.get(inner), is_now.get(inner))
    return key, was, is_now


def _short(value: Any) -> str:
    text = json.dumps(value, sort_keys=True) if not isinstance(value, str) else value
    return text if len(text) <= 60 else f"{text[:57]}..."
