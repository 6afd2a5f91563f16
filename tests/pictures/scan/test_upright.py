"""A plane seen from an angle, and turned back."""

from __future__ import annotations

import numpy as np

from deixis.pictures.scan.upright import Bend, moved, seen_from_above


def test_a_bend_moves_points_as_it_says() -> None:
    bend = Bend(np.array([50.0, 40.0]), 20.0, np.array([0.02, 0.01]), np.array([0.1, 0.0]))
    points = np.array([[50.0, 40.0], [70.0, 40.0], [50.0, 60.0]])
    expected = [[50, 40], [50 + 20 * 1.02 / 0.9, 40 + 20 * 0.01 / 0.9], [50.2, 40 + 20 * 0.98]]
    assert np.allclose(moved(points, bend.matrix), expected)
    assert 0.06 < bend.size < 0.062


def test_a_scan_is_moved_whole_unless_it_would_be_stretched_too_far() -> None:
    gray = np.full((60, 80), 200, np.uint8)
    gray[30, 40] = 0
    mild = Bend(np.array([40.0, 30.0]), 20.0, np.zeros(2), np.array([0.05, 0.0])).matrix
    found = seen_from_above(gray, mild)
    assert found is not None
    above, matrix = found
    x, y = moved(np.array([[40.0, 30.0]]), matrix)[0]
    assert above[round(y), round(x)] < 150
    assert above.shape[0] >= 60 <= above.shape[1]
    wild = Bend(np.array([40.0, 30.0]), 20.0, np.zeros(2), np.array([0.45, 0.0])).matrix
    assert seen_from_above(gray, wild) is None
