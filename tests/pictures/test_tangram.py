from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.pictures.tangram import SHARES, area, assembled, tangram

OUTLINES = {p.id: p.points for p in assembled().pieces}


def test_the_assembled_square_is_cut_true() -> None:
    figure = assembled()
    total = sum(p.area for p in figure.pieces)
    assert total == 160**2
    for piece in figure.pieces:
        assert piece.area / total == SHARES[piece.type]
    corners = np.vstack(list(figure.unit.values()))
    assert corners.min() == 0
    assert corners.max() == 1


@given(
    st.integers(0, 3),
    st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)),
    st.floats(0.01, 100),
)
def test_area_does_not_move_with_the_polygon(roll: int, shift: tuple, scale: float) -> None:
    points = np.array([(0, 0), (3, 0), (4, 2), (1, 2)], float)
    moved = np.roll(points, roll, axis=0) * scale + shift
    assert area(moved) == pytest.approx(6 * scale**2, rel=1e-6)
    assert area(moved[::-1]) == pytest.approx(6 * scale**2, rel=1e-6)


def test_a_wide_figure_is_centred_in_its_square() -> None:
    figure = tangram("wide", {i: [(2 * x, y) for x, y in p] for i, p in OUTLINES.items()}, 320, 160)
    corners = np.vstack(list(figure.unit.values()))
    assert figure.side == 320
    assert corners.min(axis=0).tolist() == [0, 0.25]
    assert corners.max(axis=0).tolist() == [1, 0.75]


def test_types_do_not_come_from_ids() -> None:
    mixed = {8 - i: points for i, points in OUTLINES.items()}
    types = {p.id: p.type for p in tangram("mixed", mixed, 160, 160).pieces}
    assert types == {8 - p.id: p.type for p in assembled().pieces}


def test_a_rhombus_is_nearer_to_the_square_than_the_parallelogram_is() -> None:
    slanted = [(0, 0), (40, 40), (40, 96), (0, 56)]
    types = {p.id: p.type for p in tangram("odd", {**OUTLINES, 1: slanted}, 160, 160).pieces}
    assert (types[1], types[2]) == ("square", "parallelogram")


@pytest.mark.parametrize(
    ("outlines", "why"),
    [
        (
            {i: p for i, p in OUTLINES.items() if i != 4},
            r"pieces 1 to 7, this one has \[1, 2, 3, 5",
        ),
        ({**OUTLINES, 8: OUTLINES[7]}, r"pieces 1 to 7"),
        ({**OUTLINES, 3: [(0, 0), (1, 1), (2, 2)]}, r"piece 3 is degenerate"),
        ({**OUTLINES, 1: [(0, 0), (2, 2), (2, 0), (0, 2)]}, r"piece 1 is degenerate"),
        ({**OUTLINES, 1: OUTLINES[3]}, r"five triangles and two quadrilaterals"),
    ],
)
def test_what_is_no_tangram(outlines: dict, why: str) -> None:
    with pytest.raises(BadInput, match=rf"odd: .*{why}"):
        tangram("odd", outlines, 160, 160)
