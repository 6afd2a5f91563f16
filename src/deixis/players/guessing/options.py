"""Options of players of guessing games, as they are written."""

from __future__ import annotations

from deixis.errors import BadInput


def positive(name: str, value: str | int) -> int:
    """An option that is a number from 1.

    Raises:
        BadInput: it is none.
    """
    if not str(value).isdecimal() or int(value) < 1:
        raise BadInput(f"--{name}: expected a number from 1, got {value!r}")
    return int(value)


def fraction(name: str, value: str | float, most: float = 1.0) -> float:
    """An option that is a number above 0, up to a limit.

    Raises:
        BadInput: it is none.
    """
    try:
        made = float(value)
    except ValueError:
        made = 0.0
    if not 0 < made <= most:
        raise BadInput(f"--{name}: expected a number above 0, at most {most:g}, got {value!r}")
    return made
