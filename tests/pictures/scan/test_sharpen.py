"""Edges on their lines: fractions of a pixel, what is not seen, and how sure places are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deixis.pictures.scan.fit import Placed
from deixis.pictures.scan.ink import Ink, read_ink
from deixis.pictures.scan.shapes import SET, SHAPES, kinds
from deixis.pictures.scan.sharpen import lines, sharpen
from deixis.pictures.scan.synthetic import Wear, scan
from deixis.pictures.tangram import Floats, assembled
from deixis.seeds import draw


def laid(corners: Floats, piece: str, side: float) -> Placed:
    """The true piece that has these corners."""
    found = []
    for name in kinds(piece):
        for k in range(len(corners)):
            given = np.roll(corners, k, axis=0)
            shape = SHAPES[name].corners * side
            away = given - given.mean(axis=0)
            at = shape - shape.mean(axis=0)
            angle = np.angle(np.sum(np.conj(at @ [1, 1j]) * (away @ [1, 1j])))
            turned = Placed(name, 0.0, 0.0, float(angle))
            x, y = (given - turned.corners(side)).mean(axis=0)
            made = replace(turned, x=float(x), y=float(y))
            found.append((float(np.abs(made.corners(side) - given).max()), made))
    return min(found, key=lambda f: f[0])[1]


def scanned(wear: Wear) -> tuple[Ink, list[Placed], float]:
    """A scan, where its pieces really are, and the side of its square."""
    figure = assembled()
    gray, true = scan(figure, draw(4, "scan"), wear)
    side = wear.size / np.sqrt(8)  # the seven make a square
    types = {p.id: p.type for p in figure.pieces}
    left = sorted(true)
    placed = []
    for piece in SET:
        here = next(i for i in left if types[i] == piece)
        left.remove(here)
        placed.append(laid(true[here], piece, side))
    return read_ink(gray, "scan"), placed, float(side)


def farthest(found: list[Placed], true: list[Placed], side: float, real: float) -> float:
    return max(
        float(np.abs(a.corners(side) - b.corners(real)).max())
        for a, b in zip(found, true, strict=True)
    )


@pytest.mark.parametrize("middle", [-1.3, 0.0, 2.25])
def test_a_line_is_found_between_pixels(middle: float) -> None:
    across = np.arange(-8, 8.5, 0.5)
    line = np.exp(-((across - middle) ** 2) / 4)
    rim = 1 / (1 + np.exp(-(across - middle) * 3))
    at, width = lines(np.stack([line, rim, 0 * line, 1 - rim]), across)
    assert at[:2] == pytest.approx(middle, abs=0.05)
    assert width[0] == pytest.approx(2 * 2 * np.sqrt(np.log(2)), abs=0.1)
    assert np.isinf(width[1])
    assert np.isnan(at[2:]).all()  # no line; and a row that begins in one


@pytest.mark.parametrize("drawn", [False, True])
def test_pieces_that_lie_about_right_are_laid_right(drawn: bool) -> None:
    ink, true, side = scanned(Wear(drawn=drawn))
    rng = draw(5, "off")
    start = [
        replace(p, x=p.x + rng.normal(0, 2), y=p.y + rng.normal(0, 2), angle=p.angle + 0.02)
        for p in true
    ]
    assert farthest(start, true, side * 0.98, side) > 4
    found = sharpen(ink, start, side * 0.98)
    assert found.side == pytest.approx(side, rel=0.004)
    assert farthest(found.placed, true, found.side, side) < 1.5
    assert (found.seen > 0.5).all()
    assert (found.off < 0.02 * side).all()
    assert found.unsure < 0.003 * 480


def test_a_piece_in_the_wrong_place_has_edges_that_are_not_seen() -> None:
    ink, true, side = scanned(Wear())
    away = [replace(true[0], x=true[0].x + 0.4 * side), *true[1:]]
    found = sharpen(ink, away, side)
    assert found.seen[0] < 0.25 or found.off[0] > 0.025 * side
    nowhere = [replace(p, x=-900.0) for p in true]
    assert sharpen(ink, nowhere, side).unsure == np.inf
