"""VisPro: the real files, and broken ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deixis.datasets.vispro import vispro
from deixis.errors import BadInput
from deixis.pictures.vectors import Vectors


def line(**changes: Any) -> dict[str, Any]:
    one: dict[str, Any] = {
        "image_file": "COCO_val2014_000000000007.jpg",
        "sentences": [["A", "dog", "."], ["Big", "?"], ["Yes", "."]],
        "speakers": [["caption"] * 3, ["question"] * 2, ["answer"] * 2],
        "object_detection": [18, 1],
    }
    return one | changes


def write(folder: Path, *lines: Any) -> Path:
    (folder / "val.vispro.1.1.jsonlines").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return folder


def test_counts_of_the_published_files(data: Path) -> None:
    made = vispro(data)
    assert {s: len(ids) for s, ids in made.splits.items()} == {"val": 500, "test": 500}
    assert made.counts["dialogs of 10 rounds"] == 941
    assert made.counts["classes"] == 79
    assert made.counts["distinct sets of classes"] == 624
    odd = {i.what: len(i.ids) for i in made.irregularities}
    assert odd["fewer than 10 rounds"] == 59
    assert odd["the picture has no object of any class"] == 6
    assert isinstance(made.store, Vectors)
    vectors = made.store.vectors([made.store.picture(c.picture) for c in made.records.values()])
    assert vectors.sum() / len(vectors) == pytest.approx(3.14)


def test_a_dialog_as_it_is_written(tmp_path: Path) -> None:
    made = vispro(write(tmp_path, line(), line(image_file="b.jpg", object_detection=[1])))
    one = made.records["COCO_val2014_000000000007"]
    assert one.dialog.caption == "A dog ."
    assert (one.dialog.turns[0].question, one.dialog.turns[0].answer) == ("Big ?", "Yes .")
    assert isinstance(made.store, Vectors)
    assert made.store.vectors([made.store.picture(one.picture)]).tolist() == [[1, 1]]


def test_an_open_question_is_told(tmp_path: Path) -> None:
    sentences = [*line()["sentences"], ["Red", "?"]]
    speakers = [*line()["speakers"], ["question"] * 2]
    made = vispro(write(tmp_path, line(sentences=sentences, speakers=speakers)))
    assert len(made.records["COCO_val2014_000000000007"].dialog.turns) == 1
    odd = "ends in a question without an answer, which is left out"
    assert odd in [i.what for i in made.irregularities]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sentences": [["A"], ["Big", "?"], []]}, "jsonlines:1: an empty answer"),
        ({"speakers": [["caption"], ["answer"], ["question"]]}, "expected caption, question"),
        ({"object_detection": None}, "jsonlines:1: not in VisPro's form"),
    ],
)
def test_a_broken_line_is_named(changes: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message):
        vispro(write(tmp_path, line(**changes)))


def test_two_dialogs_about_one_picture(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="jsonlines:2: there is another dialog about COCO"):
        vispro(write(tmp_path, line(), line()))
