"""Printing: tables for people on a terminal, one JSON object for programs, progress on stderr."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from deixis.plain import plain
from deixis.progress import Progress as Told


def print_json(content: Mapping[str, Any]) -> None:
    """One object on stdout, numbers to 15 significant digits, undefined ones as null."""
    unicode = codecs.lookup(sys.stdout.encoding).name.startswith("utf")
    print(json.dumps(plain(content), ensure_ascii=not unicode))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout: the first column to the left, the others to the right.

    Columns without a title and without content are left out. On a narrow terminal cells are broken
    between words.
    """
    kept = [i for i, c in enumerate(columns) if c or i == 0 or any(row[i] for row in rows)]
    cells = [[columns[i], *(row[i] for row in rows)] for i in kept]
    screen = console()
    padding, widths = _fitted(cells, screen.width)
    made = Table(header_style="bold", padding=(0, padding))
    for place, (column, width) in enumerate(zip(cells, widths, strict=True)):
        # As texts, since brackets in a name are no markup.
        made.add_column(
            Text(column[0]),
            justify="left" if place == 0 else "right",
            overflow="fold",
            width=width,
        )
    for row in zip(*(column[1:] for column in cells), strict=True):
        made.add_row(*map(Text, row))
    screen.print(Text(title, "bold"))
    screen.print(made)


def _fitted(cells: Sequence[Sequence[str]], room: int) -> tuple[int, list[int]]:
    """The blanks on each side of a cell, and the width of each column, so that all fit if they can.

    >>> _fitted([["a"], ["points lost"]], 30), _fitted([["a"], ["points lost"]], 15)
    ((1, [1, 11]), (1, [1, 7]))
    """
    widths = [max(cell_len(w) for cell in column for w in cell.split() or [""]) for column in cells]
    padding = 1 if sum(widths) + 3 * len(cells) + 1 <= room else 0
    space = room - 1 - (1 + 2 * padding) * len(cells)
    # A word that is too long, such as a path, is folded.
    while sum(widths) > max(space, len(cells)):
        widths[widths.index(max(widths))] -= 1
    left = space - sum(widths)
    # Titles are broken rather than cells; columns that lack little are served first.
    for rows in (slice(1, None), slice(None)):
        lack = [
            max(map(cell_len, c[rows]), default=0) - w for c, w in zip(cells, widths, strict=True)
        ]
        for i in sorted(range(len(cells)), key=lambda i: lack[i]):
            more = max(min(lack[i], left), 0)
            widths[i], left = widths[i] + more, left - more
    return padding, widths


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to `deixis.cli.main`: that whoever reads has enough is no failure."""
        raise BrokenPipeError


def console() -> Console:
    """Where tables go; wide enough for them when stdout is no terminal."""
    return _Screen(width=None if sys.stdout.isatty() else 120, highlight=False)


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
