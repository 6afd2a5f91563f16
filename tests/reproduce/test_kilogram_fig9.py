"""Figures 9 and 10 as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deixis.dataset import Dataset
from deixis.reproduce import kilogram_fig9 as module
from deixis.reproduce.kilogram.design import Design
from deixis.reproduce.kilogram.presets import PRESETS

SOME = ("whole+black", "parts+color")

SHAPE = [
    *(("crossed", "clip", "zero-shot", c) for c in SOME),
    *(("crossed", "clip", "fine-tuned", c) for c in SOME),
    ("crossed", "clip", "augmented", "parts+color"),
    *(("crossed", "aligned", "fine-tuned", c) for c in SOME),
    ("crossed", "aligned", "augmented", "parts+color"),
    ("black", "clip", "zero-shot", "whole+black"),
    ("black", "clip", "fine-tuned", "whole+black"),
    ("black", "aligned", "fine-tuned", "whole+black"),
]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, design: Design, halves: Dataset) -> Design:
    """The smallest design in the place of the tiny preset, on the small world."""
    monkeypatch.setitem(PRESETS, "tiny", design)  # type: ignore[misc]
    monkeypatch.setattr(module, "load", lambda *_: halves)
    return design


def test_a_whole_reproduction(small: Design, deixis: Callable[..., Any], tmp_path: Path) -> None:
    """All cells, both figures, and again from the folder with the same numbers."""
    out = tmp_path / "fig9"
    ended = deixis("reproduce", "kilogram-fig9", "--out", out, "--json")
    assert ended.status == 0, ended.err
    said = ended.json
    assert said["schema"] == "deixis/reproduce-kilogram-fig9/1"
    assert [(c["test"], c["player"], c["state"], c["condition"]) for c in said["cells"]] == SHAPE
    for cell in said["cells"]:
        assert 0 <= cell["low"] <= cell["accuracy"] <= cell["high"] <= 1
        assert len(cell["runs"]) == (1 if cell["state"] == "zero-shot" else 2)
        assert cell["n"] == (40 if cell["test"] == "crossed" else 30)
    assert {p["player"] for p in said["curve"]} == {"clip", "aligned"}
    assert all(p["included"] <= p["full"] for p in said["curve"])
    names = {p.name for p in out.iterdir() if p.is_file()}
    figures = {f"kilogram-fig{n}.{form}" for n in (9, 10) for form in ("svg", "png")}
    assert names == {"kilogram-fig9.json", *figures}
    assert json.loads((out / "kilogram-fig9.json").read_text("utf-8")) == said
    ended = deixis("reproduce", "kilogram-fig9", "--out", out)
    assert "Figure 9: accuracy" in ended.out
    assert "people, high group" in ended.out
    assert "of 2 training runs each" in ended.out
    assert json.loads((out / "kilogram-fig9.json").read_text("utf-8")) == said


def test_what_cannot_be_asked_for(small: Design, refused: Callable[..., str]) -> None:
    asked = ["reproduce", "kilogram-fig9"]
    assert "expected tiny or paper, got 'x'" in refused(*asked, "--preset", "x")
    assert "--players: expected clip or aligned" in refused(*asked, "--players", "x")
    assert "--lessons: expected controlled or random" in refused(*asked, "--lessons", "x")
    assert "--validation: expected disjoint or shared" in refused(*asked, "--validation", "x")
    assert "--frob is no option" in refused(*asked, "--frob", "x")
    assert "there is nothing called" in refused("reproduce", "x")
    assert "--seeds: expected at least 1" in refused(*asked, "--seeds", "0")


def test_the_paper_needs_the_whole_data(refused: Callable[..., str], data: Path) -> None:
    """It is stopped before any checkpoint is fetched."""
    said = refused("reproduce", "kilogram-fig9", "--preset", "paper", "--data", data)
    assert "kilogram has no split" in said


def test_the_tiny_preset_on_the_real_tangrams_in_a_short_form(
    deixis: Callable[..., Any], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The listener that learns here: parts help it where colors show them, and only there."""
    from dataclasses import replace

    tiny = PRESETS["tiny"]
    entrants = (replace(tiny.entrants[2], trained={"words": "hashed", "epochs": "1"}),)
    tests = tuple(replace(t, limit=300) for t in tiny.tests if t.name != "dense")
    curve = replace(tiny.curve, limit=400)
    short = replace(tiny, entrants=entrants, tests=tests, curve=curve)
    monkeypatch.setitem(PRESETS, "tiny", short)  # type: ignore[misc]
    said = deixis("reproduce", "kilogram-fig9", "--data", data, "--json").json
    found = {(c["test"], c["condition"]): c["accuracy"] for c in said["cells"]}
    assert found["val", "parts+color"] > found["val", "whole+color"] + 0.05
    assert found["val", "whole+black"] == pytest.approx(found["val", "whole+color"], abs=0.05)
    assert np.all([c["clusters"] > 90 for c in said["cells"]])
