"""Mean percentile ranks that the 2017 study prints, after rounds 1 to 10."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(word) for word in text.split())


TABLE_1: Mapping[str, Sequence[float]] = {
    "nothing": _numbers("93.1 93.2 92.7 92.8 93.0 93.0 92.9 92.8 92.7 92.6"),
    "images": _numbers("93.1 93.1 92.5 92.5 92.7 92.6 92.5 92.4 92.3 92.2"),
    "captions": _numbers("50.0 50.3 50.7 51.3 51.6 51.9 52.2 52.3 52.4 52.5"),
    "answers": _numbers("93.0 93.1 92.5 92.5 92.5 92.4 92.2 92.0 91.9 91.7"),
    "questions": _numbers("92.5 92.6 91.8 91.4 91.3 90.9 90.6 90.2 89.9 89.6"),
}
"""Everything replaced, in every round."""

GAPS: Mapping[str, float] = {"images": 0.4, "captions": 40.1, "answers": 0.8, "questions": 3.0}
"""As printed beside Table 1; the rows themselves give 0.9 for answers."""

TABLE_2: Mapping[int, Sequence[float]] = {
    0: _numbers("94.8 94.8 94.7 94.6 94.5 94.4 94.2 94.1 93.9 93.7"),
    2: _numbers("94.8 94.7 94.6 94.6 94.4 94.3 94.1 94.0 93.8"),
    4: _numbers("94.7 94.6 94.5 94.3 94.2 94.0 93.8"),
    6: _numbers("94.6 94.4 94.2 94.1 93.9"),
    8: _numbers("94.3 94.1 93.9"),
}
"""Yes and no exchanged from a start on; its first number is that of round max(start, 1)."""


def table_2(start: int) -> tuple[float, ...]:
    """A row of Table 2 from round 1 on; NaN where nothing is printed.

    >>> table_2(8)[6:]
    (nan, 94.3, 94.1, 93.9)
    """
    printed = TABLE_2[start]
    return (*(float("nan"),) * (10 - len(printed)), *printed)
