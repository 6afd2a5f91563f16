"""Which option is meant by what a table writes as its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from deixis.errors import BadInput


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as it is written.

    Attributes:
        where: the row, for errors.
        value: the cell.
        options: what names each option: its text, or its picture's name.
        columns: the column of each option, where each has its own.
    """

    where: str
    value: Any
    options: Sequence[str]
    columns: Sequence[str] = ()


def by_letter(answer: Written) -> int | None:
    """By the option's letter, or by the column that it stands in; in brackets or with a dot."""
    text = str(answer.value).strip().strip("().").strip()
    if text in answer.columns:
        return _inside(answer.columns.index(text), answer)
    if len(text) == 1 and text.upper() in ascii_uppercase:
        return _inside(ascii_uppercase.index(text.upper()), answer)
    return None


def by_index(answer: Written) -> int | None:
    """By its position, counted from 0."""
    number = _integer(answer.value)
    return None if number is None else _inside(number, answer)


def by_number(answer: Written) -> int | None:
    """By its position, counted from 1."""
    number = _integer(answer.value)
    return None if number is None else _inside(number - 1, answer)


def by_text(answer: Written) -> int | None:
    """By the option itself; upper and lower case are the same."""
    wanted = str(answer.value).strip().lower()
    names = [o.strip().lower() for o in answer.options]
    return names.index(wanted) if names.count(wanted) == 1 else None


READINGS: Mapping[str, Callable[[Written], int | None]] = {
    "letter": by_letter,
    "text": by_text,
    "index": by_index,
    "number": by_number,
}


def read(answers: Sequence[Written], how: str = "") -> list[int]:
    """Positions of the right options.

    Where it is not said how answers are written, the one reading that makes sense of all of them
    is taken; where several do and disagree, it has to be said.

    Args:
        answers: as written.
        how: one of `READINGS`, or empty to find out.

    Raises:
        BadInput: an answer names no option, or the ways to read them disagree.
    """
    for answer in answers:
        if answer.value is None or str(answer.value).strip() in ("", "nan"):
            raise BadInput(f"{answer.where}: there is no answer")
    if how:
        return [_need(READINGS[how](a), a, how) for a in answers]
    found = {name: [reading(a) for a in answers] for name, reading in READINGS.items()}
    whole = {name: read for name, read in found.items() if None not in read}
    if not whole:
        most = max(found, key=lambda name: sum(p is not None for p in found[name]))
        return [_need(p, a, most) for p, a in zip(found[most], answers, strict=True)]
    (first, taken), *others = whole.items()
    for name, positions in others:
        for answer, a, b in zip(answers, taken, positions, strict=True):
            if a != b:
                raise BadInput(
                    f"{answer.where}: the answer {answer.value!r} is option {a} by {first} and "
                    f"option {b} by {name}: say which, by answer-is"
                )
    return [p for p in taken if p is not None]


def _need(position: int | None, answer: Written, how: str) -> int:
    if position is None:
        shown = ", ".join(repr(o) for o in answer.options[:6])
        raise BadInput(f"{answer.where}: the answer {answer.value!r} is, by {how}, none of {shown}")
    return position


def _inside(position: int, answer: Written) -> int | None:
    return position if 0 <= position < len(answer.options) else None


def _integer(value: Any) -> int | None:
    text = str(value).strip()
    if text.endswith(".0"):
        text = text[:-2]
    return int(text) if text.isdecimal() else None
