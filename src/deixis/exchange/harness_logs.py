"""Logs of lm-eval and lmms-eval: ``samples_<task>_<date>.jsonl``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deixis.datasets.tables import rows
from deixis.errors import BadInput
from deixis.exchange.log import How, Log, Sample, gather, number

PREFERRED = ("acc", "exact_match", "accuracy", "anls", "relaxed_overall", "score")
"""Scores that are read where none is named, in this order."""

_OTHERS = frozenset(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash "
    "target_hash input token_counts".split()
)
_NAME = re.compile(r"(?:.*_)?samples_(?P<task>.+?)(?:_\d{4}-\d\d-\d\dT.*)?")


def read(path: Path, how: How) -> Log:
    """Read a log; of several filters of the same replies, the first is read.

    Raises:
        BadInput: a line is broken, or has no such score.
    """
    name = _NAME.fullmatch(path.stem)
    samples = list(_samples(path, how))
    return gather(
        path,
        (s for s, _ in samples),
        tool="harness",
        model=path.parent.name if path.parent.name not in ("", ".") else "",
        dataset=name["task"] if name else path.stem,
        metric=samples[0][1] if samples else how.metric,
    )


def _samples(path: Path, how: How) -> Iterator[tuple[Sample, str]]:
    wanted: str | None = None
    metric = how.metric
    for where, row in rows.read(path):
        if "doc_id" not in row:
            raise BadInput(f"{where}: has no doc_id")
        kind = str(row.get("filter", ""))
        wanted = kind if wanted is None else wanted
        if kind != wanted:
            continue
        metric = metric or _metric(where, row)
        yield _sample(where, row, metric, how.cluster), metric


def _metric(where: str, row: Mapping[str, Any]) -> str:
    """The score to read: a preferred one, else the first that can be read."""
    named = [m for m in row.get("metrics") or [] if m in row] or [
        k for k in row if k not in _OTHERS
    ]
    ordered = [m for m in PREFERRED if m in named] + named
    metric: str
    for metric in ordered:
        if _credit(row[metric]) is not None:
            return metric
    raise BadInput(f"{where}: no score that can be read among {', '.join(named) or 'none'}")


def _sample(where: str, row: Mapping[str, Any], metric: str, cluster: str) -> Sample:
    credit = _credit(row.get(metric))
    if credit is None:
        raise BadInput(f"{where}: expected a number as {metric}, got {row.get(metric)!r:.60}")
    doc = row.get("doc") or {}
    shared = str(doc.get(cluster, "")) if cluster and isinstance(doc, dict) else ""
    if cluster and not shared:
        raise BadInput(f"{where}: its doc has no {cluster!r}")
    options = doc.get("choices") or doc.get("options") if isinstance(doc, dict) else None
    if isinstance(options, dict):
        options = options.get("text")
    replies = row.get("filtered_resps") or row.get("resps") or [""]
    return Sample(
        id=str(row["doc_id"]),
        credit=credit,
        where=where,
        options=len(options) if isinstance(options, list) else 0,
        cluster=shared,
        content=str(row.get("doc_hash") or ""),
        raw=str(replies[0] if isinstance(replies, list) else replies),
    )


def _credit(value: Any) -> float | None:
    """A score; where a task of lmms-eval keeps what it compared, whether the two are the same."""
    if isinstance(value, dict):
        for said, right in (("parsed_pred", "answer"), ("pred", "answer"), ("pred", "gt")):
            if said in value and right in value:
                return float(str(value[said]).strip().lower() == str(value[right]).strip().lower())
        found = (number(value.get(k)) for k in ("score", "acc", "exact_match"))
        return next((f for f in found if f is not None), None)
    return number(value)
