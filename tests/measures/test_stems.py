from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize.destructive import NLTKWordTokenizer

from deixis import errors
from deixis.measures import stems as module
from deixis.measures.stems import STOP_WORDS, stems, treebank


def test_the_published_list_of_stop_words() -> None:
    assert len(STOP_WORDS) == 179


@given(st.text("aAbt0 n'-.,&()/", max_size=12) | st.text(max_size=8))
def test_tokens_are_those_of_the_library(text: str) -> None:
    assert list(treebank(text)) == NLTKWordTokenizer().tokenize(text)


def test_words_that_the_library_cuts() -> None:
    text = "i cannot gonna lemme dancer wanna"
    assert list(treebank(text)) == NLTKWordTokenizer().tokenize(text)
    assert "not" in treebank(text)


def test_what_counts_as_a_word() -> None:
    assert stems("") == ()
    assert stems("m") == (), "a stop word"
    assert stems("UNKNOWN") == ("unknown",)
    assert stems("a bird & 2 wings.") == ("bird", "2", "wing")
    assert stems("don't") == ("n't",), "'do' is a stop word, its ending is none"
    assert stems("the dog", stop=False) == ("the", "dog")
    assert stems("ÉTÉ ß") == ("été", "ß")


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name=name)

    module._tokenizer.cache_clear()
    monkeypatch.setattr(errors.importlib, "import_module", absent)
    with pytest.raises(errors.BadInput, match=r"pip install 'deixis\[language\]'"):
        treebank("never seen before; so it is not in the cache")
    monkeypatch.undo()
