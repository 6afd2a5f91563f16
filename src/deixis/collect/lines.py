"""On which line of a TOML file a value stands, for sentences on what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Place = tuple[str | int, ...]
"""A way through tables and arrays, such as ``("phase", 0, "trials", 2, "text")``."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"\s*([\w.-]+|\"[^\"]*\"|'[^']*')\s*=")
_QUOTES = re.compile(r'"""|' + "'''")


def line_of(text: str, place: Sequence[str | int]) -> int:
    r"""The line where a value begins, or what it is in; 0 if it is nowhere.

    Args:
        text: of a file that can be parsed.
        place: of the value.

    >>> line_of('a = 1\n[[b]]\nc = [2]\n[[b]]\nc = [3]\n', ("b", 1, "c", 0))
    5
    """
    wanted, found, depth = tuple(place), 0, 0
    for number, here in _places(text):
        if len(here) > depth and here == wanted[: len(here)]:
            found, depth = number, len(here)
    return found


def _places(text: str) -> Iterator[tuple[int, Place]]:
    """Lines on which a table or a key begins, each with its place."""
    counts: dict[Place, int] = {}
    table: Place = ()
    within = False
    for number, line in enumerate(text.splitlines(), start=1):
        inside, within = within, within != (len(_QUOTES.findall(line)) % 2 == 1)
        if inside:
            continue
        if header := _HEADER.match(line):
            *above, last = _names(header[2])
            table = ()
            for name in above:
                table = _latest((*table, name), counts)
            table = (*table, last)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            yield number, table
        elif key := _KEY.match(line):
            yield number, (*table, *_names(key[1]))


def _latest(place: Place, counts: dict[Place, int]) -> Place:
    """The table itself, or the last one of an array of tables."""
    return (*place, counts[place]) if place in counts else place


def _names(dotted: str) -> list[str]:
    return [a or b or c for a, b, c in re.findall(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)", dotted)]
