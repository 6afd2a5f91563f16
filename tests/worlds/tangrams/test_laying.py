"""The language, the geometry, exchanges and the layouts themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.worlds.tangrams.exchange import exchanges, moves
from deixis.worlds.tangrams.layouts import Layout, held_out, layouts
from deixis.worlds.tangrams.placing import KINDS, PIECES, SHAPES, lay, parse, unit
from deixis.worlds.tangrams.touch import area, clear, hull, overlap, union
from deixis.worlds.tangrams.vocabulary import MERGES, SYNONYMS

SQUARE = np.array([0, 1, 1 + 1j, 1j])


@pytest.mark.parametrize(
    "line", ["body", "body X 0", "body L", "body L 0 a>b", "body L 0 e>S.a", "body L 0 ~3 =1"]
)
def test_bad_lines_are_refused(line: str) -> None:
    with pytest.raises(BadInput, match="not a placement"):
        parse(line)


def test_points_meet() -> None:
    laid = lay([parse("a L 30"), parse("b S 45 bc>L.bc@.25"), parse("c t 10 b>S.d")])
    assert laid["S"][[1, 2]].mean() == pytest.approx(0.75 * laid["L"][1] + 0.25 * laid["L"][2])
    assert laid["t"][1] == pytest.approx(laid["S"][3])


def test_what_is_laid_on_a_piece_swings_with_it() -> None:
    lines = [parse("a L 0"), parse("b S 0 a>L.b"), parse("c t 0 a>S.c")]
    swung = lay(lines, swings={"S": 90})
    assert swung["S"][2] == pytest.approx(2 + (1 + 1j) * 1j)
    assert swung["t"][1] - swung["t"][0] == pytest.approx(1j)


def test_a_slide_stops_at_the_end_of_the_edge() -> None:
    lines = [parse("a L 0"), parse("b S 0 a>L.ab@.5 =3")]
    assert lay(lines, slides={"S": 0.5})["S"][0] == pytest.approx(1.5)
    assert lay(lines, slides={"S": 3})["S"][0] == pytest.approx(2)


def test_shapes_are_true_and_counterclockwise() -> None:
    areas = [area(SHAPES[p]) for p in PIECES]
    assert areas == pytest.approx([1, 1, 0.5, 0.5, 1, 2, 2])
    assert area(SHAPES["Q"]) == pytest.approx(1)


@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(0, 360))
def test_clear_agrees_with_the_shared_area(x: float, y: float, degrees: float) -> None:
    other = SHAPES["L"] * unit(degrees) + complex(x, y)
    shared = overlap(SQUARE, other)
    assert shared == pytest.approx(overlap(other, SQUARE), abs=1e-9)
    assert -1e-12 <= shared <= 1 + 1e-9
    if shared > 1e-6:
        assert not clear([SQUARE, other])
    if clear([SQUARE, other]):
        assert shared < 1e-6


def test_overlap_ignores_the_direction_of_corners() -> None:
    assert overlap(SQUARE[::-1], SQUARE + 0.25) == pytest.approx(0.75)
    assert overlap(SQUARE, SQUARE[::-1]) == pytest.approx(1)


def test_hull_leaves_out_corners_on_edges() -> None:
    assert len(hull(np.concatenate([SQUARE, SQUARE + 1, SQUARE + 1j, SQUARE + 1 + 1j]))) == 4


def test_union_needs_a_convex_outline() -> None:
    assert union([SQUARE, SQUARE + 1]) is not None
    assert union([SQUARE, SQUARE + 1, SQUARE + 1j]) is None


def test_two_small_triangles_change_places_with_a_square() -> None:
    lines = ["wall S 0", "roof t 0 a>S.d", "roof u 180 b>t.c"]
    laid = lay([parse(line) for line in lines])
    parts = {"S": "wall", "t": "roof", "u": "roof"}
    assert (("S",), ("t", "u")) in exchanges(laid, parts)
    for moved in moves(laid, ("S",), ("t", "u")):
        assert moved["S"].mean() == pytest.approx(0.5 + 1.5j)
        assert hull(np.concatenate([moved["t"], moved["u"]])).imag.max() == pytest.approx(1)
        assert clear(o if area(o) > 0 else o[::-1] for o in moved.values())


def test_like_pieces_are_not_exchanged() -> None:
    laid = lay([parse("a t 0"), parse("b u 0 a>t.b"), parse("c M 0 a>u.b")])
    assert exchanges(laid, {"t": "a", "u": "b", "M": "c"}) == []


@pytest.mark.parametrize("layout", layouts().values(), ids=lambda one: one.family)
def test_layout(layout: Layout) -> None:
    assert sorted(one.piece for one in layout.placements) == sorted(PIECES)
    laid = lay(layout.placements)
    assert clear(laid.values())
    assert layout.faces in ("left", "")
    assert layout.family not in layout.resembles
    assert set(layout.resembles) <= set(layouts())
    assert layout.resembles
    assert len(set(layout.parts.values())) >= 2
    for one in layout.placements:
        assert not one.swing or layout.senses[one.piece], f"{one.piece} can swing nowhere"
    for pair in layout.exchanges:
        for moved in moves(laid, *pair):
            silhouette = sum(abs(area(o)) for o in (laid | moved).values())
            assert silhouette == pytest.approx(8)


def test_many_figures_have_exchanges() -> None:
    assert sum(bool(one.exchanges) for one in layouts().values()) >= 20
    kinds = {
        tuple(sorted("".join(sorted(KINDS[p] for p in side)) for side in pair))
        for one in layouts().values()
        for pair in one.exchanges
    }
    assert {("S", "tt"), ("P", "tt"), ("M", "tt")} <= kinds


def test_held_out_families_stand_in_every_category() -> None:
    categories = {one.category for one in layouts().values()}
    assert {layouts()[family].category for family in held_out()} == categories


def test_the_vocabulary_knows_the_parts() -> None:
    nouns = {p.rstrip("0123456789") for one in layouts().values() for p in one.parts.values()}
    assert set(SYNONYMS) <= nouns
    assert set(MERGES) <= nouns
    assert {parent for parents in MERGES.values() for parent in parents} <= nouns
