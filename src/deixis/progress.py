"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with what is going on, how far it is, and how far it goes."""


def quiet(_: str, __: int, ___: int) -> None:
    """No progress shown."""
