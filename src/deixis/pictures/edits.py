"""Edits of pixels, as a picture carries them: ``noise:raw:7``, ``mean``, ``grey``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from deixis.seeds import draw

Pixels = NDArray[np.uint8]


def blank(size: int) -> Pixels:
    """The empty canvas, white, shape (size, size, 3)."""
    return np.full((size, size, 3), 255, np.uint8)


def edit(pixels: Pixels, edits: tuple[str, ...]) -> Pixels:
    """Make edits in order.

    Args:
        pixels: shape (height, width, 3), RGB.
        edits: names with their arguments; each stands for one alteration.
    """
    for one in edits:
        name, *arguments = one.split(":")
        pixels = _EDITS[name](pixels, *arguments)
    return pixels


def noise(pixels: Pixels, manner: str, seed: str) -> Pixels:
    """Uniform noise in the picture's place.

    Args:
        pixels: shape (height, width, 3).
        manner: ``raw`` is U(0, 1) of the full range; ``matched`` has the picture's own mean and
            spread in each color channel.
        seed: of the draw.
    """
    unit = draw(int(seed), "pixels").random(pixels.shape, dtype=np.float32)
    if manner == "matched":
        mean, spread = pixels.mean(axis=(0, 1)), pixels.std(axis=(0, 1))
        unit = (mean + (unit - 0.5) * np.sqrt(12) * spread).astype(np.float32) / 255
    return np.asarray(np.clip(np.rint(unit * 255), 0, 255), dtype=np.uint8)


def mean(pixels: Pixels) -> Pixels:
    """Every pixel in the picture's mean color."""
    return np.broadcast_to(pixels.mean(axis=(0, 1)).round(), pixels.shape).astype(np.uint8)


def grey(pixels: Pixels) -> Pixels:
    """Every pixel middle grey."""
    return np.full_like(pixels, 128)


_EDITS: dict[str, Callable[..., Pixels]] = {"noise": noise, "mean": mean, "grey": grey}
