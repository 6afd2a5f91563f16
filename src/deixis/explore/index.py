"""The index: a row for each trial with all that galleries filter and sort by, in one Parquet file.

A page reads only the columns it asks about, so 100,000 trials cost as little as a thousand. The
file lies in the user's cache and is made anew when a cell of the run changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from deixis import __version__
from deixis.explore.tracks import Track
from deixis.progress import Progress, quiet
from deixis.seeds import digest
from deixis.stats.percentile import percentile
from deixis.tasks.task import Task
from deixis.trials import Dialog, ReferenceTrial
from deixis.writing import whole

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LAYOUT = 1
"""Changes whenever the columns do."""

_CELL = ("ids", "rounds", "credit", "rank", "sizes", "ties", "probability", "choice", "status")


@dataclass(frozen=True)
class Index:
    """What is known of every trial.

    Attributes:
        path: the Parquet file.
        tracks: in the order of their columns.
        subsets: names of the dataset's subsets.
        strangers: for each track, how many of its replies are to no trial of the task.
    """

    path: Path
    tracks: tuple[Track, ...]
    subsets: tuple[str, ...]

    def columns(self, *names: str) -> dict[str, Any]:
        """Some columns as arrays, a value for each trial in the order of the task."""
        table = parquet.read_table(self.path, columns=list(names))
        return {name: table[name].to_numpy(zero_copy_only=False) for name in names}

    def arrow(self, name: str) -> Any:
        """One column as Arrow holds it."""
        return parquet.read_table(self.path, columns=[name])[name]

    def place(self, label: str) -> int:
        """The number of a track by its label; -1 for none."""
        return next((i for i, t in enumerate(self.tracks) if t.label == label), -1)

    def base_of(self, number: int) -> int:
        """The number of the track that another is compared with: its own run's base."""
        run = self.tracks[number].run
        return next((i for i, t in enumerate(self.tracks) if t.base and t.run == run), number)


def build_index(
    task: Task, tracks: Sequence[Track], folder: Path, progress: Progress = quiet
) -> Index:
    """Make the index, or take the one in the folder if nothing has changed since.

    Args:
        task: whose trials they are.
        tracks: of all runs.
        folder: where it is kept; other indexes may lie there.
        progress: told of each track.
    """
    subsets = tuple(task.dataset.extras.get("subsets", {}))
    path = folder / f"{_key(task, tracks):016x}.parquet"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        columns = {**_trials(task, subsets), **_replies(task, tracks, progress)}
        with whole(path) as temporary:
            parquet.write_table(pa.table(columns), temporary)
    return Index(path, tuple(tracks), subsets)


def words_of(trial: Any) -> str:
    """All texts of a trial in one, to search in."""
    view = trial.view()
    texts: list[str] = [str(t) for t in getattr(view, "texts", ())]
    texts += [getattr(view, name) for name in ("sentence", "prompt") if hasattr(view, name)]
    texts += [o for o in getattr(view, "options", ()) if isinstance(o, str)]
    dialog = getattr(view, "dialog", None)
    if isinstance(dialog, Dialog):
        texts += [dialog.caption, *(f"{t.question} {t.answer}" for t in dialog.turns)]
    return "\n".join(texts)


def parts_of(trial: Any) -> int:
    """Parts of the target's description; -1 where trials have none."""
    return len(trial.texts[trial.answer].parts) if isinstance(trial, ReferenceTrial) else -1


def _key(task: Task, tracks: Sequence[Track]) -> int:
    files = [
        (t.label, p.name, p.stat().st_size, p.stat().st_mtime_ns)
        for t in tracks
        for _, p in t.files
    ]
    spec = (task.name, task.dataset.fingerprint, dict(task.options), len(task), asdict(task.seeds))
    ids = (task.trials[0].id, task.trials[-1].id) if task.trials else ()
    return digest("explore", __version__, LAYOUT, spec, ids, files)


def _trials(task: Task, subsets: Sequence[str]) -> dict[str, Any]:
    trials = task.trials
    columns: dict[str, Any] = {
        "id": [t.id for t in trials],
        "item": [t.item for t in trials],
        "cluster": [t.clusters[0][1] for t in trials],
        "group": [t.group or "" for t in trials],
        "parts": np.array([parts_of(t) for t in trials], np.int16),
        "text": [words_of(t) for t in trials],
    }
    for name in subsets:
        members = set(task.dataset.extras["subsets"][name])
        columns[f"in:{name}"] = np.array([t.item in members for t in trials], bool)
    return columns


