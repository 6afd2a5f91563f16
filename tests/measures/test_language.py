from __future__ import annotations

import pytest

from deixis.dataset import Dataset
from deixis.measures.language import language, lengths, synsets, tokenisers
from deixis.measures.section import Options
from deixis.text.tokens import TOKENISERS


def test_lengths_and_vocabularies_of_nlvr2(nlvr2: Dataset) -> None:
    """Distinct sentences, in the three tokenisations whose figures are known."""
    said = language(nlvr2, Options()).fields["language"]
    known = {
        "dev": (2004, (14.489, 3352), (14.492, 2487), (16.088, 2374)),
        "test1": (1987, (14.437, 3322), (14.437, 2478), (16.079, 2377)),
    }
    for split, (distinct, *rows) in known.items():
        found = said[split]["sentence"]
        assert found["distinct"] == distinct
        for name, (mean, vocabulary) in zip(TOKENISERS, rows, strict=False):
            one = found["tokenisations"][name]
            assert one["mean"] == pytest.approx(mean, abs=5e-4)
            assert one["vocabulary"] == vocabulary
    assert said["dev"]["sentence"]["tokenisations"]["whitespace"]["max"] == 49
    assert said["all"]["sentence"]["distinct"] == 2004 + 1987 - 25


def test_lengths_of_nlvr(nlvr: Dataset) -> None:
    said = language(nlvr.select("dev", "test"), Options()).fields["language"]
    for split, mean in (("dev", 11.05), ("test", 11.14)):
        one = said[split]["sentence"]["tokenisations"]["alphanumeric"]
        assert one["mean"] == pytest.approx(mean, abs=5e-3)
        assert one["vocabulary"] == 112


def test_synsets_of_nlvr2(nlvr2: Dataset, world: Dataset) -> None:
    said = language(nlvr2, Options()).fields["synsets"]
    for split, mean, sd, fewest, most in (
        ("dev", 56.306, 10.416, ("ox", 12), ("malamute", 67)),
        ("test1", 56.185, 10.262, ("ox", 11), (None, 68)),
    ):
        one = said[split]
        assert one["synsets"] == 124
        assert one["mean"] == pytest.approx(mean, abs=5e-4)
        assert one["sd"] == pytest.approx(sd, abs=5e-4)
        assert (one["fewest"]["name"], one["fewest"]["n"]) == fewest
        assert one["most"]["n"] == most[1]
    assert said["dev"]["most"]["name"] == "malamute"
    rare = list(said["dev"]["counts"])[:6]
    assert set(rare) == {"ox", "orange", "acorn", "dining table", "skunk", "Indian elephant"}
    assert synsets(world) == {}


def test_repeats_count_once_and_empty_texts_have_no_tokens() -> None:
    made = lengths(["a b", "a b", ""], TOKENISERS["whitespace"])
    assert (made["mean"], made["min"], made["max"], made["vocabulary"]) == (1.0, 0, 2, 2)


def test_without_nltk(monkeypatch: pytest.MonkeyPatch, world: Dataset) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "treebank" not in tokenisers()
    assert "NLTK is not installed" in language(world, Options()).notes[0]
