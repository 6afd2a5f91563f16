"""``deixis simulate collection``: from pictures to a dataset that the loader reads."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.collect.items.test_items import WRITING
from tests.croissant import croissant

from deixis.collect.items.item import items
from deixis.collect.items.release import Collected, release
from deixis.collect.pictures.ledger import Ledger
from deixis.collect.simulate.photos import Fact, make_photos
from deixis.errors import BadInput
from deixis.pictures.scene import Thing
from deixis.sources import load


def test_a_collection_is_released_and_loads(tmp_path: Path, deixis: Callable[..., Any]) -> None:
    out = tmp_path / "made"
    ended = deixis("simulate", "collection", "--pictures", 210, "--out", out, "--json")
    assert ended.status == 0, ended.err
    said = ended.json
    dataset = load("nlvr2", out / "release")
    assert len(dataset) == said["counts"]["examples"] > 40
    assert dataset.irregularities == ()
    for record in dataset.records.values():
        judges = [j.worker for j in record.judgments]
        assert record.writer not in judges
        assert len(set(judges)) == len(judges) == (1 if record.split == "train" else 5)
        verdicts = [j.said == record.label for j in record.judgments]
        assert verdicts[0]
        assert sum(not v for v in verdicts[1:]) <= 1
        for name in record.pictures[0]:
            assert dataset.store.pixels(dataset.store.picture(name)).shape == (224, 224, 3)
    by_set = {r.set: r.split for r in dataset.records.values()}
    assert all(r.split == by_set[r.set] for r in dataset.records.values())
    check_rights(out / "release", {n for r in dataset.records.values() for n in r.pictures[0]})
    lines = (out / "release/ledger.jsonl").read_text().splitlines()
    assert len(lines) == sum(said["decisions"].values())
    for why in ("broken", "exact duplicate", "no picture", "stock domain"):
        assert said["decisions"][f"prune picture: {why}"] == 1
    table = said["costs"]["rows"]
    assert table[-1]["task"] == "total"
    total = sum(round(float(r["cost"]) * 100) for r in table[:-1])
    assert round(float(table[-1]["cost"]) * 100) == total


def check_rights(folder: Path, images: set[str]) -> None:
    """Every picture has its row, and every file its hash in the description."""
    with (folder / "licences.csv").open(newline="") as file:
        rows = {row["image"]: row for row in csv.DictReader(file)}
    assert set(rows) == images
    assert {row["licence"] for row in rows.values()} == {"CC0", "CC BY 4.0"}
    assert all(row["attribution"] for row in rows.values())
    sheet = json.loads((folder / "datasheet.json").read_text())
    shown = {row["url"]: row["licence"] for row in rows.values()}
    assert sheet["composition"]["pictures"] == len(shown)
    assert sheet["licences"] == Counter(shown.values())
    found = croissant(folder / "croissant.json", "train", "dev", "test1", "licences")
    assert (found["errors"], found["warnings"]) == ([], [])
    assert len(found["rows"]) == sheet["composition"]["examples"] + len(rows)
    assert found["rows"][0]["identifier"] == "train-0-0-0"


def test_the_same_seed_gives_the_same_dataset(
    tmp_path: Path, deixis: Callable[..., Any], refused: Callable[..., str]
) -> None:
    for name in ("a", "b"):
        ended = deixis("simulate", "collection", "--pictures", 60, "--out", tmp_path / name)
        assert "what it cost" in ended.out
    files = [(tmp_path / n / "release/train.json").read_bytes() for n in ("a", "b")]
    assert files[0] == files[1] != b""
    assert "exists already" in refused("simulate", "collection", "--out", tmp_path / "a")
    few = ("simulate", "collection", "--pictures", 3, "--out", tmp_path / "c")
    assert "too few" in refused(*few)
    none = ("simulate", "collection", "--pictures", 0, "--out", tmp_path / "d")
    assert "--pictures" in refused(*none)


def test_facts_hold_of_what_is_there() -> None:
    blue, black = Thing(0, 0, 10, "circle", "blue"), Thing(20, 0, 10, "circle", "black")
    left, right = ((blue, black),), ((black,),)
    assert Fact("left", 1, "blue", "circle").true(left, right)
    assert not Fact("right", 1, "blue", "circle").true(left, right)
    assert Fact("one", 2, "", "circle").true(left, right)
    assert not Fact("both", 2, "", "circle").true(left, right)
    assert Fact("sum", 3, "", "circle").true(left, right)
    assert Fact("sum", 1, "", "circle").text() == "Together the images show exactly one circle."


def test_only_what_is_at_its_end_is_released(tmp_path: Path) -> None:
    made = Collected("x", {}, {}, items(WRITING), {}, Ledger(), {})
    with pytest.raises(BadInput, match=r"not judged to their end \(4 written\)"):
        release(made, {}, tmp_path / "r", year=2026)
    with pytest.raises(BadInput, match="nothing to release"):
        release(replace(made, items=()), {}, tmp_path / "r", year=2026)
    assert not (tmp_path / "r").exists()
    (tmp_path / "there/images").mkdir(parents=True)
    kept = [replace(item, state="kept") for item in made.items]
    with pytest.raises(BadInput, match="exists already"):
        release(replace(made, items=kept), {}, tmp_path / "there", year=2026)


def test_made_pictures_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    first, again = (make_photos(tmp_path / n, 3, 5) for n in ("a", "b"))
    assert first == again
    assert (tmp_path / "a/00000.png").read_bytes() == (tmp_path / "b/00000.png").read_bytes()
