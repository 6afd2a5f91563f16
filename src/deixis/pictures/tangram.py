"""A tangram: seven convex pieces on a canvas.

A piece's type is read off its geometry, never off its id: in some hand-made files the ids of
the small and the medium triangle are exchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import dist, log

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput

Point = tuple[float, float]
Floats = NDArray[np.float64]

TYPES = ("square", "parallelogram", "small", "medium", "large")
"""The types of pieces; the last three are triangles."""

SHARES = {"square": 1 / 8, "parallelogram": 1 / 8, "small": 1 / 16, "medium": 1 / 8, "large": 1 / 4}
"""The share of the whole area that a true piece of each type has."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece.

    Attributes:
        id: 1 to 7, unique in its tangram.
        type: one of `TYPES`.
        points: its corners in order, in canvas units.
        area: in square canvas units.
    """

    id: int
    type: str
    points: tuple[Point, ...]
    area: float


@dataclass(frozen=True)
class Tangram:
    """Seven pieces in the order in which they are painted, on a canvas of width × height."""

    name: str
    width: float
    height: float
    pieces: tuple[Piece, ...]

    @property
    def side(self) -> float:
        """Side of the centred square that holds the canvas."""
        return max(self.width, self.height)

    @cached_property
    def unit(self) -> Mapping[int, Floats]:
        """Corners of each piece by id in the centred unit square, shape (3 or 4, 2)."""
        shift = np.array([(self.side - self.width) / 2, (self.side - self.height) / 2])
        return {p.id: (np.array(p.points) + shift) / self.side for p in self.pieces}


def area(points: Sequence[Point] | Floats) -> float:
    """Area of a simple polygon (shoelace formula).

    >>> area([(0, 0), (2, 0), (2, 1), (0, 1)])
    2.0
    """
    # Loops, not arrays: for three or four corners they take a tenth of the time.
    edges = pairwise([*points, points[0]])
    return float(abs(sum(x * v - u * y for (x, y), (u, v) in edges)) / 2)


def tangram(
    name: str, outlines: Mapping[int, Sequence[Point]], width: float, height: float
) -> Tangram:
    """Make a tangram from seven outlines by piece id, in paint order.

    Raises:
        BadInput: not ids 1 to 7, a piece without area or not convex, or not five triangles and
            two quadrilaterals.
    """
    if sorted(outlines) != list(range(1, 8)):
        raise BadInput(f"{name}: a tangram has pieces 1 to 7, this one has {sorted(outlines)}")
    areas = {i: area(p) for i, p in outlines.items()}
    total = sum(areas.values())
    for i, points in outlines.items():
        if areas[i] < total / 1000 or not _convex(points):
            raise BadInput(f"{name}: piece {i} is degenerate: it has no area or is not convex")
    types = _types(name, outlines, areas)
    pieces = tuple(
        Piece(i, types[i], tuple((float(x), float(y)) for x, y in points), areas[i])
        for i, points in outlines.items()
    )
    return Tangram(name, float(width), float(height), pieces)


def _types(
    name: str, outlines: Mapping[int, Sequence[Point]], areas: Mapping[int, float]
) -> dict[int, str]:
    triangles = sorted((i for i, p in outlines.items() if len(p) == 3), key=lambda i: areas[i])
    quads = sorted(
        (i for i, p in outlines.items() if len(p) == 4), key=lambda i: _skew(outlines[i])
    )
    if len(triangles) != 5 or len(quads) != 2:
        raise BadInput(f"{name}: a tangram has five triangles and two quadrilaterals")
    types = ("small", "small", "medium", "large", "large")
    return dict(zip(triangles, types, strict=True)) | dict(zip(quads, TYPES[:2], strict=True))


def _skew(points: Sequence[Point]) -> float:
    """How far from a square: 0 for a true one, 2 for the true parallelogram.

    Sides and diagonals count alike: two hand-made files hold a rhombus for a square, and its
    diagonals are as unequal as those of the parallelogram.
    """
    sides = [dist(p, q) for p, q in pairwise([*points, points[0]])]
    diagonals = [dist(points[0], points[2]), dist(points[1], points[3])]
    unequal = [log(max(d) / max(min(d), 1e-12)) for d in (sides, diagonals)]
    return 2 * unequal[0] / log(2) + 2 * unequal[1] / log(5)


def _convex(points: Sequence[Point]) -> bool:
    edges = [(u - x, v - y) for (x, y), (u, v) in pairwise([*points, points[0]])]
    turns = [x * v - u * y for (x, y), (u, v) in pairwise([*edges, edges[0]])]
    return all(t > 0 for t in turns) or all(t < 0 for t in turns)


def assembled() -> Tangram:
    """The seven pieces put together as the square that every tangram is cut from.

    Every tangram makes this square, so it tells nothing of the figure, but pieces keep their
    colors: it stands in where the shape is taken away.
    """
    outlines: dict[int, list[Point]] = {
        1: [(6, 2), (8, 4), (6, 6), (4, 4)],
        2: [(0, 8), (2, 6), (6, 6), (4, 8)],
        3: [(8, 0), (8, 4), (6, 2)],
        4: [(4, 4), (6, 6), (2, 6)],
        5: [(8, 4), (8, 8), (4, 8)],
        6: [(0, 0), (8, 0), (4, 4)],
        7: [(0, 0), (4, 4), (0, 8)],
    }
    # As large as figures are on their canvases, so that outlines are as thin in proportion.
    scaled = {i: [(20 * x, 20 * y) for x, y in points] for i, points in outlines.items()}
    return tangram("square", scaled, 160, 160)
