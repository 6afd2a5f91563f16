"""Scenes of boxes with things in them, as NLVR draws them: to pixels and back, exactly.

A picture shows boxes of 100 × 100 pixels on light grey, from left to right, with grey bars of 50
pixels between them (Suhr, Lewis, Yeh and Artzi, ACL 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from deixis.errors import BadInput

Pixels = NDArray[np.uint8]

SIDE, BAR = 100, 50
"""Sizes of a box and of a bar between boxes, in pixels."""

SHAPES = ("square", "circle", "triangle")
SIZES = (10, 20, 30)
COLORS = {"black": (0, 0, 0), "yellow": (255, 255, 0), "blue": (0, 153, 255)}
GROUND, GREY = (211, 211, 211), (128, 128, 128)

NAMES = {"Black": "black", "Yellow": "yellow", "#0099ff": "blue"}
"""Colors as NLVR's files write them."""

PERMUTATIONS = tuple(permutations(range(3)))
"""The order of boxes in NLVR's picture number k: picture position → index in the record."""

_NEAR = 60
"""Sum of differences over the three channels within which a pixel has a color."""

_SPECK = 15
"""Components with fewer pixels are edges of something else."""


@dataclass(frozen=True, slots=True, order=True)
class Thing:
    """One thing in a box; its left upper corner is at (x, y), in pixels of the box."""

    y: int
    x: int
    size: int
    shape: str
    color: str

    @property
    def walls(self) -> frozenset[str]:
        """The walls of its box that it touches.

        >>> sorted(Thing(0, 80, 20, "circle", "blue").walls)
        ['right', 'top']
        """
        touched = {
            "top": self.y == 0,
            "left": self.x == 0,
            "bottom": self.y + self.size == SIDE,
            "right": self.x + self.size == SIDE,
        }
        return frozenset(wall for wall, touches in touched.items() if touches)


Scene = tuple[tuple[Thing, ...], ...]
"""The things of each box, boxes from left to right, things from top to bottom."""


def scene(boxes: Sequence[Sequence[dict[str, Any]]]) -> Scene:
    """The scene of a ``structured_rep`` of NLVR."""
    return tuple(tuple(sorted(map(_from_record, box))) for box in boxes)


def permuted(boxes: Scene, k: int) -> Scene:
    """The scene with its three boxes in the order of picture number k.

    >>> permuted(((), (Thing(0, 0, 10, "square", "blue"),), ()), 4)[2]
    (Thing(y=0, x=0, size=10, shape='square', color='blue'),)
    """
    return tuple(boxes[i] for i in PERMUTATIONS[k])


def is_tower(boxes: Scene) -> bool:
    """Whether its things are blocks in stacks (squares of size 20 at x = 40), not scattered."""
    return all(t.shape == "square" and t.size == 20 and t.x == 40 for box in boxes for t in box)


def draw_scene(boxes: Scene) -> Pixels:
    """Draw a scene, edges of circles and triangles anti-aliased.

    Returns:
        Shape (100, 150 n - 50, 3) for n boxes, RGB.
    """
    canvas = np.full((SIDE, (SIDE + BAR) * len(boxes) - BAR, 3), GREY, np.uint8)
    for number, box in enumerate(boxes):
        left = number * (SIDE + BAR)
        canvas[:, left : left + SIDE] = GROUND
        for thing in box:
            place = canvas[thing.y :, left + thing.x :][: thing.size, : thing.size]
            cover = _coverage(thing.shape, thing.size)[: place.shape[0], : place.shape[1], None]
            place[:] = np.rint(cover * COLORS[thing.color] + (1 - cover) * place)
    return canvas


def decode(pixels: Pixels) -> Scene:
    """Read a scene from its pixels.

    Per color, connected pixels are one thing: the bounding box gives place and size, the share
    of it that is filled gives the shape.

    Args:
        pixels: shape (100, 150 n - 50, 3), RGB.

    Raises:
        BadInput: the picture is not of this form.
    """
    height, width = pixels.shape[:2]
    if height != SIDE or (width + BAR) % (SIDE + BAR):
        raise BadInput(f"a picture of {width} × {height} pixels is no scene of boxes")
    boxes: list[list[Thing]] = [[] for _ in range((width + BAR) // (SIDE + BAR))]
    # One plane for each channel, contiguous: several times faster than rows of three.
    planes = np.ascontiguousarray(pixels.transpose(2, 0, 1)).astype(np.int16)
    for name, color in COLORS.items():
        near = sum(np.abs(p - c) for p, c in zip(planes, color, strict=True)) < _NEAR
        labels, count = ndimage.label(near)
        areas = np.bincount(labels.ravel(), minlength=count + 1)
        for number, (rows, columns) in enumerate(ndimage.find_objects(labels), start=1):
            if areas[number] >= _SPECK:
                box, x = divmod(columns.start, SIDE + BAR)
                width = columns.stop - columns.start
                boxes[box].append(_thing(name, rows, width, x, areas[number]))
    return tuple(tuple(sorted(b)) for b in boxes)


def _from_record(raw: dict[str, Any]) -> Thing:
    return Thing(raw["y_loc"], raw["x_loc"], raw["size"], raw["type"], NAMES[raw["color"]])


def _thing(color: str, rows: slice, width: int, x: int, area: int) -> Thing:
    height = rows.stop - rows.start
    size = min(SIZES, key=lambda s: abs(s - max(width, height)))
    filled = area / (width * height)
    shape = "square" if filled > 0.9 else "circle" if filled > 0.66 else "triangle"
    # Edges are too faint to count: what is missing is missing on both sides, or at the apex.
    left = x - (size - width) // 2
    return Thing(rows.stop - size if shape == "triangle" else rows.start, left, size, shape, color)


@cache
def _coverage(shape: str, size: int, fine: int = 16) -> NDArray[np.float64]:
    """Share of each pixel that the shape covers, shape (size, size)."""
    if shape == "square":
        return np.ones((size, size))
    steps = (np.arange(size * fine) + 0.5) / fine
    x, y = np.meshgrid(steps - size / 2, steps)
    inside = np.hypot(x, y - size / 2) <= size / 2 if shape == "circle" else np.abs(x) <= y / 2
    return np.asarray(inside.reshape(size, fine, size, fine).mean(axis=(1, 3)))
