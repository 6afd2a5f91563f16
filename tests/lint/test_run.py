from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from tests.lint.conftest import pixels
from tests.schemas import valid

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.lint.finding import Finding, LintOptions, plural
from deixis.lint.page import page
from deixis.lint.run import Linted, lint
from deixis.measures.run import measure
from deixis.measures.section import Options


def test_kilogram_as_json(deixis, data: Path) -> None:
    ended = deixis("lint", "kilogram", "--data", data, "--json")
    said = valid(ended.json)
    assert ended.status == 1, "three tangrams are listed and have no picture"
    severities = [f["severity"] for f in said["findings"]]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    twins = {tuple(f["ids"]) for f in said["findings"] if f["rule"] == "near-silhouettes"}
    assert twins >= {
        ("page5-185", "page5-232"), ("page1-103", "page1-69"), ("page1-48", "page7-96"),
    }  # fmt: skip
    assert said["counts"]["error"] == 1


def test_one_rule_and_the_page(deixis, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "found"
    ended = deixis(
        "lint", "kilogram:dev", "--data", data, "--only", "near-silhouettes", "--out", out, "--json"
    )
    assert ended.status == 0
    assert ended.json["rules"] == ["near-silhouettes"]
    assert json.loads((out / "lint.json").read_text("utf-8")) == ended.json
    text = (out / "lint.html").read_text("utf-8")
    assert text.count("data:image/png;base64,") == 2 * len(ended.json["findings"])
    assert 'alt="picture page1-48"' in text
    assert not re.search(r'(src|href)="http', text), "the page loads nothing"
    assert sorted(p.name for p in out.iterdir()) == ["lint.html", "lint.json"]


def test_for_people(deixis, data: Path) -> None:
    ended = deixis("lint", "nlvr2:dev", "--data", data, "--only", "annotators", "--only", "balance")
    assert ended.status == 0
    assert "0 errors, 2 warnings, 0 notes" in ended.out
    assert "annotator 61 wrote 29.0 %" in ended.out
    assert "83.53 %" in ended.out


@pytest.mark.parametrize("source", ["vispro", "visdial"])
def test_dialogs(deixis, data: Path, source: str) -> None:
    said = valid(deixis("lint", source, "--data", data, "--json").json)
    assert "near-texts" in said["rules"]
    assert {f["rule"] for f in said["findings"]} & {"conflicts", "encoding", "files"}


def test_nothing_found(deixis) -> None:
    ended = deixis("lint", "figures", "--only", "encoding")
    assert (ended.status, "0 errors, 0 warnings, 0 notes" in ended.out) == (0, True)


def test_mistakes(refused) -> None:
    assert "no lint 'near-text'; did you mean 'near-texts'?" in refused(
        "lint", "figures", "--only", "near-text"
    )
    assert "plays statement tasks, not reference tasks" in refused(
        "lint", "figures", "--only", "balance"
    )
    assert "--distance: expected 0 to 16 bits, got 17" in refused(
        "lint", "figures", "--distance", 17
    )
    assert "--folds: expected at least 2, got 1" in refused("lint", "figures", "--folds", 1)


def test_many_findings_of_one_rule_are_cut_on_the_page(world) -> None:
    findings = tuple(Finding("r", "note", f"number {i}", ids=["a"] * 20) for i in range(70))
    text = page(world, Linted(world, ("r",), findings))
    assert "10 more are in lint.json" in text
    assert "and 8 more" in text
    assert "No rule found anything" in page(world, Linted(world, (), ()))
    assert plural(2, "box", "boxes") == "2 boxes"


def test_a_benchmark_of_ones_own(deixis, refused, tmp_path: Path) -> None:
    """A table with the faults that rules on tables look for: exit 1, and a page."""
    rows = ["id,text,picture,A,B,answer"]
    for i in range(60):
        answer, wrong = f"an animal called {i} with a long description", f"thing {i}"
        rows.append(f"q{i},What is number {i}?,{i % 16}.png,{answer},{wrong},A")
    rows.append("q60,What is number 1?,1.png,an animal called 1 with a long description,thing 1,B")
    (tmp_path / "rows.csv").write_text("\n".join(rows))
    (tmp_path / "pictures").mkdir()
    for i in range(16):
        Image.fromarray(pixels(i, side=40)).save(tmp_path / f"pictures/{i}.png")
    (tmp_path / "mine.toml").write_text(
        'kind = "multiple-choice"\nrows = "rows.csv"\npictures = "pictures"\n[columns]\n'
        'id = "id"\ntext = "text"\npictures = "picture"\noptions = ["A", "B"]\nanswer = "answer"\n'
    )
    ended = deixis("lint", tmp_path / "mine.toml", "--out", tmp_path / "out", "--json")
    said = ended.json
    assert ended.status == 1
    found = {(f["rule"], f["severity"]) for f in said["findings"]}
    assert {("conflicts", "error"), ("position", "warning"), ("blind", "error")} <= found
    page_of = (tmp_path / "out/lint.html").read_text()
    assert "mine" in page_of
    assert "What is number 1?" in str(said["findings"])
    (tmp_path / "rows.csv").unlink()
    assert "rows.csv" in refused("lint", tmp_path / "mine.toml")


def test_a_split_that_names_no_record(world: Dataset) -> None:
    broken = replace(world, splits={"train": (*next(iter(world.splits.values())), "ghost")})
    said = "split 'train' names 'ghost', which is no record"
    with pytest.raises(BadInput, match=said):
        lint(broken, LintOptions())
    with pytest.raises(BadInput, match=said):
        measure(broken, Options())
    with pytest.raises(BadInput, match=said):
        broken.select("train")
