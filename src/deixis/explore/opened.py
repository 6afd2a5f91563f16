"""What is explored: a task, the runs on it, an index, a player, and what must be said of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from starlette.requests import Request

from deixis.errors import BadInput
from deixis.explore.index import Index, build_index
from deixis.explore.pictures import Pictures
from deixis.explore.query import Query, select
from deixis.explore.seat import Seat
from deixis.explore.tracks import Folder, Track, open_folder
from deixis.progress import Progress, quiet
from deixis.tasks.edits import EditFile
from deixis.tasks.task import Task


@dataclass(frozen=True)
class Opened:
    """Everything that pages need.

    Attributes:
        task: with its base condition.
        index: of its trials.
        pictures: of its store.
        seat: of the player of replays.
        folders: of runs, the explored one first; none where a source is explored.
        audit: of the explored run; None where it has none.
        notes: what a reader must know, in sentences.
        start: an edit file to begin with.
    """

    task: Task
    index: Index
    pictures: Pictures
    seat: Seat
    folders: tuple[Folder, ...] = ()
    audit: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()
    start: EditFile | None = None
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    lock: threading.Lock = field(default_factory=threading.Lock, compare=False, repr=False)

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Of all runs."""
        return self.index.tracks

    @property
    def title(self) -> str:
        """What pages are called."""
        return self.folders[0].path.resolve().name if self.folders else self.task.name

    def position(self, trial: str) -> int:
        """Where a trial stands.

        Raises:
            BadInput: there is none of that id.
        """
        with self.lock:
            if "places" not in self.memo:
                self.memo["places"] = {t.id: i for i, t in enumerate(self.task.trials)}
        place = self.memo["places"].get(trial)
        if place is None:
            raise BadInput(f"{self.task.name} has no trial {trial[:80]!r}")
        return int(place)

    def found(self, query: Query) -> NDArray[np.int64]:
        """Positions of all trials of a query, kept while one leafs through them."""
        made: NDArray[np.int64] = _found(self.index.path, replace(query, page=1), _Held(self.index))
        return made


@dataclass(frozen=True)
class _Held:
    """An index as a part of a cache key: indexes of one path are the same."""

    index: Index = field(compare=False, hash=False)


@lru_cache(maxsize=32)
def _found(_: Path, query: Query, held: _Held) -> NDArray[np.int64]:
    return select(held.index, query)


def open_all(
    task: Task,
    seat: Seat,
    *,
    run: Path | None = None,
    beside: Sequence[Path] = (),
    cache: Path,
    start: EditFile | None = None,
    notes: Sequence[str] = (),
    progress: Progress = quiet,
) -> Opened:
    """Read what is to be explored.

    Args:
        task: as it is made today.
        seat: of the player.
        run: the folder of the run that is explored; None for a source alone.
        beside: folders of other runs of the same trials, such as people's.
        cache: where the index is kept.
        start: an edit file to begin with.
        notes: what must be said besides.
        progress: told of reading.

    Raises:
        BadInput: a folder is no run, or the edit file is of no trial of the task.
    """
    paths = ([run] if run else []) + list(beside)
    folders = tuple(open_folder(p, task, main=p == run) for p in paths)
    tracks = [t for f in folders for t in f.tracks]
    audit, said = _audit(run) if run else (None, "")
    told = [*notes, *(n for f in folders for n in f.notes), *([said] if said else [])]
    index = build_index(task, tracks, cache, progress)
    opened = Opened(task, index, Pictures(task.store), seat, folders, audit, tuple(told), start)
    if start:
        opened.position(start.trial)
    return opened


def _audit(run: Path) -> tuple[Mapping[str, Any] | None, str]:
    """The audit of a run, or why it cannot be shown."""
    path = run / "audit.json"
    if not path.is_file():
        return None, ""
    try:
        held = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        return None, f"audit.json cannot be read: {error}"
    if not isinstance(held, dict) or held.get("schema") != "deixis/audit/1":
        return None, "audit.json is of another version, so its numbers are not shown"
    return held, ""


def opened_of(request: Request) -> Opened:
    """What the application of a request explores."""
    found: Opened = request.app.state.opened
    return found
