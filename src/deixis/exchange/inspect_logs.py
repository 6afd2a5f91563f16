"""Logs of Inspect: ``.eval`` (a zip of JSON files) and ``.json``."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deixis.errors import BadInput
from deixis.exchange.log import How, Log, Sample, gather, number

LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Inspect's letters: correct, incorrect, partial, no answer."""


def read(path: Path, how: How) -> Log:
    """Read a log; epochs become replicates.

    The summaries of samples are enough where the log has them, else samples are read one by one.

    Raises:
        BadInput: the file is broken, or holds no such score.
    """
    header, samples = _json(path) if path.suffix == ".json" else _zip(path)
    about = header.get("eval")
    if not isinstance(about, dict):
        raise BadInput(f"{path}: not a log of Inspect: it has no 'eval'")
    made = [_sample(path, s, how) for s in samples]
    metric = how.metric or next((name for _, name in made if name), "")
    return gather(
        path,
        (s for s, _ in made),
        tool="inspect",
        model=str(about.get("model", "")),
        dataset=str((about.get("dataset") or {}).get("name") or about.get("task", "")),
        metric=metric,
    )


def _json(path: Path) -> tuple[dict[str, Any], Iterator[Mapping[str, Any]]]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: no JSON: {error}") from None
    if not isinstance(content, dict):
        raise BadInput(f"{path}: not a log of Inspect: expected an object")
    return content, iter(content.get("samples") or [])


def _zip(path: Path) -> tuple[dict[str, Any], Iterator[Mapping[str, Any]]]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            start = "header.json" if "header.json" in names else "_journal/start.json"
            if start not in names:
                raise BadInput(f"{path}: not a log of Inspect: it has no header.json")
            header = json.loads(archive.read(start))
            if "summaries.json" in names:
                summaries = json.loads(archive.read("summaries.json"))
                if all(s.get("scores") or s.get("error") for s in summaries):
                    return header, iter(summaries)
            inside = sorted(n for n in names if n.startswith("samples/") and n.endswith(".json"))
            return header, iter([json.loads(archive.read(n)) for n in inside])
    except (zipfile.BadZipFile, json.JSONDecodeError) as error:
        raise BadInput(f"{path}: not a readable log of Inspect: {error}") from None


def _sample(path: Path, sample: Mapping[str, Any], how: How) -> tuple[Sample, str]:
    """One sample, and the name of the score that was read."""
    name = str(sample["id"])
    where = f"{path}: sample {name}"
    scores = sample.get("scores") or {}
    epoch = int(sample.get("epoch", 1))
    cluster = str((sample.get("metadata") or {}).get(how.cluster, "")) if how.cluster else ""
    options = len(sample.get("choices") or ())
    if how.cluster and not cluster:
        raise BadInput(f"{where}: its metadata have no {how.cluster!r}")
    if not scores:
        if not (sample.get("error") or sample.get("limit")):
            raise BadInput(f"{where}: has neither scores nor an error")
        status = "length" if sample.get("limit") else "missing"
        return Sample(name, 0.0, where, status, options, cluster, epoch=epoch), ""
    metric = how.metric or next(iter(scores))
    if metric not in scores:
        raise BadInput(f"{where}: has no score {metric!r} (it has {', '.join(scores)})")
    score = scores[metric]
    value = score.get("value") if isinstance(score, dict) else score
    credit = LETTERS.get(value) if isinstance(value, str) else number(value)
    if credit is None:
        raise BadInput(f"{where}: expected {metric} to be C, I, P, N or a number, got {value!r}")
    answer = score.get("answer") if isinstance(score, dict) else None
    status = "unreadable" if value == "N" else "ok"
    return Sample(
        name, credit, where, status, options, cluster, epoch=epoch, raw=str(answer or "")
    ), metric
