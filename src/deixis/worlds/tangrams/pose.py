"""A pose: one variant of a figure, drawn from a generator.

Limbs slide and swing, compounds of pieces change places, and the whole is mirrored and turned a
little. Pieces never overlap and never lose touch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deixis.pictures.tangram import Point, Tangram, tangram
from deixis.worlds.tangrams.exchange import moves
from deixis.worlds.tangrams.layouts import Layout
from deixis.worlds.tangrams.placing import PIECES, Outline, Placement, lay, unit
from deixis.worlds.tangrams.touch import clear

TURN = 15.0
"""The whole is turned by up to so many degrees to either side."""

LEANS = 8.0
"""Turned by more degrees than this, it can be seen to lean."""

SCALE, MARGIN = 50.0, 10.0
"""Canvas units for a leg of a small triangle, and around the figure."""

_STILL = 0.15
"""The share of limbs that stay as laid."""


@dataclass(frozen=True, slots=True)
class Pose:
    """One variant of a figure.

    Attributes:
        outlines: by piece, y upwards, in legs of a small triangle.
        parts: the part of each piece, as in the layout but for exchanged pieces.
        mirrored: whether left and right are exchanged.
        turned: degrees that the whole is turned, counterclockwise: it leans left if positive.
    """

    outlines: Mapping[str, Outline]
    parts: Mapping[str, str]
    mirrored: bool = False
    turned: float = 0.0

    @property
    def leans(self) -> str:
        """``"left"``, ``"right"`` or empty.

        >>> Pose({}, {}, turned=10).leans
        'left'
        """
        if abs(self.turned) < LEANS:
            return ""
        return "left" if self.turned > 0 else "right"

    def center(self, pieces: str) -> complex:
        """The mean of the centers of some pieces."""
        return complex(np.mean([self.outlines[p].mean() for p in pieces]))


def rest(layout: Layout) -> Pose:
    """The figure as laid."""
    return Pose(lay(layout.placements), layout.parts)


def pose(layout: Layout, generator: np.random.Generator) -> Pose:
    """Draw a variant of a figure."""
    outlines, parts = _jitter(layout, generator), dict(layout.parts)
    for _ in range(int(generator.integers(3))):
        _exchange(layout, outlines, parts, generator)
    mirrored = bool(generator.random() < 0.5)
    turned = float(generator.uniform(-TURN, TURN))
    return Pose(
        {p: (-np.conj(o) if mirrored else o) * unit(turned) for p, o in outlines.items()},
        parts,
        mirrored,
        turned,
    )


def canvas(posed: Pose) -> tuple[dict[int, list[Point]], float, float]:
    """Outlines by piece id on a canvas that just holds them, y downwards; its width and height.

    Coordinates are rounded to a millionth, so that all machines agree about them.
    """
    corners = np.concatenate([posed.outlines[p] for p in PIECES])
    left, right = corners.real.min(), corners.real.max()
    bottom, top = corners.imag.min(), corners.imag.max()
    drawn: dict[int, list[Point]] = {}
    for number, piece in enumerate(PIECES, 1):
        outline = posed.outlines[piece]
        x = np.round((outline.real - left) * SCALE + MARGIN, 6)
        y = np.round((top - outline.imag) * SCALE + MARGIN, 6)
        drawn[number] = list(zip(x.tolist(), y.tolist(), strict=True))
    width, height = (
        round(float(length) * SCALE + 2 * MARGIN, 6) for length in (right - left, top - bottom)
    )
    return drawn, width, height


def assemble(name: str, posed: Pose) -> Tangram:
    """The tangram of a pose."""
    return tangram(name, *canvas(posed))


def _jitter(layout: Layout, generator: np.random.Generator) -> dict[str, Outline]:
    """Slide and swing limbs; where they would collide, one by one, by half, or not at all."""
    slides, swings = _wishes(layout, generator)
    outlines = lay(layout.placements, slides, swings)
    if clear(outlines.values()):
        return outlines
    kept: tuple[dict[str, float], dict[str, float]] = ({}, {})
    outlines = lay(layout.placements)
    for which, wishes in enumerate((slides, swings)):
        for piece, wish in wishes.items():
            for size in (wish, wish / 2):
                kept[which][piece] = size
                tried = lay(layout.placements, *kept)
                if clear(tried.values()):
                    outlines = tried
                    break
                del kept[which][piece]
    return outlines


def _wishes(
    layout: Layout, generator: np.random.Generator
) -> tuple[dict[str, float], dict[str, float]]:
    slides: dict[str, float] = {}
    swings: dict[str, float] = {}
    for one in layout.placements:
        if one.slide and generator.random() > _STILL:
            slides[one.piece] = _slide(one, generator)
        if one.swing and generator.random() > _STILL and layout.senses[one.piece]:
            sense = int(generator.choice(layout.senses[one.piece]))
            swings[one.piece] = sense * float(generator.uniform(0, one.swing))
    return slides, swings


def _slide(one: Placement, generator: np.random.Generator) -> float:
    """Along the edge; only forward from its start, for that is where the edge is."""
    back = 0.0 if one.at.share == 0 else -one.slide
    return float(generator.uniform(back, one.slide))


def _exchange(
    layout: Layout,
    outlines: dict[str, Outline],
    parts: dict[str, str],
    generator: np.random.Generator,
) -> None:
    """Let one pair of compounds change places, if limbs that moved still allow it."""
    if not layout.exchanges:
        return
    one, other = layout.exchanges[int(generator.integers(len(layout.exchanges)))]
    here, there = {parts[p] for p in one}, {parts[p] for p in other}
    if len(here) > 1 or len(there) > 1:
        return
    ways = moves(outlines, one, other)
    if not ways:
        return
    outlines.update(ways[int(generator.integers(len(ways)))])
    if one != other:
        parts.update(dict.fromkeys(one, there.pop()) | dict.fromkeys(other, here.pop()))
