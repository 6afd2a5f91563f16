"""Rules on who wrote what, and on what stands where."""

from __future__ import annotations

import pytest

from deixis.dataset import Dataset, Irregularity
from deixis.lint.rules.annotators import annotators
from deixis.lint.rules.files import files
from deixis.lint.rules.splits import splits


def test_one_who_wrote_too_much(statement, dataset, found) -> None:
    records = [statement(i, writer="ann" if i < 4 else f"w{i}") for i in range(12)]
    (made,) = found(annotators, dataset(records))
    assert made.evidence["annotator"] == "ann"
    assert made.evidence["share"] == pytest.approx(1 / 3)
    assert made.ids == [f"s{i}" for i in range(4)]
    assert found(annotators, dataset(records), share=0.5) == []


def test_annotators_on_both_sides(statement, dataset, found) -> None:
    records = [statement(i, writer=f"w{i % 6}") for i in range(10)]
    ids = [r.id for r in records]
    where = {"train": ids[:6], "test": ids[6:], "hard": ids[8:]}
    made = found(annotators, dataset(records, where), share=0.9)
    shared = [f for f in made if "wrote in" in f.message]
    assert [f.evidence["splits"] for f in shared] == [["train", "test"], ["train", "hard"]]
    assert shared[0].evidence == {"splits": ["train", "test"], "annotators": 4, "share": 1.0}


def test_nobody_says_who_wrote(statement, dataset, found) -> None:
    assert found(annotators, dataset([statement(0)])) == []


def test_worker_61_of_nlvr2(nlvr2: Dataset, found) -> None:
    made = found(annotators, nlvr2)
    by_split = {f.evidence["split"]: f.evidence for f in made if "annotator" in f.evidence}
    assert by_split["dev"]["annotator"] == by_split["test1"]["annotator"] == "61"
    assert round(100 * by_split["dev"]["share"], 1) == 29.0
    assert round(100 * by_split["test1"]["share"], 1) == 28.8
    assert by_split["dev"]["n"] == 2024


def test_records_and_pictures_in_two_splits(statement, dataset, found) -> None:
    records = [statement(i) for i in range(4)]
    records.append(statement(4, pictures=(("p0", ""),)))
    where = {"train": ["s0", "s1"], "test": ["s1", "s4"], "dev": ["s2"], "mini": ["s2"]}
    made = found(splits, dataset(records, where))
    seen = {(f.severity, *f.evidence["splits"]) for f in made}
    assert ("error", "train", "test") in seen
    assert ("warning", "train", "test") in seen
    assert ("note", "dev", "mini") in seen
    warning = next(f for f in made if f.severity == "warning")
    assert warning.evidence["pictures"] == 2


def test_two_selections_of_one_split_may_overlap(statement, dataset, found) -> None:
    records = [statement(i) for i in range(4)]
    where = {"val": [r.id for r in records], "one": ["s0", "s1"], "other": ["s1", "s2"]}
    made = found(splits, dataset(records, where))
    assert {f.severity for f in made} == {"note"}
    assert "1 record in one and in other (s1)" in [f.message for f in made]


def test_splits_apart(statement, dataset, found) -> None:
    records = [statement(i) for i in range(4)]
    assert found(splits, dataset(records, {"a": ["s0", "s1"], "b": ["s2", "s3"]})) == []


def test_validation_on_training_pictures(kilogram: Dataset, found) -> None:
    made = found(splits, kilogram)
    assert any("236 pictures of val are listed for train" in f.message for f in made)
    assert any("dense10 is a part of dense" in f.message for f in made)


def test_lists_that_name_what_is_not_there(kilogram: Dataset, found) -> None:
    errors = [f for f in found(files, kilogram) if f.severity == "error"]
    assert [list(f.ids) for f in errors] == [["page4-170", "page6-51", "page6-66"]]
    assert errors[0].fix


def test_what_a_loader_met(statement, dataset, found) -> None:
    met = (
        Irregularity("most extra validations contradict the label", ("s0",), "f"),
        Irregularity("the sentence lacks a final full stop", ("s0",), "f"),
    )
    made = found(files, dataset([statement(0)], irregularities=met))
    assert [f.severity for f in made] == ["warning", "note"]
