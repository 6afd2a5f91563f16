"""The figures laid by hand, read from the files in ``layouts/``, one file for each category.

A file begins with the category's noun. A figure is a line
``its names | the side it faces | what is special of it | figures it may be taken for`` with ``-``
for nothing, and under it seven lines of the language of `deixis.worlds.tangrams.placing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from deixis.worlds.tangrams.exchange import Compound, exchanges
from deixis.worlds.tangrams.placing import Placement, lay, parse
from deixis.worlds.tangrams.touch import clear

CATEGORIES = (
    "birds",
    "animals",
    "fish",
    "people",
    "boats",
    "vehicles",
    "buildings",
    "plants",
    "things",
)
"""The files, in the order in which figures are listed."""


@dataclass(frozen=True)
class Layout:
    """One figure laid by hand.

    Attributes:
        family: its first name, with hyphens for spaces.
        names: what it is called, the commonest first.
        category: the noun of its category, such as ``"bird"``.
        faces: ``"left"`` if it faces to the left as laid, else empty; none faces right.
        feature: an adjective true of it, or empty.
        resembles: families that it may be taken for.
        placements: its seven pieces.
    """

    family: str
    names: tuple[str, ...]
    category: str
    faces: str
    feature: str
    resembles: tuple[str, ...]
    placements: tuple[Placement, ...]

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """The part of each piece."""
        return {one.piece: one.part for one in self.placements}

    @cached_property
    def exchanges(self) -> tuple[tuple[Compound, Compound], ...]:
        """Compounds that can change places, see `deixis.worlds.tangrams.exchange`."""
        return tuple(exchanges(lay(self.placements), self.parts))

    @cached_property
    def senses(self) -> Mapping[str, tuple[int, ...]]:
        """To which sides each piece can swing a little: 1 is counterclockwise, -1 clockwise."""
        return {
            one.piece: tuple(
                sense
                for sense in (1, -1)
                if clear(lay(self.placements, swings={one.piece: sense / 4}).values())
            )
            for one in self.placements
            if one.swing
        }


@cache
def layouts() -> Mapping[str, Layout]:
    """Every figure by family, category by category.

    >>> layouts()["swan"].category
    'bird'
    """
    found = [one for category in CATEGORIES for one in _read(category)]
    return {one.family: one for one in found}


@cache
def held_out() -> frozenset[str]:
    """The families of the test split: every third of each category, beginning with the second."""
    seen: dict[str, int] = {}
    chosen = []
    for one in layouts().values():
        number = seen[one.category] = seen.get(one.category, -1) + 1
        if number % 3 == 1:
            chosen.append(one.family)
    return frozenset(chosen)


def _read(category: str) -> list[Layout]:
    text = (files(__package__) / "layouts" / f"{category}.txt").read_text("utf-8")
    noun, *blocks = text.strip().split("\n\n")
    return [_layout(block, noun) for block in blocks]


def _layout(block: str, category: str) -> Layout:
    head, *lines = block.splitlines()
    names, faces, feature, resembles = ("" if f == "-" else f for f in head.split(" | "))
    known = tuple(names.split(", "))
    return Layout(
        family=known[0].replace(" ", "-"),
        names=known,
        category=category,
        faces=faces,
        feature=feature,
        resembles=tuple(resembles.split(", ")),
        placements=tuple(parse(line) for line in lines),
    )
