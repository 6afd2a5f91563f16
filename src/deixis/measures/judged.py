"""What people judged under conditions: from a study's export, a run's folder, or any table.

All become a dataset of kind ``people``: a record for each judgment, a split for each condition.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.dataset import Dataset, fingerprint
from deixis.datasets.tables import rows
from deixis.errors import BadInput
from deixis.pictures.vectors import NameStore
from deixis.runs import columns
from deixis.runs.held import read_cell

EXPORT = "answers.jsonl"
"""The file by which a study's export is known."""

NEEDED = ("worker", "item", "condition", "correct")
KNOWN = (*NEEDED, "cluster", "trial", "seconds", "catch")
TRUTHS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


@dataclass(frozen=True, slots=True)
class Judged:
    """One judgment of one person.

    Attributes:
        id: unique.
        worker: who.
        item: what was judged.
        condition: under which.
        right: whether it was right.
        cluster: items that belong together, such as those of one picture; the item by default.
        trial: which of the worker's judgments it is, from 1; 0 where it is not known.
        seconds: how long it took; NaN where it is not known.
        catch: whether it was there to see if somebody pays attention.
        void: why it does not count at all, such as a claim that was rejected.
    """

    id: str
    worker: str
    item: str
    condition: str
    right: bool
    cluster: str = ""
    trial: int = 0
    seconds: float = math.nan
    catch: bool = False
    void: str = ""

    @property
    def group(self) -> str:
        """What the item belongs to."""
        return self.cluster or self.item


def is_judged(source: str) -> bool:
    """Whether a source is a file or folder of judgments, and not the name of a dataset."""
    path = Path(source)
    if path.is_dir():
        return (path / EXPORT).is_file() or (path / "run.json").is_file()
    return path.suffix.lower() in rows.SUFFIXES


def judged(path: Path) -> Dataset:
    """Read judgments.

    Args:
        path: a study's export, a run's folder, or a table with the columns worker, item, condition
            and correct, and if there are any cluster, trial, seconds and catch.

    Raises:
        BadInput: it is none of these, a cell is not what it should be, or an id stands twice.
    """
    surveys: dict[str, dict[str, Any]] = {}
    if path.is_dir() and (path / EXPORT).is_file():
        found, source = list(_exported(path, surveys)), path / EXPORT
    elif path.is_dir():
        found, source = list(_run(path)), path / "run.json"
    else:
        found, source = list(_table(path)), path
    records: dict[str, Judged] = {}
    for one in found:
        if one.id in records:
            raise BadInput(f"{source}: {one.worker} judged {one.item} twice under {one.condition}")
        records[one.id] = one
    splits: dict[str, list[str]] = {}
    for one in found:
        splits.setdefault(one.condition, []).append(one.id)
    return Dataset(
        name=path.name,
        kind="people",
        splits={name: tuple(ids) for name, ids in sorted(splits.items())},
        records=records,
        store=NameStore((), path.name),
        fingerprint=fingerprint([source.read_bytes()]),
        extras={"surveys": surveys},
    )


def _table(path: Path) -> Iterator[Judged]:
    counted: dict[str, int] = {}
    for where, row in rows.read(path):
        lacking = [c for c in NEEDED if row.get(c) in (None, "")]
        if lacking:
            raise BadInput(f"{where}: expected a value of {lacking[0]!r}")
        worker, item = str(row["worker"]), str(row["item"])
        counted[worker] = counted.get(worker, 0) + 1
        yield Judged(
            id="\t".join((worker, item, str(row["condition"]))),
            worker=worker,
            item=item,
            condition=str(row["condition"]),
            right=_truth(where, "correct", row["correct"]),
            cluster=str(row.get("cluster") or ""),
            trial=int(_number(where, "trial", row.get("trial"), 0)),
            seconds=_number(where, "seconds", row.get("seconds"), math.nan),
            catch=row.get("catch") not in (None, "") and _truth(where, "catch", row["catch"]),
        )


def _truth(where: str, column: str, value: Any) -> bool:
    found = TRUTHS.get(str(value).strip().lower())
    if found is None:
        raise BadInput(f"{where}: {column}: expected 1 or 0, got {value!r}")
    return found


def _number(where: str, column: str, value: Any, default: float) -> float:
    if value in (None, ""):
        return default
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found) or found < 0:
        raise BadInput(f"{where}: {column}: expected a number from 0 on, got {value!r}")
    return found


def _exported(folder: Path, surveys: dict[str, dict[str, Any]]) -> Iterator[Judged]:
    """Games of a study's export, catch trials included, and its surveys; practice is left out."""
    clusters = {o.item: o.group for o in _run(folder / "people.run")} if _has_run(folder) else {}
    for where, row in rows.read(folder / EXPORT):
        try:
            worker, key, detail = str(row["worker"]), str(row["key"]), row["detail"]
            if row["type"] == "survey":
                # A survey that is asked once may have been asked in an earlier visit.
                surveys.setdefault(worker, {}).update(detail["answers"])
            phase, _, item = key.partition("/")
            if row["type"] != "choose_target" or phase not in ("main", "catch"):
                continue
            claim = row["claim"] or ""
            yield Judged(
                id="\t".join((worker, key, str(row["arm"]))),
                worker=worker,
                item=item,
                condition=str(row["arm"]),
                right=bool(row["right"]),
                cluster=clusters.get(item, ""),
                trial=int(row["position"]) + 1,
                seconds=float(detail["seconds"]),
                catch=phase == "catch",
                void=f"its claim was {claim}" if claim in ("rejected", "returned") else "",
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"{where}: not an answer of a study's export: {error!r}") from None


def _has_run(folder: Path) -> bool:
    return (folder / "people.run" / "run.json").is_file()


def _run(folder: Path) -> Iterator[Judged]:
    """Replies of raters in a run's cells, by condition."""
    for file in sorted((folder / "cells").glob("*.parquet")):
        condition = read_cell(file).condition
        made = columns.read(file)
        for i in range(len(made)):
            worker = str(made.raters[i])
            if not worker:
                raise BadInput(f"{file}: {made.ids[i]} has no rater: it was no person who played")
            yield Judged(
                id="\t".join((worker, str(made.ids[i]), condition)),
                worker=worker,
                item=str(made.ids[i]),
                condition=condition or "all inputs",
                right=bool(made.credit[i] > 0.5),
                cluster=str(made.clusters[i]),
                seconds=float(made.seconds[i]) if made.seconds is not None else math.nan,
            )


def answered(surveys: Mapping[str, Mapping[str, Any]], question: str) -> dict[str, Any]:
    """What each person answered to one question; who left it open is left out."""
    return {
        worker: given[question]
        for worker, given in surveys.items()
        if given.get(question) not in (None, "", [])
    }
