from __future__ import annotations

import numpy as np
import pytest

from deixis.pictures.features import group_features
from deixis.pictures.tangram import TYPES, assembled, tangram

ALL = (1, 2, 3, 4, 5, 6, 7)


def mirrored() -> object:
    outlines = {p.id: [(160 - x, y) for x, y in p.points] for p in assembled().pieces}
    return tangram("mirrored", outlines, 160, 160)


def test_shapes_and_ranges() -> None:
    for pieces in [(1,), (6, 7), ALL]:
        measured, coverage = group_features(assembled(), pieces)
        assert measured.shape == (45,)
        assert coverage.shape == (256,)
        assert np.isfinite(measured).all()
        assert coverage.min() >= 0
        assert coverage.max() <= 1


def test_counts_and_shares() -> None:
    measured, _ = group_features(assembled(), (6, 3, 4))
    counts = dict(zip(TYPES, measured[:5], strict=True))
    assert counts == {"square": 0, "parallelogram": 0, "small": 2, "medium": 0, "large": 1}
    assert measured[5:10].tolist() == [0, 0, 1, 0, 1]
    assert measured[10:16].tolist() == [1, 0, 0, 1, 0, 0], "three pieces"
    assert measured[16:18] == pytest.approx([3 * 3 / 8, 2 * np.sqrt(3 / 8)])


def test_the_order_of_pieces_does_not_matter() -> None:
    one, other = group_features(assembled(), (2, 5, 7)), group_features(assembled(), (7, 2, 5))
    assert np.allclose(one[0], other[0])
    assert np.allclose(one[1], other[1])


def test_a_mirror_turns_left_to_right() -> None:
    (here, _), (there, _) = group_features(assembled(), (5,)), group_features(mirrored(), (5,))
    place_x, place_y = 20, 21
    assert here[place_x] == pytest.approx(-there[place_x])
    assert here[place_x] > 0.1
    assert here[place_y] == pytest.approx(there[place_y])
