"""Printing: tables for people on a terminal, one JSON object for programs, progress on stderr."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from deixis.progress import Progress as Told


def print_json(content: Mapping[str, Any]) -> None:
    """One object on stdout, numbers to 15 significant digits, undefined ones as null."""
    print(json.dumps(plain(content), ensure_ascii=False))


def plain(value: Any) -> Any:
    """The value in JSON's own types."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.15g}") if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout: the first column to the left, the others to the right."""
    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for i, column in enumerate(columns):
        made.add_column(column, justify="left" if i == 0 else "right", overflow="fold")
    for row in rows:
        made.add_row(*row)
    console().print(made)


def console() -> Console:
    """Where tables go; wide enough for them when stdout is no terminal."""
    return Console(width=None if sys.stdout.isatty() else 120, highlight=False)


def percent(value: float | None, places: int = 1) -> str:
    """A fraction in percent.

    >>> percent(0.1234), percent(None)
    ('12.3', '–')
    """
    missing = value is None or not math.isfinite(value)
    return "–" if missing else f"{100 * (value or 0.0):.{places}f}"


@contextmanager
def progress() -> Iterator[Told]:
    """A bar on stderr for as long as work goes on; nothing where stderr is no terminal."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield lambda what, done, total: None
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
    )
    known: dict[str, TaskID] = {}

    def told(what: str, done: int, total: int) -> None:
        if what not in known:
            known[what] = bar.add_task(what, total=total)
        bar.update(known[what], completed=done, total=total)

    with bar:
        yield told
