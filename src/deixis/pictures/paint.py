"""The published colors of parts, and painting a tangram by them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from deixis.pictures.tangram import Floats, Tangram
from deixis.trials import Paint

RGB = tuple[int, int, int]

COLORS: tuple[RGB, ...] = (
    (255, 127, 80),  # coral
    (255, 215, 0),  # gold
    (135, 206, 250),  # lightskyblue
    (255, 182, 193),  # lightpink
    (60, 179, 113),  # mediumseagreen
    (169, 169, 169),  # darkgrey
    (211, 211, 211),  # lightgrey
)
"""The color of each part position (Ji et al., EMNLP 2022), first part first."""

COLOR_NAMES = (
    "coral",
    "gold",
    "lightskyblue",
    "lightpink",
    "mediumseagreen",
    "darkgrey",
    "lightgrey",
)

BLACK: RGB = (0, 0, 0)

_SUPERSAMPLE = 2


def fill(position: int | None) -> RGB:
    """The color of a part position; black where there is none.

    >>> fill(0), fill(None)
    ((255, 127, 80), (0, 0, 0))
    """
    return BLACK if position is None else COLORS[position]


def render(figure: Tangram, paint: Paint | None = None, size: int = 224) -> NDArray[np.uint8]:
    """Pixels of a painted tangram on a white, centred square.

    As published: white outlines one canvas unit wide, centred on the edges, pieces drawn in the
    file's order.

    Args:
        figure: the tangram.
        paint: the part position of pieces 1 to 7; None paints all black.
        size: side in pixels.

    Returns:
        Shape (size, size, 3), RGB.
    """
    side = size * _SUPERSAMPLE
    canvas = Image.new("RGB", (side, side), "white")
    pen = ImageDraw.Draw(canvas)
    width = max(1, round(side / figure.side))
    for piece in figure.pieces:
        corners = (figure.unit[piece.id] * side).ravel().tolist()
        pen.polygon(corners, fill=fill(paint[piece.id - 1] if paint else None))
        pen.line([*corners, *corners[:4]], fill="white", width=width)
    return np.asarray(canvas.reduce(_SUPERSAMPLE))


def mask(outlines: Sequence[Floats], size: int, supersample: int = 4) -> NDArray[np.float32]:
    """How much of each pixel the outlines cover.

    Args:
        outlines: corners in the unit square, each of shape (corners, 2).
        size: side in pixels.
        supersample: subpixels per pixel side.

    Returns:
        Shape (size, size), 0 to 1.
    """
    side = size * supersample
    canvas = Image.new("L", (side, side), 0)
    pen = ImageDraw.Draw(canvas)
    for outline in outlines:
        pen.polygon((outline * side).ravel().tolist(), fill=255)
    return np.asarray(canvas.reduce(supersample), dtype=np.float32) / np.float32(255)


def silhouette(figure: Tangram, size: int = 96) -> NDArray[np.float32]:
    """Coverage of the whole figure, scaled by the longer side of its bounding box and centred.

    Returns:
        Shape (size, size), 0 to 1.
    """
    corners = np.vstack(list(figure.unit.values()))
    low, high = corners.min(axis=0), corners.max(axis=0)
    side = (high - low).max()
    shift = (side - (high - low)) / 2
    return mask([(c - low + shift) / side for c in figure.unit.values()], size)