def _replies(task: Task, tracks: Sequence[Track], progress: Progress) -> dict[str, Any]:
    places = {t.id: i for i, t in enumerate(task.trials)}
    made: dict[str, Any] = {}
    signs: dict[str, list[Floats]] = {}
    for number, track in enumerate(tracks):
        progress("reading replies", number, len(tracks))
        each = [_summed(path, places) for _, path in track.files]
        own = [e.sign for e in each]
        if track.base:
            signs[track.run] = own
        made |= _track(number, each, own, signs.get(track.run, own))
    progress("reading replies", len(tracks), len(tracks))
    return made


@dataclass(frozen=True)
class _Summed:
    """One cell, a value for each trial, NaN where there is no reply; all of shape (n,)."""

    value: Floats
    rank: Floats
    probability: Floats
    tied: Floats
    odd: Floats
    choice: Floats
    pool: bool

    @property
    def sign(self) -> Floats:
        """What must stay the same where an intervention changes nothing."""
        return self.rank if self.pool else self.choice


def _summed(path: Path, places: Mapping[str, int]) -> _Summed:
    """A cell by trial: after the last round, the mean over raters."""
    table = parquet.read_table(path, columns=list(_CELL))
    rows = positions(table["ids"], places)
    held = {name: table[name].to_numpy() for name in _CELL if name not in ("ids", "status")}
    rounds, n = held["rounds"], len(places)
    last = np.zeros(n, np.int64)
    known = rows >= 0
    np.maximum.at(last, rows[known], rounds[known])
    kept = known & (rounds == last[rows])
    at = rows[kept]
    counts = np.bincount(at, minlength=n).astype(np.float64)
    counts[counts == 0] = np.nan

    def mean(values: NDArray[Any]) -> Floats:
        return np.asarray(
            np.bincount(at, weights=values[kept].astype(np.float64), minlength=n) / counts
        )

    pool = bool(last.any())
    ok = table["status"].to_numpy(zero_copy_only=False) == "ok"
    value = percentile(held["rank"], held["sizes"]) / 100 if pool else held["credit"]
    return _Summed(
        value=mean(value),
        rank=mean(held["rank"]),
        probability=mean(held["probability"]),
        tied=mean(held["ties"] > 1) if pool else mean(held["choice"] < 0),
        odd=mean(~ok),
        choice=mean(held["choice"]),
        pool=pool,
    )


def positions(ids: Any, places: Mapping[str, int]) -> Ints:
    """The position of the trial of each row; -1 where there is none any more.

    Args:
        ids: a column of a cell.
        places: position by id.
    """
    coded = ids.combine_chunks().dictionary_encode()
    table = np.array([places.get(i, -1) for i in coded.dictionary.to_pylist()], np.int64)
    return np.asarray(table[coded.indices.to_numpy(zero_copy_only=False)])


def _track(
    number: int, each: Sequence[_Summed], own: Sequence[Floats], base: Sequence[Floats]
) -> dict[str, Any]:
    """The columns of one track, averaged over its replicates."""

    def over(get: Callable[[_Summed], Floats]) -> Floats:
        return np.asarray(np.mean([get(e) for e in each], axis=0))

    value, rank, tied = over(lambda e: e.value), over(lambda e: e.rank), over(lambda e: e.tied)
    wrong = rank > 1 if each[0].pool else value < 0.5
    changed = [a != b for a, b in zip(own, base, strict=False) if not np.isnan(a).all()]
    return {
        f"value:{number}": value.astype(np.float32),
        f"rank:{number}": rank.astype(np.float32),
        f"probability:{number}": over(lambda e: e.probability).astype(np.float32),
        f"choice:{number}": np.nan_to_num(each[0].choice, nan=-2).astype(np.int32),
        f"wrong:{number}": wrong & ((tied == 0) | each[0].pool),
        f"tied:{number}": np.nan_to_num(tied) > 0,
        f"odd:{number}": np.nan_to_num(over(lambda e: e.odd), nan=1) > 0,
        f"changed:{number}": np.any(changed, axis=0) if changed else np.zeros(len(value), bool),
    }
