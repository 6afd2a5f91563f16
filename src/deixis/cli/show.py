"""Printing: tables for people on a terminal, one JSON object for programs, progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from deixis.plain import plain
from deixis.progress import Progress as Told


def print_json(content: Mapping[str, Any]) -> None:
    """One object on stdout, numbers to 15 significant digits, undefined ones as null."""
    print(json.dumps(plain(content), ensure_ascii=False))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout: the first column to the left, the others to the right.

    Columns without a title and without content are left out.
    """
    kept = [i for i, c in enumerate(columns) if c or i == 0 or any(row[i] for row in rows)]
    made = Table(header_style="bold")
    for i in kept:
        made.add_column(columns[i], justify="left" if i == 0 else "right", overflow="fold")
    for row in rows:
        made.add_row(*(row[i] for i in kept))
    screen = console()
    screen.print(f"[bold]{title}[/bold]")
    screen.print(made)


def console() -> Console:
    """Where tables go; wide enough for them when stdout is no terminal."""
    return Console(width=None if sys.stdout.isatty() else 120, highlight=False)


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
