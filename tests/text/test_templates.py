from __future__ import annotations

import builtins
import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.text import templates
from deixis.text.templates import plain, published, render

phrases = st.from_regex(r"[a-z]{1,6}( [a-z]{1,6})?", fullmatch=True)


@given(phrases, st.lists(phrases, max_size=7))
def test_taking_the_parts_away_leaves_the_wholes_own_words(whole: str, parts: list[str]) -> None:
    text = plain(whole, parts)
    assert text == whole if not parts else text.startswith(f"{whole} with {parts[0]}")
    assert plain(whole, ()) == whole
    assert all(p in text for p in parts)


@pytest.mark.parametrize(
    ("whole", "parts", "caption"),
    [
        ("dog", ["head"], "a dog with a head"),
        ("dog", ["head", "tail"], "a dog with a head, and a tail"),
        ("owl", ["eye", "wings", "beak"], "an owl with an eye, wings, and a beak"),
        ("a rolled up snake", ["body", "head"], "a rolled up snake with a body, and a head"),
        ("the dog", ["UNKNOWN"], "a the dog with an UNKNOWN"),
        ("", ["head"], "a head"),
        ("the dog", [], "the dog"),
        ("", [], ""),
    ],
)
def test_captions_as_published(whole: str, parts: list[str], caption: str) -> None:
    assert published(whole, parts) == caption


def test_render_knows_templates_by_name() -> None:
    assert render("plain", "dog", ["head", "tail"]) == "dog with head and tail"
    assert render("plain", "", []) == ""
    with pytest.raises(BadInput, match=r"no template 'x' \(known: plain, published\)"):
        render("x", "dog", [])


def test_captions_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: object) -> object:
        if name.startswith("inflect"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    templates._inflect.cache_clear()
    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(BadInput, match=r"pip install 'deixis\[articles\]'"):
        published("zebra finch", ["crest"])
    monkeypatch.undo()
    assert published("zebra finch", ["crest"]) == "a zebra finch with a crest"
