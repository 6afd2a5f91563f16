"""The true pieces of a tangram, as distances to their edges."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from deixis.pictures.tangram import Floats

_HALF = sqrt(0.5)

OUTLINES: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((0, 0), (1, 0), (1, 1), (0, 1)),
    "parallelogram": ((0, 0), (2 * _HALF, 0), (3 * _HALF, _HALF), (_HALF, _HALF)),
    "mirrored": ((0, 0), (2 * _HALF, 0), (_HALF, _HALF), (-_HALF, _HALF)),
    "small": ((0, 0), (1, 0), (0, 1)),
    "medium": ((0, 0), (2 * _HALF, 0), (0, 2 * _HALF)),
    "large": ((0, 0), (2, 0), (0, 2)),
}
"""Corners of each piece where the square has side 1; the parallelogram has two sides."""

SET = ("square", "parallelogram", "small", "small", "medium", "large", "large")
"""The seven pieces, in the order of their ids."""


@dataclass(frozen=True)
class Shape:
    """A convex outline around its middle: a point is inside where all distances are positive.

    Attributes:
        corners: shape (n, 2).
        normals: outward, of length one, shape (n, 2).
        offsets: distance of each edge from the middle, shape (n,).
        turn: rotations repeat after this angle, in radians.
    """

    corners: Floats
    normals: Floats
    offsets: Floats
    turn: float

    def inside(self, points: Floats, side: float) -> Floats:
        """Distance of points from each edge, in the shape's own frame.

        Args:
            points: shape (..., 2).
            side: of the square.

        Returns:
            Shape (..., n), positive inside.
        """
        return np.asarray(side * self.offsets - points @ self.normals.T)


def _shape(name: str) -> Shape:
    corners = np.array(OUTLINES[name], dtype=np.float64)
    edges = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*edges.T)
    # A triangle's middle is where its bisectors meet: insets then shrink it towards that point.
    triangle = len(corners) == 3
    weights = np.roll(lengths, -1) if triangle else np.ones(len(corners))
    corners = corners - weights @ corners / weights.sum()
    normals = np.stack([edges[:, 1], -edges[:, 0]], axis=1) / lengths[:, None]
    turn = {"square": np.pi / 2}.get(name, 2 * np.pi if triangle else np.pi)
    return Shape(corners, normals, np.sum(normals * corners, axis=1), turn)


SHAPES = {name: _shape(name) for name in OUTLINES}
"""Every piece by name."""


def kinds(piece: str) -> tuple[str, ...]:
    """The shapes that a piece can have on the table.

    >>> kinds("parallelogram"), kinds("small")
    (('parallelogram', 'mirrored'), ('small',))
    """
    return ("parallelogram", "mirrored") if piece == "parallelogram" else (piece,)


def rotation(angle: float) -> Floats:
    """The matrix that turns column vectors by an angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
