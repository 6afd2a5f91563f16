"""Scans of known tangrams, made: ink on paper, seams with gaps, blur, noise, turned and tilted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage

from deixis.pictures.scan.shapes import rotation
from deixis.pictures.scan.upright import moved, seen_from_above
from deixis.pictures.tangram import Floats, Tangram

FINE = 2
"""Drawn so much larger, then reduced."""


@dataclass(frozen=True)
class Wear:
    """How a scan differs from a drawing.

    Attributes:
        size: longest side of the figure, in pixels.
        margin: white space around it, as a fraction of that side.
        seam: width of the lines between pieces, as a fraction of that side.
        degrees: it is turned by up to so many, either way.
        gaps: how many places of lines are missing.
        gap: length of each, as a fraction of the side.
        blur: standard deviation, in pixels.
        noise: standard deviation, as a fraction of white.
        shade: by how much paper darkens from one corner to the opposite one.
        drawn: whether pieces are outlined in ink instead of filled with it.
        tilt: degrees by which it is looked at from aside, from 2.5 times as far as it is long.
    """

    size: int = 480
    margin: float = 0.08
    seam: float = 0.01
    degrees: float = 5.0
    gaps: int = 3
    gap: float = 0.02
    blur: float = 1.0
    noise: float = 0.04
    shade: float = 0.15
    drawn: bool = False
    tilt: float = 0.0


def scan(
    figure: Tangram, rng: np.random.Generator, wear: Wear = Wear()
) -> tuple[NDArray[np.uint8], dict[int, Floats]]:
    """A scan of a tangram, and where its pieces really are in it.

    Args:
        figure: the tangram.
        rng: of the angle, the gaps and the noise.
        wear: what happens to it.

    Returns:
        Gray pixels, shape (height, width); and corners by piece id, shape (3 or 4, 2), in pixels
        (x, y), the middle of the first pixel being (0, 0).
    """
    corners = _placed(figure, rng, wear)
    everything = np.vstack(list(corners.values()))
    width, height = np.ceil(everything.max(axis=0) + wear.margin * wear.size).astype(int)
    canvas = Image.new("L", (int(width) * FINE, int(height) * FINE), 255)
    pen = ImageDraw.Draw(canvas)
    line = max(1, round(wear.seam * wear.size * FINE))
    ink, seam = (255, 40) if wear.drawn else (40, 255)
    outlines = {i: (c + 0.5) * FINE for i, c in corners.items()}
    for outline in outlines.values():
        pen.polygon(outline.ravel().tolist(), fill=ink)
    for outline in outlines.values():
        closed = np.vstack([outline, outline[:2]])
        pen.line(closed.ravel().tolist(), fill=seam, width=line, joint="curve")
    _break(pen, list(outlines.values()), rng, wear, ink, line)
    gray = np.asarray(canvas.reduce(FINE))
    if wear.tilt:
        aside = seen_from_above(gray, _aside(gray.shape, wear.tilt, rng))
        assert aside is not None, "tilted too far"
        gray, matrix = aside
        corners = {i: moved(c, matrix) for i, c in corners.items()}
    return _worn(gray.astype(np.float64), rng, wear), corners


def _aside(shape: tuple[int, ...], tilt: float, rng: np.random.Generator) -> Floats:
    """What a camera makes of a sheet that is tilted about an axis in any direction."""
    middle = np.eye(3)
    middle[:2, 2] = shape[1] / 2, shape[0] / 2
    turn = np.eye(3)
    turn[:2, :2] = rotation(rng.uniform(0, 2 * np.pi))
    sine, cosine = np.sin(np.deg2rad(tilt)), np.cos(np.deg2rad(tilt))
    tilted = np.array([[1, 0, 0], [0, cosine, 0], [0, sine / (2.5 * max(shape)), 1]])
    return np.asarray(middle @ turn @ tilted @ turn.T @ np.linalg.inv(middle))


def _placed(figure: Tangram, rng: np.random.Generator, wear: Wear) -> dict[int, Floats]:
    turn = rotation(np.deg2rad(rng.uniform(-wear.degrees, wear.degrees)))
    scale = wear.size / figure.side
    turned = {p.id: np.array(p.points) @ turn.T * scale for p in figure.pieces}
    low = np.vstack(list(turned.values())).min(axis=0)
    return {i: c - low + wear.margin * wear.size for i, c in turned.items()}


def _break(
    pen: ImageDraw.ImageDraw,
    outlines: list[Floats],
    rng: np.random.Generator,
    wear: Wear,
    ink: int,
    line: int,
) -> None:
    """Paint over lines where two pieces meet, as where ink has run or a line was not printed."""
    half = wear.gap * wear.size * FINE / 2
    done, tries = 0, 0
    while done < wear.gaps and tries < 200:
        tries += 1
        outline = outlines[int(rng.integers(len(outlines)))]
        k = int(rng.integers(len(outline)))
        edge = outline[(k + 1) % len(outline)] - outline[k]
        length = float(np.hypot(*edge))
        way = edge / length
        across = np.array([-way[1], way[0]])
        middle = outline[k] + rng.uniform(0.2, 0.8) * edge
        sides = [middle + across * s * line * 1.5 for s in (-1, 1)]
        if not all(any(_within(o, p) for o in outlines) for p in sides) or length < 4 * half:
            continue
        ends = [middle - half * way, middle + half * way]
        pen.line(np.ravel(ends).tolist(), fill=ink, width=line + 2 * FINE)
        done += 1


def _within(outline: Floats, point: Floats) -> bool:
    edges = np.roll(outline, -1, axis=0) - outline
    to = point - outline
    turns = edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0]
    return bool((turns > 0).all() or (turns < 0).all())


def _worn(gray: Floats, rng: np.random.Generator, wear: Wear) -> NDArray[np.uint8]:
    y, x = np.mgrid[: gray.shape[0], : gray.shape[1]]
    falling = (x / gray.shape[1] + y / gray.shape[0]) / 2
    lit = ndimage.gaussian_filter(gray, wear.blur) * (0.95 - wear.shade * falling)
    noisy = lit + rng.normal(0, wear.noise * 255, gray.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), dtype=np.uint8)
