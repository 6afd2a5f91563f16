"""What the loaders of statements look at in every sentence, and how they list what was odd."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from deixis.dataset import Irregularity


def odd_form(sentence: str) -> Iterator[str]:
    """What is odd in how a sentence is written.

    >>> list(odd_form("there is  a box"))[:2]
    ['the sentence holds a double space', 'the sentence lacks a final full stop']
    """
    if "  " in sentence:
        yield "the sentence holds a double space"
    if not sentence.endswith("."):
        yield "the sentence lacks a final full stop"
    if sentence[:1].islower():
        yield "the sentence starts in lower case"


def listed(found: Mapping[str, Sequence[str]], where: str) -> Iterator[Irregularity]:
    """Ids by what is odd about them, as irregularities; without those that nothing shows."""
    for what, ids in found.items():
        if ids:
            yield Irregularity(what, tuple(ids), where)
