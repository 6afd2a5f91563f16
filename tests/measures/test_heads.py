from __future__ import annotations

import pytest

from deixis.dataset import Annotation, Dataset
from deixis.measures.heads import OTHER, head_words, parts_of
from deixis.measures.section import Options
from deixis.text.heads import heads


@pytest.fixture(scope="module")
def section(kilogram: Dataset):
    return head_words(kilogram.select("dev", "dense10"), Options())


def test_heads_of_dev_against_the_published_list(section) -> None:
    """The published counts are of more annotations, dev's among them."""
    said = section.fields["heads"]
    assert said["parser"]
    dev = said["splits"]["dev"]
    assert list(dev["counts"])[:3] == ["person", "man", "bird"]
    assert sum(dev["counts"].values()) == 1250
    assert dev["published"]["covered"] > 0.97
    assert dev["published"]["rho"] > 0.65
    assert len(dev["published"]["above"]) < 10
    assert "dependency parse" in section.notes[0]


def test_rules_agree_with_the_parser(kilogram: Dataset) -> None:
    texts = [r.whole for r in kilogram.select("dev").records.values()]
    same = [a == b for a, b in zip(heads(texts), heads(texts, parser=False), strict=True)]
    assert sum(same) / len(same) > 0.93


def test_without_a_parser(kilogram: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    made = head_words(kilogram.select("val"), Options())
    assert not made.fields["heads"]["parser"]
    assert "pip install 'deixis[parse]'" in made.notes[0]


def test_parts_of_frequent_heads() -> None:
    one = [Annotation(f"a{i}", "p", "a dog", ("the tail", "tails"), None) for i in range(150)]
    other = [Annotation(f"b{i}", "p", "cat", ("ear",), None) for i in range(10)]
    rare = Annotation("c", "p", "dog", ("ear", "ear"), None)
    found = parts_of([*one, *other, rare], parser=False)
    assert list(found) == ["dog"], "ten cats are too few"
    assert found["dog"] == {"tail": 300 / 301, OTHER: 1 / 301}
    assert all(sum(parts.values()) == pytest.approx(1) for parts in found.values())
