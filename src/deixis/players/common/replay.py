"""Replies made elsewhere, read from a file: CSV, JSON lines, Parquet, or the official two columns.

Columns: ``id`` and ``choice``; or ``id`` and a score for each option, ``score_0``, ``score_1`` …
(in JSON lines also a list ``scores``). ``choice`` is the option's position in the trial's own
order, or what names it: a picture's source, an option's text, true or false. A file without
header and two columns is the official form of NLVR: ``identifier,True|False``.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deixis.errors import BadInput, unknown
from deixis.reading import json_lines, need_file
from deixis.replies import STATUSES, Replies
from deixis.seeds import digest
from deixis.tasks.task import Task
from deixis.trials import opaque

Row = tuple[str, Mapping[str, Any]]
"""Where it stands, and its fields."""


class Replay:
    """Gives the replies of a file; every trial must be in it, once, and nothing else."""

    def __init__(self, path: Path, task: Task) -> None:
        """Read and check.

        Raises:
            BadInput: the file is missing or broken; or an id is missing, unknown or repeated.
        """
        self.name = f"replay:{path}"
        self.revision = format(digest(path.read_bytes() if path.is_file() else b""), "x")
        self.path = path
        self.task = task
        self._own = _by_trial(path, task)
        self._graded = any(graded for _, graded, _ in self._own.values())

    def at(self, task: Task) -> Replay:
        """The same replies for another order of candidates.

        Raises:
            BadInput: for another condition: the file holds replies to one only.
        """
        if task.condition != self.task.condition:
            raise BadInput(
                f"{self.path}: holds replies to one condition; under an intervention they would "
                "be the same: give one file for each condition"
            )
        other = object.__new__(Replay)
        other.__dict__.update(self.__dict__, task=task)
        return other

    def reply(self, views: Sequence[Any]) -> Replies:
        """The file's reply to each view."""
        widest = max((v.k for v in views), default=0)
        table = np.full((len(views), widest), np.nan)
        status = np.zeros(len(views), np.uint8)
        for i, view in enumerate(views):
            scores, _, code = self._own[view.id]
            position = self.task.found(view.id)
            assert position is not None  # ids were checked on reading
            status[i] = code
            if scores is not None:
                table[i, : view.k] = scores[self.task.order(position)]
        return Replies(tuple(v.id for v in views), status, table, graded=self._graded)


def replay(argument: str, task: Task) -> Replay:
    """Build it from the path of a file.

    Raises:
        BadInput: no file is named; or as `Replay`.
    """
    if not argument:
        raise BadInput("replay: expected the file of replies, as replay:FILE")
    return Replay(Path(argument), task)


Own = tuple[np.ndarray[Any, np.dtype[np.float64]] | None, bool, int]
"""Scores in the trial's own order, whether they are graded, and the status."""


def _by_trial(path: Path, task: Task) -> dict[str, Own]:
    trials = {t.id: t for t in task.trials}
    seen: dict[str, str] = {}
    own: dict[str, Own] = {}
    for where, row in rows(path):
        name = str(row["id"])
        if name not in trials:
            raise BadInput(f"{where}: {name!r} is no trial of {task.name}")
        if name in seen:
            raise BadInput(f"{where}: {name!r} stands there twice, before at {seen[name]}")
        seen[name] = where
        own[opaque(name)] = _scores(where, row, trials[name])
    missing = [name for name in trials if name not in seen]
    if missing:
        raise BadInput(f"{path}: {len(missing)} of {len(trials)} trials are missing: {missing[0]}…")
    return own


def _scores(where: str, row: Mapping[str, Any], trial: Any) -> Own:
    status = str(row.get("status") or "ok")
    if status not in STATUSES:
        raise unknown(f"{where}: there is no status {status!r}", status, STATUSES)
    if status != "ok":
        return None, False, STATUSES.index(status)
    k = trial.k
    given = row.get("scores") or [row[c] for c in _score_columns(row)]
    if given:
        try:
            scores = np.array([float(s) for s in given])
        except (TypeError, ValueError):
            scores = np.array([np.nan])
        if len(scores) != k or not np.isfinite(scores).all():
            raise BadInput(f"{where}: expected {k} scores, got {given}")
        return scores, True, 0
    scores = np.zeros(k)
    scores[_choice(where, str(row["choice"]).strip(), trial)] = 1
    return scores, False, 0


def _score_columns(row: Mapping[str, Any]) -> list[str]:
    numbers = {c: c.removeprefix("score_") for c in row if c.startswith("score_")}
    columns = [c for c, n in numbers.items() if n.isdecimal() and row[c] not in (None, "")]
    return sorted(columns, key=lambda c: int(numbers[c]))


def _choice(where: str, text: str, trial: Any) -> int:
    names = _names(trial)
    if text.lower() in names:
        return names.index(text.lower())
    if text.isdigit() and int(text) < len(names):
        return int(text)
    raise BadInput(f"{where}: {text!r} is no option of {trial.id}: {', '.join(names)}")


def _names(trial: Any) -> list[str]:
    """What names each option of a trial, in its own order, in lower case."""
    if hasattr(trial, "label"):
        return ["true", "false"]
    options = getattr(trial, "options", None) or trial.pictures
    return [str(getattr(o, "source", o)).lower() for o in options]


def rows(path: Path) -> Iterator[Row]:
    """Rows of a file of replies, each with where it stands.

    Raises:
        BadInput: the file is missing, of another kind, or a row lacks id and reply.
    """
    need_file(path)
    readers = {".csv": _csv, ".jsonl": json_lines, ".parquet": _parquet}
    if path.suffix not in readers:
        raise BadInput(f"{path}: expected a file of replies ending in {', '.join(readers)}")
    for where, row in _decoded(path, readers[path.suffix]):
        replied = row.get("choice") not in (None, "") or row.get("scores") or _score_columns(row)
        if row.get("id") in (None, "") or not (replied or row.get("status")):
            raise BadInput(f"{where}: expected an id with a choice or scores, got {dict(row)}")
        yield where, row


def _decoded(path: Path, reader: Callable[[Path], Iterator[Row]]) -> Iterator[Row]:
    try:
        yield from reader(path)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8: byte {error.start} of a block") from None
    except csv.Error as error:
        raise BadInput(f"{path}: no CSV: {error}") from None


def _csv(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file)
        header: list[str] | None = None
        for cells in reader:
            where = f"{path}:{reader.line_num}"
            if not cells:
                continue
            if header is None and "id" in cells:
                header = cells
            elif header is None and len(cells) == 2 and cells[1].strip().lower() in _OFFICIAL:
                yield where, {"id": cells[0], "choice": cells[1]}
            elif header is None and len(cells) == 2:
                raise BadInput(
                    f"{where}: expected a header with id, or True or False for {cells[0]}, "
                    f"got {cells[1]!r}"
                )
            elif header is None or len(cells) != len(header):
                expected = "a header with id" if header is None else f"{len(header)} columns"
                raise BadInput(f"{where}: expected {expected}, got {cells}")
            else:
                yield where, dict(zip(header, cells, strict=True))


_OFFICIAL = ("true", "false")


def _parquet(path: Path) -> Iterator[Row]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except pa.ArrowInvalid as error:
        raise BadInput(f"{path}: no Parquet: {error}") from None
    for number, row in enumerate(table.to_pylist(), start=1):
        yield f"{path}: row {number}", row
