"""Replies that were paid for, in a file that only grows: none is ever asked for twice."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from deixis.errors import BadInput


def key_of(*what: str) -> str:
    """The key of a request: a hash of the model, its revision and all that is sent."""
    total = hashlib.sha256()
    for one in what:
        total.update(f"{len(one)}:".encode())
        total.update(one.encode())
    return total.hexdigest()[:32]


class ReplyCache:
    """Replies by the key of their request; kept in a file, or in memory only.

    Each reply is one line, written by one call, so that a process that is killed loses none and
    several processes can write at once. A last line that was cut short is left alone.

    Args:
        path: of the file; None for none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._held: dict[str, dict[str, Any]] | None = None
        self._file: int | None = None
        self._lock = Lock()

    def move(self, path: Path) -> None:
        """Keep replies in another file from now on, and know those of it."""
        self.close()
        self.path, self._held = path, None

    def __len__(self) -> int:
        return len(self._known())

    def get(self, key: str) -> dict[str, Any] | None:
        """The reply to a request, or None if it was never asked."""
        return self._known().get(key)

    def add(self, key: str, reply: Mapping[str, Any]) -> None:
        """Keep a reply; it is in the file when this returns."""
        line = json.dumps({"key": key, "reply": reply}, ensure_ascii=False) + "\n"
        with self._lock:
            self._known()[key] = dict(reply)
            if self.path is not None:
                os.write(self._opened(), line.encode())

    def close(self) -> None:
        """Make sure that the disk has all of it."""
        with self._lock:
            if self._file is not None:
                os.fsync(self._file)
                os.close(self._file)
                self._file = None

    def _known(self) -> dict[str, dict[str, Any]]:
        if self._held is None:
            self._held = _read(self.path) if self.path is not None and self.path.exists() else {}
        return self._held

    def _opened(self) -> int:
        if self._file is None:
            assert self.path is not None
            self.path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
            self._file = os.open(self.path, flags, 0o600)
            size = os.fstat(self._file).st_size
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                # The end of a line that a dying machine cut short: what follows is a line anew.
                os.write(self._file, b"\n")
        return self._file


def _read(path: Path) -> dict[str, dict[str, Any]]:
    held: dict[str, dict[str, Any]] = {}
    broken: tuple[int, bytes] | None = None
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line)
                held[row["key"]] = row["reply"]
            except (ValueError, KeyError, TypeError):
                if line.strip() and not line.lstrip().startswith(b"{"):
                    broken = (number, line)
    if broken:
        raise BadInput(f"{path}:{broken[0]}: no reply: {broken[1][:40]!r}")
    return held
