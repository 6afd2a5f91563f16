"""Logs as plain tables: ``id`` with ``credit`` (or ``correct``, ``score``), and what else there is.

Other columns that are understood: ``status``, ``options`` (how many), ``cluster``, ``epoch``,
``content`` (a hash of the item), ``reply``, ``model`` and ``dataset``. Instead of a score,
``choice`` and ``answer`` may stand there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deixis.datasets.tables import rows
from deixis.errors import BadInput, unknown
from deixis.exchange.log import How, Log, Sample, gather
from deixis.replies import STATUSES

SCORES = ("credit", "correct", "score", "acc", "accuracy", "hit")
_WORDS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "c": 1.0, "i": 0.0}


def read(path: Path, how: How) -> Log:
    """Read a table.

    Raises:
        BadInput: a row lacks an id or a score.
    """
    held = list(rows.read(path))
    if not held:
        raise BadInput(f"{path}: holds no samples")
    first = held[0][1]
    metric = how.metric or next((s for s in SCORES if s in first), "choice")
    return gather(
        path,
        _samples(held, metric, how.cluster),
        tool="table",
        model=str(first.get("model", "")),
        dataset=str(first.get("dataset", "")),
        metric=metric,
    )


def _samples(held: list[rows.Row], metric: str, cluster: str) -> Iterator[Sample]:
    for where, cells in held:
        name = cells.get("id")
        if name in (None, ""):
            raise BadInput(f"{where}: has no id")
        if cluster and cells.get(cluster) in (None, ""):
            raise BadInput(f"{where}: has no {cluster!r}")
        status = str(cells.get("status") or "ok")
        if status not in STATUSES:
            raise unknown(f"{where}: there is no status {status!r}", status, STATUSES)
        yield Sample(
            id=str(name),
            credit=_credit(where, cells, metric) if status == "ok" else 0.0,
            where=where,
            status=status,
            options=int(cells.get("options") or 0),
            cluster=str(cells.get(cluster or "cluster") or ""),
            content=str(cells.get("content") or ""),
            epoch=int(cells.get("epoch") or 0),
            raw=str(cells.get("reply") or ""),
        )


def _credit(where: str, cells: Mapping[str, Any], metric: str) -> float:
    if metric == "choice":
        if "choice" not in cells or "answer" not in cells:
            raise BadInput(f"{where}: expected one of {', '.join(SCORES)}, or choice and answer")
        return float(str(cells["choice"]).strip().lower() == str(cells["answer"]).strip().lower())
    value = cells.get(metric)
    text = str(value).strip().lower()
    try:
        return _WORDS[text] if text in _WORDS else float(text)
    except ValueError:
        raise BadInput(f"{where}: expected a number as {metric}, got {value!r}") from None
