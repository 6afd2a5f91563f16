"""Pictures on pages: numbers and fixed colors, whatever the file behind them said."""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deixis.collect.plan import Plan
from deixis.collect.study import parse_study
from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.pictures.store import TangramStore
from deixis.pictures.svg import write_svg
from deixis.trials import BLANK, Picture
from deixis.web.drawing import drawing, labelled, painted, svg

SAFE = re.compile(r"[0-9., -]+")


def first(world: Dataset) -> Picture:
    return Picture(next(iter(world.store.names)))  # type: ignore[attr-defined]


def test_tangrams_are_points_and_colors(world: Dataset) -> None:
    made = drawing(world.store, first(world))
    assert len(made["pieces"]) == 7
    for piece in made["pieces"]:
        assert set(piece) == {"points", "fill"}
        assert SAFE.fullmatch(piece["points"])
        assert re.fullmatch("#[0-9a-f]{6}", piece["fill"])
    assert {p["fill"] for p in made["pieces"]} == {"#000000"}


def test_pieces_that_can_be_picked_say_what_they_are(world: Dataset) -> None:
    assert isinstance(world.store, TangramStore)
    made = labelled(world.store.tangram(first(world).source))
    pieces = world.store.tangram(first(world).source).pieces
    assert [p["piece"] for p in made["pieces"]] == [p.id for p in pieces]
    assert sorted(p["shape"] for p in made["pieces"])[-1] == "square"


def test_edited_and_blank_pictures_are_pixels(world: Dataset) -> None:
    made = drawing(world.store, BLANK)
    head, _, content = made["pixels"].partition(",")
    assert head == "data:image/png;base64"
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(content))))
    assert np.array_equal(pixels, world.store.pixels(BLANK))


def test_labels_are_escaped(world: Dataset) -> None:
    assert isinstance(world.store, TangramStore)
    markup = svg(painted(world.store.tangram(first(world).source)), label='"><script>x</script>')
    assert "<script>" not in markup
    assert "&#34;&gt;&lt;script&gt;" in markup


EVIL = (
    "<script>hacked()</script>",
    '<image href="x" onerror="hacked()"/>',
    "<foreignObject><b onclick='hacked()'>x</b></foreignObject>",
    "<use href='https://evil.example/x.svg#a'/>",
    "<style>@import 'https://evil.example'</style>",
    "<animate attributeName='href' to='javascript:hacked()'/>",
    "<a href='javascript:hacked()'><text>x</text></a>",
)
STUDY = """
name = "evil"
version = 1
title = "Evil"
summary = "Evil"
minutes = 1
[pool]
kind = "tangrams"
source = "kilogram"
[[phase]]
name = "shapes"
type = ["describe_whole", "annotate_parts"]
use = "pool"
"""


def kilogram_with(folder: Path, markup: str) -> Path:
    one = {
        "whole": {"wholeAnnotation": "x", "timestamp": ""},
        "part": {str(i): "x" for i in range(1, 8)},
        "workerId": "w",
        "metadata": {},
    }
    entry = {"snd": None, "pnd": None, "psa": None, "annotations": [one]}
    folder.mkdir()
    (folder / "dense.json").write_text(json.dumps({"page1-1": entry}))
    with zipfile.ZipFile(folder / "tangrams-svg.zip", "w") as archive:
        archive.writestr("tangrams-svg/page1-1.svg", markup)
    return folder


@pytest.mark.parametrize("evil", EVIL)
def test_files_with_more_than_pieces_are_refused(world: Dataset, tmp_path: Path, evil: str) -> None:
    assert isinstance(world.store, TangramStore)
    good = write_svg(world.store.tangram(first(world).source))
    folder = kilogram_with(tmp_path / "data", good.replace("</svg>", f"{evil}</svg>"))
    with pytest.raises(BadInput, match="refused"):
        Plan(parse_study(STUDY, "evil"), folder).drawing("page1-1")


def test_what_pieces_carry_besides_points_reaches_nobody(world: Dataset, tmp_path: Path) -> None:
    assert isinstance(world.store, TangramStore)
    good = write_svg(world.store.tangram(first(world).source))
    worse = good.replace("<polygon", '<polygon onload="hacked()" style="hacked"')
    plan = Plan(parse_study(STUDY, "evil"), kilogram_with(tmp_path / "data", worse))
    assert "hacked" not in json.dumps(plan.drawing("page1-1"))
