"""The rows of one trial in the cells of a run, without reading the rest of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyarrow import ArrowInvalid, concat_tables, parquet

from deixis.errors import BadInput
from deixis.explore.tracks import Track
from deixis.seeds import Seeds
from deixis.stats.percentile import percentile


@dataclass(frozen=True)
class Reply:
    """What one rater said in one cell, after its last round.

    Attributes:
        track: under what.
        seeds: of the replicate.
        replicate: its number, from 1.
        rater: who, where there are several; else empty.
        status: of the reply.
        credit: 0 to 1.
        rank: of the answer, from 1; None where not ok.
        size: how many options there were.
        ties: how many score as the answer does.
        probability: of the answer; None for choices.
        choice: position in the trial's own order, or in the pool; -1 for none.
        scores: of each option in the trial's own order; empty where there are none.
        top: positions in the pool of its best after the last round; empty elsewhere.
        curve: the percentile rank after each round, the caption's first; empty without rounds.
        tops: the pool's best after each round.
        raw: the reply as text.
        seconds: how long it took.
    """

    track: Track
    seeds: Seeds
    replicate: int
    rater: str
    status: str
    credit: float
    rank: float | None
    size: int
    ties: int
    probability: float | None
    choice: int
    scores: tuple[float, ...] = ()
    top: tuple[int, ...] = ()
    curve: tuple[float, ...] = ()
    tops: tuple[tuple[int, ...], ...] = ()
    raw: str | None = None
    seconds: float | None = None


def replies(track: Track, trial: str) -> list[Reply]:
    """Every reply to one trial under a track, by replicate and rater.

    Raises:
        BadInput: a cell cannot be read.
    """
    made: list[Reply] = []
    for number, (seeds, path) in enumerate(track.files, 1):
        by_rater: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows(path, trial):
            by_rater.setdefault(str(row.get("raters") or ""), []).append(row)
        made += [_reply(track, seeds, number, rater, own) for rater, own in by_rater.items()]
    return made


def rows(path: Path, trial: str) -> list[Mapping[str, Any]]:
    """The rows of one trial in a cell, in its order: by round.

    Raises:
        BadInput: the cell cannot be read.
    """
    try:
        stat = path.stat()
        found = _where(path, stat.st_mtime_ns, trial)
        if not len(found):
            return []
        with parquet.ParquetFile(path) as file:
            ends = np.cumsum(
                [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
            )
            groups = np.unique(np.searchsorted(ends, found, side="right")).tolist()
            starts = [int(ends[g - 1]) if g else 0 for g in groups]
            parts = []
            for group, start in zip(groups, starts, strict=True):
                inside = found[(found >= start) & (found < ends[group])] - start
                parts.append(file.read_row_group(group).take(inside))
        kept: list[Mapping[str, Any]] = concat_tables(parts).to_pylist()
    except (ArrowInvalid, OSError) as error:
        raise BadInput(f"{path.name} cannot be read: {str(error).splitlines()[0]}") from None
    return kept


def _where(path: Path, changed: int, trial: str) -> NDArray[np.int64]:
    codes, names = _ids(path, changed)
    code = names.get(trial)
    return np.flatnonzero(codes == code) if code is not None else np.zeros(0, np.int64)


@lru_cache(maxsize=64)
def _ids(path: Path, changed: int) -> tuple[NDArray[np.int32], Mapping[str, int]]:
    """The trial of each row as a number, and trials by number; `changed` is the file's time."""
    del changed
    column = parquet.read_table(path, columns=["ids"])["ids"].combine_chunks().dictionary_encode()
    names = {name: i for i, name in enumerate(column.dictionary.to_pylist())}
    return column.indices.to_numpy(zero_copy_only=False).astype(np.int32), names


def _reply(
    track: Track, seeds: Seeds, number: int, rater: str, own: list[Mapping[str, Any]]
) -> Reply:
    last = own[-1]
    several = last["rounds"] > 0
    ranks = np.array([_or_nan(row["rank"]) for row in own])
    sizes = np.array([row["sizes"] for row in own])
    return Reply(
        track=track,
        seeds=seeds,
        replicate=number,
        rater=rater,
        status=last["status"],
        credit=last["credit"],
        rank=_or_none(last["rank"]),
        size=last["sizes"],
        ties=last["ties"],
        probability=_or_none(last["probability"]),
        choice=last["choice"],
        scores=tuple(_or_nan(s) for s in last.get("scores") or ()),
        top=tuple(last.get("top") or ()),
        curve=tuple(percentile(ranks, sizes).tolist()) if several else (),
        tops=tuple(tuple(row.get("top") or ()) for row in own) if several else (),
        raw=last.get("raw"),
        seconds=_or_none(last.get("seconds")),
    )


def _or_none(value: float | None) -> float | None:
    return None if value is None or value != value else float(value)


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else float(value)
