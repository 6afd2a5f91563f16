"""All measures together: undefined numbers are null with a reason, never NaN as a number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.schemas import valid

from deixis.dataset import Annotation, Choice, Dataset, Judgment, Statement
from deixis.measures.run import measure, write
from deixis.measures.section import Options
from deixis.pictures.vectors import NameStore
from deixis.plain import plain

QUICK = Options(resamples=10)


def dataset(kind: str, *records: Any) -> Dataset:
    by_id = {r.id: r for r in records}
    return Dataset("tiny", kind, {"all": tuple(by_id)}, by_id, NameStore((), "tiny"))


def judged(*said: bool, number: int = 0, sentence: str = "An owl.") -> Statement:
    judgments = tuple(Judgment(f"w{i}", s, "extra") for i, s in enumerate(said))
    return Statement(
        f"s{number}", sentence, True, (("a", "b"),), "all", "set", "a-b", judgments=judgments
    )


def taken(made: Dataset) -> dict[str, Any]:
    """The JSON of all measures, which must hold no NaN."""
    said = plain(measure(made, QUICK).fields)
    return valid(json.loads(json.dumps(said, allow_nan=False)))


def test_one_rater() -> None:
    said = taken(dataset("statement", judged(True), judged(False, number=1)))
    assert said["krippendorff_alpha"] is None
    assert "krippendorff alpha is undefined: no unit has two ratings" in said["notes"]
    assert "fleiss kappa is undefined: there is one rater" in said["notes"]


def test_ratings_that_are_all_equal() -> None:
    said = taken(dataset("statement", judged(True, True), judged(True, True, number=1)))
    assert said["krippendorff_alpha"] is None
    assert "krippendorff alpha is undefined: all ratings are equal" in said["notes"]


def test_nobody_judged_and_nothing_was_said() -> None:
    said = taken(dataset("statement", judged(sentence="")))
    assert said["human_mean"] is None
    assert said["language"]["all"]["sentence"]["tokenisations"]["whitespace"]["mean"] == 0


def test_empty_descriptions() -> None:
    records = [Annotation(f"a{i}", "p", "", ("",), (0,) * 7) for i in range(3)]
    said = taken(dataset("reference", *records))
    # By the published recipe an annotation without words adds nothing to the divergence.
    assert said["tangrams"]["p"]["snd"] == 0.0
    assert said["heads"]["splits"]["all"]["counts"] == {"": 3}


def test_one_description() -> None:
    said = taken(dataset("reference", Annotation("a", "p", "owl", ("wing",), (0,) * 7)))
    assert said["tangrams"]["p"] == {"n": 1, "snd": None, "pnd": None, "psa": None}
    assert any("one annotation only" in note for note in said["notes"])


def test_choices() -> None:
    records = [Choice(f"q{i}", "Which is red?", (), ("a", "b"), 0, ("q", str(i))) for i in range(3)]
    said = taken(dataset("choice", *records))
    assert said["phenomena_by_rules"]["all"]["sentences"] == 1
    assert said["language"]["all"]["option"]["distinct"] == 2


@pytest.mark.parametrize("source", ["vispro:test", "nlvr:dev", "kilogram:val"])
def test_every_kind_of_source(deixis, data: Path, tmp_path: Path, source: str) -> None:
    ended = deixis("measure", source, "--data", data, "--resamples", 10, "--out", tmp_path)
    assert ended.status == 0
    assert "distinct texts" in ended.out
    said = valid(json.loads((tmp_path / "measure.json").read_text()))
    assert said["resamples"] == 10
    assert "lengths.svg" in {p.name for p in tmp_path.glob("*.svg")}


def test_figures_are_files(tmp_path: Path, nlvr2: Dataset) -> None:
    found = measure(nlvr2.select("dev"), Options(resamples=0), ["language", "phenomena"])
    write(tmp_path, found)
    assert {p.name for p in tmp_path.iterdir()} == {
        "lengths.svg", "measure.json", "phenomena.svg", "synsets.svg",
    }  # fmt: skip
