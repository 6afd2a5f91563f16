"""Rooms as pictures: every attribute can be seen."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from deixis.worlds.interiors.attributes import ATTRIBUTES
from deixis.worlds.interiors.words import Scene

SIZE = 224
"""Side of the canvas on which rooms are laid out."""

_HORIZON = 150
_INK = "#333333"


def paint(scene: Scene, size: int = SIZE) -> NDArray[np.uint8]:
    """Pixels of a room, shape (size, size, 3), RGB."""
    of = dict(zip((a.name for a in ATTRIBUTES), scene, strict=True))
    canvas = Image.new("RGB", (SIZE, SIZE), ("#f4dc7c", "#8fb8e8")[of["walls"]])
    pen = ImageDraw.Draw(canvas)
    for part in (_floor, _window, _wall, _door, _furniture, _table, _floor_things):
        part(pen, of)
    if size != SIZE:
        canvas = canvas.resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(canvas)


def _floor(pen: ImageDraw.ImageDraw, of: Mapping[str, int]) -> None:
    pen.rectangle((0, _HORIZON, SIZE, SIZE), ("#b5793f", "#e5e5e5")[of["floor"]])
    step = (12, 24)[of["floor"]]
    for y in range(_HORIZON, SIZE, step):
        pen.line((0, y, SIZE, y), _INK)
    if of["floor"]:
        for x in range(0, SIZE, step):
            pen.line((x, _HORIZON, x, SIZE), _INK)


def _window(pen: ImageDraw.ImageDraw, of: Mapping[str, int]) -> None:
    pen.rectangle((80, 20, 144, 84), ("#c9ecff", "#10183c")[of["window"]], _INK, 2)
    pen.ellipse((118, 28, 134, 44), ("#ffd21f", "#e8e8d8")[of["window"]])
    curtain = ("#ffffff", "#7b3fa0")[of["curtains"]]
    for left in (68, 136):
        pen.rectangle((left, 16, left + 20, 92), curtain, _INK)


def _wall(pen: ImageDraw.ImageDraw, of: Mapping[str, int]) -> None:
    if not of["painting"]:
        pen.rectangle((166, 24, 208, 56), "#3f7f4f", "#6b4a1e", 4)
    if not of["clock"]:
        pen.ellipse((176, 64, 200, 88), "white", _INK, 2)
        pen.line((188, 76, 188, 68), _INK, 2)
        pen.line((188, 76, 194, 76), _INK, 2)


def _door(pen: ImageDraw.ImageDraw, of: Mapping[str, int]) -> None:
    if of["door"]:
        pen.rectangle((8, 60, 52, _HORIZON), "#8a5a2b", _INK, 2)
        pen.ellipse((42, 104, 48, 110), "#e8c547")
    else:
        pen.rectangle((8, 60, 52, _HORIZON), "#1c1c1c", _INK, 2)
        pen.polygon(((8, 60), (24, 70), (24, 164), (8, _HORIZON)), "#8a5a2b", _INK)


def _furniture(pen: ImageDraw.ImageDraw, of: Mapping[str, int]) -> None:
    """A stove or a bed, and the lamp."""
    if of["room"]:
        pen.rectangle((160, 120, 222, 152), "#d04f6a", _INK)
        pen.rectangle((160, 110, 180, 130), "white", _INK)
    else:
        pen.rectangle((170, 104, 214, 154), "#9a9a9a", _INK, 2)
        for x in (180, 200):
            pen.ellipse((x, 106, x + 8, 114), "#222222")
    if not of["lamp"]:
        pen.ellipse((52, 94, 92, 134), "#fff3a0")
    pen.polygon(((62, 122), (82, 122), (76, 102), (68, 102)), ("#ffb300", "#6d6d6d")[of["lamp"]])
    pen.line((72, 122, 72, 160), _INK, 3)


def _table(pen: ImageDraw.ImageDraw, of: Mapping[str, int]) -> None:
    """The table, its chairs, and the cup."""
    for x in (82, 148):
        pen.rectangle((x, 134, x + 10, 168), "#5a3a1a", _INK)
    if of["table"]:
        pen.rectangle((96, 140, 144, 160), "#c58f4f", _INK, 2)
    else:
        pen.ellipse((94, 136, 146, 162), "#c58f4f", _INK, 2)
    if of["chairs"]:
        pen.rectangle((113, 152, 127, 180), "#5a3a1a", _INK)
    pen.rectangle((114, 132, 126, 146), ("#d62222", "#1e9e3c")[of["cup"]], _INK)


def _floor_things(pen: ImageDraw.ImageDraw, of: Mapping[str, int]) -> None:
    """The rug, the cat, the plant and the box."""
    pen.rectangle((70, 184, 150, 214), "#c05a8a", _INK)
    if not of["rug"]:
        for x in range(76, 150, 12):
            pen.rectangle((x, 185, x + 5, 213), "#f5e6ee")
    if not of["cat"]:
        pen.ellipse((96, 190, 126, 208), "#222222")
        pen.polygon(((92, 188), (96, 178), (102, 188)), "#222222")
        pen.ellipse((88, 184, 104, 198), "#222222")
    top = (120, 168)[of["plant"]]
    pen.rectangle((14, 192, 34, 212), "#a0522d", _INK)
    pen.polygon(((24, top), (10, 192), (38, 192)), "#2e8b3d", _INK)
    pen.rectangle((172, 180, 206, 210), ("#ff9a2e", "#6b4423")[of["box"]], _INK, 2)
