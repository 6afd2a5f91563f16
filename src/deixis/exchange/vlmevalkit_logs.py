"""Predictions of VLMEvalKit: Excel files and TSV, with or without its verdict in ``hit``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from deixis.datasets.tables import rows
from deixis.errors import BadInput
from deixis.exchange.log import How, Log, Sample, gather, number
from deixis.players.chat.reading import choice


def read(path: Path, how: How) -> Log:
    """Read predictions; where there is no ``hit``, the option that a prediction names is read.

    Raises:
        BadInput: a row has no answer.
    """
    model, _, dataset = path.stem.removesuffix("_result").partition("_")
    return gather(
        path,
        _samples(path, how),
        tool="vlmevalkit",
        model=model,
        dataset=dataset,
        metric=how.metric or "hit",
    )


def _samples(path: Path, how: How) -> Iterator[Sample]:
    for where, cells in rows.read(path):
        letters = [c for c in ascii_uppercase if _text(cells.get(c))]
        texts = [_text(cells[c]) for c in letters]
        cluster = _text(cells.get(how.cluster)) if how.cluster else ""
        if how.cluster and not cluster:
            raise BadInput(f"{where}: has no {how.cluster!r}")
        said = _text(cells.get("prediction"))
        name = _text(cells["index"])
        hit = _number(cells.get(how.metric or "hit"))
        if hit is not None:
            credit, status = hit, "ok"
        elif how.metric:
            raise BadInput(f"{where}: expected a number as {how.metric}")
        else:
            credit, status = _judged(where, said, _text(cells.get("answer")), letters, texts)
        yield Sample(name, credit, where, status, len(letters), cluster, raw=said)


def _judged(
    where: str, said: str, answer: str, letters: list[str], texts: list[str]
) -> tuple[float, str]:
    if not answer:
        raise BadInput(f"{where}: has neither hit nor answer")
    if not letters:
        return float(said.strip().lower() == answer.strip().lower()), "ok"
    found = choice(said, letters, texts)
    if found is None:
        return 0.0, "unreadable"
    return float(answer.strip() in (letters[found[0]], texts[found[0]])), "ok"


def _text(value: Any) -> str:
    if value is None or value != value or value == "nan":
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return number(value)
