"""Photographs from an angle: how a plane is bent by perspective, and how it looks from above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from deixis.pictures.scan.ink import Gray
from deixis.pictures.tangram import Floats


@dataclass(frozen=True)
class Bend:
    """What a view from an angle does to a plane, but for moves, turns and scale.

    With u, the way from the middle in units of the reach, a point belongs to (u + S u) / (1 - v u).

    Attributes:
        middle: of the figure, in pixels, shape (2,).
        reach: half its extent, in pixels.
        stretch: S, symmetric and without trace: by its first row, shape (2,).
        vanish: v, shape (2,).
    """

    middle: Floats
    reach: float
    stretch: Floats
    vanish: Floats

    @property
    def size(self) -> float:
        """About how far points are moved at most, as a fraction of the figure's extent."""
        return float(np.hypot(*self.stretch) + np.hypot(*self.vanish)) / 2

    @property
    def matrix(self) -> Floats:
        """From the scan's pixels to where they belong, shape (3, 3)."""
        a, b = self.stretch
        bent = np.array([[1 + a, b, 0], [b, 1 - a, 0], [*-self.vanish, 1]])
        x, y = self.middle
        there = np.array([[self.reach, 0, x], [0, self.reach, y], [0, 0, 1.0]])
        return np.asarray(there @ bent @ np.linalg.inv(there))


def bend(points: Floats, normals: Floats, slopes: Floats, away: Floats) -> Bend:
    """The bend by which lines would lie best on their edges, all else being free to follow.

    Args:
        points: on the lines, shape (n, 2).
        normals: of the edges they are to lie on, in the scan, shape (n, 2).
        slopes: how distances change with all else, shape (n, m).
        away: distances, shape (n,).
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle, reach = (low + high) / 2, float((high - low).max() / 2)
    u = (points - middle) / reach
    moves = [u * [1, -1], u[:, ::-1], u * u[:, :1], u * u[:, 1:]]
    columns = [reach * (normals * move).sum(axis=1) for move in moves]
    # What is off by far weighs less, as in the fit before.
    weight = np.sqrt(1 / np.sqrt(1 + (away / 0.5) ** 2))[:, None]
    system = np.column_stack([*columns, slopes]) * weight
    found = np.linalg.lstsq(system, -away * weight[:, 0], rcond=1e-9)[0]
    return Bend(middle, reach, found[:2], found[2:4])


HORIZON = 0.25
"""The farthest corner of a scan is at most so many times nearer to the horizon than the nearest."""


def seen_from_above(gray: Gray, matrix: Floats) -> tuple[Gray, Floats] | None:
    """A scan whose points are moved by a matrix, whole; and the matrix that did it in the end.

    Args:
        gray: shape (height, width).
        matrix: of shape (3, 3).

    Returns:
        None if that would stretch a corner of the scan too far.
    """
    height, width = gray.shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    depth = frame @ matrix[2, :2] + matrix[2, 2]
    if depth.min() < HORIZON * depth.max():
        return None
    frame = moved(frame, matrix)
    low = frame.min(axis=0)
    size = np.ceil(np.ptp(frame, axis=0)).astype(int)
    whole = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ matrix
    back = np.linalg.inv(whole)
    border = np.concatenate([gray[0], gray[-1], gray[:, 0], gray[:, -1]])
    made = Image.fromarray(gray).transform(
        (int(size[0]), int(size[1])),
        Image.Transform.PERSPECTIVE,
        (back / back[2, 2]).ravel()[:8].tolist(),
        Image.Resampling.BICUBIC,
        fillcolor=int(np.median(border)),
    )
    return np.asarray(made), whole


def moved(points: Floats, matrix: Floats) -> Floats:
    """Points of shape (n, 2), moved by a matrix of shape (3, 3)."""
    made = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(made[:, :2] / made[:, 2:])
