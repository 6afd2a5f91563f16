from __future__ import annotations

import math
import re
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.pictures.svg import read_svg, write_svg
from deixis.pictures.tangram import Point, Tangram, assembled, tangram

GOOD = write_svg(assembled())
POLYGON = re.compile(r"  <polygon[^>]*/>\n")


@pytest.fixture(scope="module")
def files(data: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(data / "kilogram/tangrams-svg.zip") as archive:
        return {
            Path(name).stem: archive.read(name)
            for name in archive.namelist()
            if name.endswith(".svg")
        }


@pytest.fixture(scope="module")
def tangrams(files: dict[str, bytes]) -> dict[str, Tangram]:
    return {name: read_svg(text, name) for name, text in files.items()}


def test_every_file_of_kilogram_is_a_tangram(tangrams: dict[str, Tangram]) -> None:
    assert len(tangrams) == 1013
    kinds = Counter(tuple(sorted(p.type for p in t.pieces)) for t in tangrams.values())
    seven = ("large", "large", "medium", "parallelogram", "small", "small", "square")
    assert kinds == {seven: 1013}
    shapes = Counter(np.sign(t.height - t.width) for t in tangrams.values())
    assert shapes == {1: 483, -1: 474, 0: 56}


def test_files_with_matrices_and_with_spaces_are_read_too(files: dict[str, bytes]) -> None:
    points = {name: re.findall(rb' points="([^"]*)"', text) for name, text in files.items()}
    spaced = {name for name, lists in points.items() if any(b"," not in one for one in lists)}
    moved = {name for name, text in files.items() if b"matrix(" in text}
    assert (len(moved), len(spaced)) == (18, 37)
    hand_made = {f"page-{letter}" for letter in "ABCDEFGHIJKL"}
    assert hand_made <= moved & spaced


def test_matrices_bring_the_hand_made_figures_onto_their_canvas(
    files: dict[str, bytes], tangrams: dict[str, Tangram]
) -> None:
    outside = 0
    for letter in "ABCDEFGHIJKL":
        name = f"page-{letter}"
        figure = tangrams[name]
        corners = np.array([c for p in figure.pieces for c in p.points])
        margins = [*corners.min(axis=0), *([figure.width, figure.height] - corners.max(axis=0))]
        assert 0.9 < min(margins) < 5, name
        listed = re.findall(rb' points="([^"]*)"', files[name])
        raw = np.array([float(v) for one in listed for v in one.split()]).reshape(-1, 2)
        outside += bool((raw < 0).any() or (raw > [figure.width, figure.height]).any())
    assert outside == 11


def test_types_are_read_off_the_geometry_not_the_ids(tangrams: dict[str, Tangram]) -> None:
    for name, figure in tangrams.items():
        area = {p.id: p.area for p in figure.pieces}
        typed = {p.id: p.type for p in figure.pieces}
        triangles = sorted((3, 4, 5, 6, 7), key=lambda i: area[i])
        assert [typed[i] for i in triangles] == ["small", "small", "medium", "large", "large"], name
        exchanged = name in ("page-G", "page-I", "page-J")
        assert (typed[3] == "medium") == exchanged, name
        assert {typed[1], typed[2]} == {"square", "parallelogram"}, name
        assert typed[1] == "square", name


def test_a_matrix_is_applied_as_svg_says() -> None:
    moved = GOOD.replace('id="1"', 'id="1" transform="matrix(1, 0.5, 0, 2, 3, -4)"')
    before, after = read_svg(GOOD.encode(), "a").pieces[0], read_svg(moved.encode(), "a").pieces[0]
    expected = [(x + 3, 0.5 * x + 2 * y - 4) for x, y in before.points]
    assert np.allclose(after.points, expected)


def placed(angles: list[float], shifts: list[Point], flips: list[bool]) -> Tangram:
    """True pieces anywhere on a canvas of 400 × 600."""
    outlines = {}
    for piece, angle, shift, flip in zip(assembled().pieces, angles, shifts, flips, strict=True):
        points = np.array(piece.points) - np.mean(piece.points, axis=0)
        points = points * [-1, 1] if flip else points
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        outlines[piece.id] = [(float(x), float(y)) for x, y in points @ turn.T + shift]
    return tangram("drawn", outlines, 400, 600)


drawn = st.builds(
    placed,
    st.lists(st.floats(0, 7), min_size=7, max_size=7),
    st.lists(st.tuples(st.floats(100, 300), st.floats(100, 500)), min_size=6, max_size=6).map(
        lambda shifts: [(300.0, 500.0), *shifts]
    ),
    st.lists(st.booleans(), min_size=7, max_size=7),
).filter(lambda t: np.ptp([c for p in t.pieces for c in p.points], axis=0).max() > 160)


@given(drawn)
def test_what_is_written_is_read_back_to_the_last_digit(figure: Tangram) -> None:
    assert read_svg(write_svg(figure).encode(), "drawn") == figure


def test_real_files_are_written_and_read_back(tangrams: dict[str, Tangram]) -> None:
    for name, figure in tangrams.items():
        assert read_svg(write_svg(figure).encode(), name) == figure


def test_fills_are_written_and_quoted() -> None:
    text = write_svg(assembled(), {3: 'red"/><script>'})
    assert 'fill="lightgray"' in text
    assert read_svg(text.encode(), "a") == read_svg(GOOD.encode(), "a")
    assert "<script>" not in text


def without(number: int) -> str:
    return POLYGON.sub("", GOOD, count=number)


def with_points(points: str) -> str:
    return re.sub(r'(id="1" points=)"[^"]*"', rf'\1"{points}"', GOOD)


def inside(extra: str) -> str:
    return GOOD.replace("</svg>", f"{extra}</svg>")


def boxed(box: str) -> str:
    return re.sub(r'viewBox="[^"]*"', f'viewBox="{box}"', GOOD)


BOMB = (
    '<!DOCTYPE svg [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY a{i} "{"&a;" * 10}">' for i in range(9))
    + "]>"
)
EXTERNAL = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'

