from __future__ import annotations

from pathlib import Path

import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.measures.phenomena import differences, held_out, language_phenomena, scores, tallied
from deixis.measures.section import Options
from deixis.sources import load
from deixis.text.phenomena import PHENOMENA

MARKED = {
    "hard cardinality": (329, 1206, 50.91),
    "soft cardinality": (189, 656, 51.98),
    "existential quantifier": (189, 669, 51.42),
    "universal quantifier": (134, 477, 50.94),
    "coordination": (266, 948, 50.84),
    "coreference": (117, 423, 50.35),
    "spatial relation": (392, 1375, 50.76),
    "comparison": (64, 232, 51.72),
    "presupposition": (165, 568, 50.70),
    "negation": (77, 274, 49.27),
    "cc ambiguity": (30, 101, 50.50),
    "pp ambiguity": (92, 322, 51.55),
    "sbar ambiguity": (15, 52, 55.77),
}
"""Sentences, statements, and how many per cent of these are true."""


@pytest.fixture(scope="module")
def dev(nlvr2: Dataset) -> Dataset:
    return nlvr2.select("dev")


@pytest.fixture(scope="module")
def section(dev: Dataset, nlvr: Dataset):
    return language_phenomena(dev, Options(against=nlvr.select("dev")))


def test_what_was_marked_by_hand(section) -> None:
    said = section.fields["phenomena"]
    assert (said["sentences"], said["statements"]) == (800, 2868)
    assert said["by_number"] == {
        "0": 25, "1": 127, "2": 276, "3": 191, "4": 120, "5": 43, "6": 14, "7": 4,
    }  # fmt: skip
    for name, (sentences, statements, true) in MARKED.items():
        one = said["by_name"][name]
        assert (one["sentences"], one["statements"]) == (sentences, statements)
        assert 100 * one["true"] == pytest.approx(true, abs=5e-3)


def test_rules_on_sentences_that_they_were_not_written_on(section) -> None:
    said = section.fields["tagger"]
    assert said["sentences"] == {"held_out": 395, "all": 800}
    held = said["held_out"]
    for name in PHENOMENA[:7]:
        assert held[name]["precision"] > 0.75, name
        assert held[name]["recall"] > 0.85, name
    for name in ("presupposition", "negation", "comparison"):
        assert held[name]["recall"] > 0.9
    assert held["pp ambiguity"]["precision"] < 0.6, "attachment needs a parser"
    assert said["written_on"]["negation"]["marked"] + held["negation"]["marked"] == 77


def test_sentences_of_other_splits_were_not_marked(nlvr2: Dataset) -> None:
    """Some stand in dev too, word for word."""
    assert "phenomena" not in language_phenomena(nlvr2.select("test1"), Options()).fields


def test_scores_are_counts(dev: Dataset) -> None:
    marked = dev.extras["phenomena"]
    half = {s: v for s, v in marked.items() if held_out(s)}
    other = {s: v for s, v in marked.items() if not held_out(s)}
    for name, whole in scores(marked).items():
        one, two = scores(half)[name], scores(other)[name]
        assert (whole.hits, whole.marked) == (one.hits + two.hits, one.marked + two.marked)
        assert whole.hits <= min(whole.marked, whole.found)
    none = scores({"a": []})["negation"]
    assert (none.precision, none.recall) == (None, None)


def test_corpora_are_compared(section) -> None:
    compared = section.fields["phenomena_compared"]
    assert list(compared) == [
        "dev / nlvr:dev (by rules)", "marked / NLVR as reported", "marked / VQA as reported",
    ]  # fmt: skip
    vqa = compared["marked / VQA as reported"]
    # What the authors say of VQA: significantly more of these here, and more presupposition there.
    for name in (
        "hard cardinality", "soft cardinality", "existential quantifier", "universal quantifier",
        "coordination", "coreference", "comparison", "negation", "pp ambiguity",
    ):  # fmt: skip
        assert vqa[name]["p"] < 0.05
        assert vqa[name]["first"] > vqa[name]["second"]
    assert vqa["presupposition"]["first"] < vqa["presupposition"]["second"]
    assert vqa["sbar ambiguity"]["test"] == "Fisher"
    assert all(r["p_holm"] >= r["p"] for by in compared.values() for r in by.values())


def test_a_corpus_does_not_differ_from_itself(dev: Dataset) -> None:
    counts = tallied(r.sentence for r in dev.records.values())
    assert counts[0] == 2004
    assert {r["p_holm"] for r in differences(counts, counts).values()} == {1.0}


def test_pair_reasoning_of_nlvr2(section) -> None:
    """Shares by rules lie near those that the authors printed of 200 sentences."""
    said = section.fields["pair_reasoning"]
    assert list(said) == ["marked", "dev"]
    for kind, share in section.fields["pair_reasoning_printed"].items():
        assert said["marked"][kind] == pytest.approx(share, abs=0.06)
    assert sum(said["dev"].values()) == pytest.approx(1)


def test_questions_of_dialogs_and_none_in_figures(data: Path, world: Dataset) -> None:
    said = language_phenomena(load("vispro", data), Options())
    assert list(said.fields["phenomena_by_rules"]) == ["val", "test"]
    assert "pair_reasoning" not in said.fields
    assert "no sentence" in language_phenomena(world, Options()).notes[0]


def test_a_mark_below_no_sentence(tmp_path: Path, data: Path) -> None:
    for name in ("dev.json.gz", "test1.json.gz"):
        (tmp_path / name).symlink_to(data / "nlvr2" / name)
    (tmp_path / "annotated_dev_examples.txt").write_text("* negation\n")
    with pytest.raises(BadInput, match=r"annotated_dev_examples.txt:1: .* below no sentence"):
        load("nlvr2", tmp_path)
