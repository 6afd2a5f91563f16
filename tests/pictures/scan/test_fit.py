"""Laying true pieces: distances, slopes, and finding a piece from its own depths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deixis.pictures.scan.fit import Placed, Region, place, refine
from deixis.pictures.scan.shapes import OUTLINES, SET, SHAPES, rotation
from deixis.pictures.tangram import SHARES, area


def ideal(placed: Placed, side: float, seam: float = 0.0) -> Region:
    """What a perfect scan would say of a piece: pixels inside, and how deep they are."""
    low, high = placed.corners(side).min(axis=0), placed.corners(side).max(axis=0)
    grid = np.stack(np.meshgrid(*(np.arange(a, b, 2.0) for a, b in zip(low, high, strict=True))))
    points = grid.reshape(2, -1).T
    local = (points - [placed.x, placed.y]) @ rotation(placed.angle)
    depth = SHAPES[placed.shape].inside(local, side).min(axis=-1) - seam
    kept = depth > 3
    return Region(points[kept], depth[kept], points[kept].mean(axis=0))


def test_the_seven_have_the_areas_that_true_pieces_have() -> None:
    assert {p: area(OUTLINES[p]) / 8 for p in set(SET)} == pytest.approx(SHARES)
    assert sum(area(OUTLINES[p]) for p in SET) == pytest.approx(8)


@pytest.mark.parametrize("name", SHAPES)
def test_middles_are_inside_and_corners_lie_on_two_edges(name: str) -> None:
    shape = SHAPES[name]
    assert (shape.inside(np.zeros(2), 1.0) > 0).all()
    on = np.isclose(shape.inside(shape.corners, 1.0), 0)
    assert (on.sum(axis=1) == 2).all()


@settings(max_examples=20)
@given(
    name=st.sampled_from(sorted(SHAPES)),
    angle=st.floats(0, 2 * np.pi),
    seam=st.floats(0, 2),
)
def test_a_piece_is_found_whatever_its_direction(name: str, angle: float, seam: float) -> None:
    true = Placed(name, 70.0, 60.0, angle)
    region = ideal(true, 60.0, seam)
    piece = "parallelogram" if name == "mirrored" else name
    off, found = place(region, piece, 60.0, seam)
    assert found.shape == name
    assert off < 2.5
    (better,), side, at = refine([region], [found], 58.0, seam)
    gaps = better.gaps(region, side, at)
    assert np.abs(gaps).max() < 0.1  # one piece alone does not tell its size from its seam


def test_the_wrong_piece_fits_badly() -> None:
    region = ideal(Placed("medium", 70, 60, 0.3), 60.0)
    offs = {p: place(region, p, 60.0, 0.0)[0] for p in set(SET)}
    assert min(offs, key=offs.__getitem__) == "medium"
    assert min(v for p, v in offs.items() if p != "medium") > 4 * offs["medium"]


def test_two_sizes_tell_the_side_from_the_seam() -> None:
    true = [Placed("small", 50, 50, 0.2), Placed("large", 250, 80, 1.3)]
    regions = [ideal(p, 60.0, 2.0) for p in true]
    start = [replace(p, x=p.x + 2, angle=p.angle + 0.04) for p in true]
    found, side, seam = refine(regions, start, 57.0, 0.0)
    assert (side, seam) == pytest.approx((60, 2), abs=0.05)
    for a, b in zip(found, true, strict=True):
        assert np.abs(a.corners(side) - b.corners(60.0)).max() < 0.1