HOSTILE = {
    "an entity bomb": (BOMB + GOOD, "a document type declaration"),
    "an external entity": (EXTERNAL + inside("<desc>&x;</desc>"), "a document type declaration"),
    "an external type": ('<!DOCTYPE svg SYSTEM "http://x/y.dtd">' + GOOD, "document type"),
    "an external reference": (inside(f'<g {XLINK} xlink:href="http://x/y.svg"/>'), "a reference"),
    "a plain reference": (inside('<g href="#x"/>'), "a reference"),
    "a style sheet": ('<?xml-stylesheet href="x.css"?>' + GOOD, "a processing instruction"),
    "a script": (inside("<script>alert(1)</script>"), "a script element"),
    "a picture": (inside('<image width="9"/>'), "a image element"),
    "a use": (inside("<use/>"), "a use element"),
    "a style": (inside("<style>polygon{display:none}</style>"), "a style element"),
    "a path": (inside('<path d="M0 0"/>'), "a path element"),
    "HTML inside": (inside('<p xmlns="http://www.w3.org/1999/xhtml"/>'), "another language"),
    "a moved group": (inside('<g transform="scale(0)"/>'), "a g element"),
    "an svg inside": (inside("<svg/>"), "a svg element"),
    "six pieces": (without(1), "seven polygons, this file has 6"),
    "no piece": (without(7), "seven polygons, this file has 0"),
    "eight pieces": (GOOD.replace("</svg>", GOOD[GOOD.index("  <poly") :]), "this file has more"),
    "an id twice": (GOOD.replace('id="2"', 'id="1"'), "ids 1 to 7, once each, got '1'"),
    "an id beyond": (GOOD.replace('id="2"', 'id="8"'), "ids 1 to 7, once each, got '8'"),
    "no id": (GOOD.replace('id="2" ', ""), "ids 1 to 7, once each, got ''"),
    "a long id": (GOOD.replace('id="2"', f'id="{"9" * 10_000}"'), "ids 1 to 7, once each"),
    "no area": (with_points("0,0 1,1 2,2 3,3"), "piece 1 is degenerate"),
    "all corners one": (with_points("1,1 1,1 1,1 1,1"), "piece 1 is degenerate"),
    "a bow tie": (with_points("0,0 80,80 80,0 0,80"), "piece 1 is degenerate"),
    "a dart": (with_points("0,0 40,20 80,0 40,80"), "piece 1 is degenerate"),
    "three quadrilaterals": (
        re.sub(r'(id="3" points=)"[^"]*"', r'\1"0,0 20,0 20,20 0,20"', GOOD),
        "five triangles and two quadrilaterals",
    ),
    "two corners": (with_points("0,0 1,1"), "piece 1 needs 3 or 4 points"),
    "an odd number": (with_points("0,0 1,1 2"), "piece 1 needs 3 or 4 points"),
    "no points": (with_points(""), "points of piece 1: expected numbers"),
    "not a number": (with_points("nan,0 1,0 1,1 0,1"), "points of piece 1: expected numbers"),
    "infinity": (with_points("inf,0 1,0 1,1 0,1"), "points of piece 1: expected numbers"),
    "words": (with_points("a,b c,d"), "points of piece 1: expected numbers"),
    "underscores": (with_points("1_0,0 1,0 1,1 0,1"), "points of piece 1: expected numbers"),
    "a number too large": (with_points("1e999,0 1,0 1,1 0,1"), "a number beyond 100000"),
    "a million numbers": (with_points("1 " * 1_000_000), "points of piece 1: expected numbers"),
    "a wrong matrix": (
        GOOD.replace('id="1"', 'id="1" transform="matrix(1 0 0 1)"'),
        "the transform of piece 1 is no matrix of six",
    ),
    "a rotation": (
        GOOD.replace('id="1"', 'id="1" transform="rotate(45)"'),
        "transform of piece 1: expected numbers",
    ),
    "a giant canvas": (boxed("0 0 1e5 1e5"), "the viewBox's sides must be over 0, at most 10000"),
    "an endless canvas": (boxed("0 0 1e99 9"), "viewBox: a number beyond 100000"),
    "a figure lost on its canvas": (boxed("0 0 9000 9000"), "less than a quarter"),
    "a flat canvas": (boxed("0 0 0 9"), "the viewBox's sides must be over 0"),
    "a moved origin": (boxed("1 0 9 9"), "expected a viewBox '0 0 width height'"),
    "no canvas": (re.sub(r' viewBox="[^"]*"', "", GOOD), "viewBox: expected numbers"),
    "no svg": ("<polygon/>", "ids 1 to 7"),
    "another root": ("<g/>", "no svg element with a viewBox"),
    "not XML": ("P5 8 8 255", "not well-formed XML"),
    "cut off": (GOOD[:-20], "not well-formed XML"),
    "nothing": ("", "not well-formed XML"),
    "zeros": ("\0" * 100, "not well-formed XML"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_or_broken_file_is_one_clear_error(case: str) -> None:
    text, why = HOSTILE[case]
    with pytest.raises(BadInput) as caught:
        read_svg(text.encode(), "page0-0.svg")
    said = str(caught.value)
    assert said.startswith("page0-0.svg: ")
    assert why in said
    assert "\n" not in said
    assert len(said) < 200


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(BadInput, match=r"page0-0.svg: not well-formed XML"):
        read_svg(b'<svg viewBox="0 0 8 8">\xff\xfe</svg>', "page0-0.svg")
