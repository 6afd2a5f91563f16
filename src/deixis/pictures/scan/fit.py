"""True pieces fitted to the depth of ink: every pixel knows how far its piece's edge must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from deixis.pictures.scan.shapes import SHAPES, kinds, rotation
from deixis.pictures.tangram import Floats

STEPS = 72
"""Directions that are tried for each piece before it is fitted."""

BEYOND = 0.03
"""A pixel that is off by more, as a fraction of the side, counts less and less."""


@dataclass(frozen=True, slots=True)
class Region:
    """Pixels of one piece.

    Attributes:
        points: positions (x, y) of some of them, shape (n, 2).
        depth: distance of each from the nearest pixel outside, shape (n,).
        middle: of all of them, shape (2,).
    """

    points: Floats
    depth: Floats
    middle: Floats


@dataclass(frozen=True, slots=True)
class Placed:
    """A true piece on the scan: its shape, where its middle is, and how it is turned."""

    shape: str
    x: float
    y: float
    angle: float

    def corners(self, side: float) -> Floats:
        """Corners in pixels, shape (3 or 4, 2)."""
        turned = SHAPES[self.shape].corners @ rotation(self.angle).T
        return np.asarray(turned * side + [self.x, self.y])

    def gaps(self, region: Region, side: float, seam: float) -> Floats:
        """For each pixel, distance from the true edge less what it should be, shape (n,)."""
        local = (region.points - [self.x, self.y]) @ rotation(self.angle)
        edges = SHAPES[self.shape].inside(local, side).min(axis=-1)
        return np.asarray(edges - region.depth - seam)


def place(region: Region, piece: str, side: float, seam: float) -> tuple[float, Placed]:
    """The best way to lay a piece on a region, by trying all directions.

    Args:
        region: where to.
        piece: one of the true pieces.
        side: of the square piece, in pixels.
        seam: from the true edge to where ink begins, in pixels.

    Returns:
        The mean absolute gap in pixels, and the piece.
    """
    best: list[tuple[float, Placed]] = []
    points, depth = region.points[::3], region.depth[::3]
    for name in kinds(piece):
        shape = SHAPES[name]
        angles = np.arange(STEPS) * shape.turn / STEPS
        # Of an inset triangle only the middle of its bisectors stays where it was.
        rest = shape.corners.mean(axis=0) * max(side - 3 * seam, 0)
        turns = np.stack([rotation(a) for a in angles])
        centres = region.middle - np.einsum("aij,j->ai", turns, rest)
        local = (points[None] - centres[:, None]) @ turns
        off = np.abs(shape.inside(local, side).min(axis=-1) - depth - seam).mean(axis=1)
        k = int(np.argmin(off))
        x, y = centres[k]
        best.append((float(off[k]), Placed(name, float(x), float(y), float(angles[k]))))
    return min(best, key=lambda found: found[0])


def refine(
    regions: Sequence[Region], placed: Sequence[Placed], side: float, seam: float
) -> tuple[list[Placed], float, float]:
    """Fit all pieces at once, with one side and one seam, by robust least squares.

    Args:
        regions: one for each piece.
        placed: where the pieces are, about.
        side: of the square piece, about.
        seam: about.

    Returns:
        The pieces, the side and the seam.
    """
    start = np.array([side, seam, *(v for p in placed for v in (p.x, p.y, p.angle * side))])
    total = sum(len(r.points) for r in regions)

    def apart(values: Floats) -> list[Placed]:
        rows = values[2:].reshape(-1, 3)
        return [
            replace(p, x=float(x), y=float(y), angle=float(a / side))
            for p, (x, y, a) in zip(placed, rows, strict=True)
        ]

    def gaps(values: Floats) -> Floats:
        made = zip(apart(values), regions, strict=True)
        return np.concatenate([p.gaps(r, values[0], values[1]) for p, r in made])

    def slopes(values: Floats) -> Floats:
        jacobian = np.zeros((total, len(values)))
        row = 0
        for k, (p, region) in enumerate(zip(apart(values), regions, strict=True)):
            rows = slice(row, row := row + len(region.points))
            jacobian[rows, [0]], moves = _slopes(p, region, values[0])
            jacobian[rows, 2 + 3 * k : 5 + 3 * k] = moves / [1, 1, side]
        jacobian[:, 1] = -1
        return jacobian

    found = least_squares(
        gaps, start, jac=slopes, loss="soft_l1", f_scale=max(BEYOND * side / 3, 0.5), max_nfev=60
    )
    return apart(found.x), float(found.x[0]), float(found.x[1])


def _slopes(placed: Placed, region: Region, side: float) -> tuple[Floats, Floats]:
    """How gaps change with the side, shape (n, 1), and with x, y and angle, shape (n, 3)."""
    shape, turn = SHAPES[placed.shape], rotation(placed.angle)
    local = (region.points - [placed.x, placed.y]) @ turn
    edge: NDArray[np.int64] = shape.inside(local, side).argmin(axis=-1)
    normals = shape.normals[edge]
    spin = -(normals[:, 0] * local[:, 1] - normals[:, 1] * local[:, 0])
    return shape.offsets[edge][:, None], np.column_stack([normals @ turn.T, spin])
