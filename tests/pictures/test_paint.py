from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import cairosvg
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from deixis.pictures.paint import COLOR_NAMES, COLORS, fill, mask, render, silhouette
from deixis.pictures.svg import read_svg
from deixis.pictures.tangram import assembled, tangram
from deixis.trials import Paint

PAINTS = st.none() | st.tuples(*[st.none() | st.integers(0, 6)] * 7)


def rastered(text: bytes, name: str, paint: Paint | None) -> np.ndarray:
    """The upstream file itself, recolored, on a centred square, drawn by another library."""
    source = text.decode()
    number = iter(re.findall(r'<polygon[^>]*\bid="(\d)"', source))
    colors = {i: "black" if not paint else _name(paint[i - 1]) for i in range(1, 8)}
    source = re.sub(r'fill="lightgray"', lambda _: f'fill="{colors[int(next(number))]}"', source)
    figure = read_svg(text, name)
    left, top = (figure.side - figure.width) / 2, (figure.side - figure.height) / 2
    box = f'viewBox="{-left} {-top} {figure.side} {figure.side}"'
    source = re.sub(r'viewBox="[^"]*"', box, source, count=1)
    source = re.sub(r'\b(width|height)="100%"', "", source)
    png = cairosvg.svg2png(
        source.encode(), output_width=224, output_height=224, background_color="white"
    )
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def _name(position: int | None) -> str:
    return "black" if position is None else COLOR_NAMES[position]


def test_real_files_look_as_another_library_draws_them(data: Path) -> None:
    generator = np.random.default_rng(0)
    with zipfile.ZipFile(data / "kilogram/tangrams-svg.zip") as archive:
        names = sorted(n for n in archive.namelist() if n.endswith(".svg"))
        hand_made = [n for n in names if "page-" in n]
        moved = [n for n in names if b"matrix(" in archive.read(n)]
        chosen = sorted({*names[::31], *hand_made, *moved})
        assert len(chosen) > 45
        apart = []
        for name in chosen:
            text = archive.read(name)
            paint = tuple(None if p == 7 else int(p) for p in generator.integers(0, 8, 7))
            for painted in (None, paint):
                ours = render(read_svg(text, name), painted).astype(float)
                theirs = rastered(text, name, painted).astype(float)
                apart.append(np.abs(ours - theirs).mean())
                assert apart[-1] < 4, (name, painted)
        assert np.mean(apart) < 1.7, "of 255: under one percent"


@given(PAINTS)
def test_pieces_have_the_colors_of_their_parts_and_the_others_are_black(
    paint: Paint | None,
) -> None:
    drawn = render(assembled(), paint, 256)
    for piece, corners in assembled().unit.items():
        column, row = np.rint(corners.mean(axis=0) * 256).astype(int)
        assert tuple(drawn[row, column]) == fill(paint[piece - 1] if paint else None)


def test_outlines_are_white() -> None:
    drawn = render(assembled(), None, 224)
    assert (drawn[112, 112] == 255).all(), "four pieces meet there"
    assert (render(tangram("wide", OUTLINES, 320, 160), None, 64)[2] == 255).all(), "empty above"


OUTLINES = {p.id: [(2 * x, y) for x, y in p.points] for p in assembled().pieces}


@pytest.mark.parametrize("size", [1, 7, 64, 224])
def test_any_size(size: int) -> None:
    drawn = render(assembled(), (0,) * 7, size)
    assert drawn.shape == (size, size, 3)
    assert drawn.dtype == np.uint8


def test_the_published_colors() -> None:
    assert len(COLORS) == len(COLOR_NAMES) == len(set(COLORS)) == 7
    assert (COLORS[4], COLOR_NAMES[4]) == ((60, 179, 113), "mediumseagreen")
    assert fill(6) == (211, 211, 211)


def test_coverage_is_the_area() -> None:
    triangle = np.array([(0.1, 0.1), (0.9, 0.1), (0.1, 0.7)])
    covered = mask([triangle], 100)
    assert covered.sum() / 100**2 == pytest.approx(0.24, abs=0.005)
    assert covered.min() == 0
    assert covered.max() == 1
    assert mask([], 8).sum() == 0


def test_a_silhouette_does_not_depend_on_the_canvas() -> None:
    small = silhouette(assembled(), 32)
    shifted = {p.id: [(x + 70, y + 30) for x, y in p.points] for p in assembled().pieces}
    assert np.array_equal(silhouette(tangram("shifted", shifted, 400, 900), 32), small)
    assert small.mean() > 0.95
    assert silhouette(assembled()).shape == (96, 96)
