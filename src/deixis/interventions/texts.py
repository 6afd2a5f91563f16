"""Operators on a text."""

from __future__ import annotations

from collections.abc import Callable

from deixis.errors import BadInput
from deixis.interventions.operator import Given
from deixis.text.vocabulary import FUNCTION_WORDS, WORD
from deixis.text.vocabulary import words as words_of

MASK = "_"
"""What `blank` leaves of each word: the extent of the text stays, the words go."""


def drop(_: str, given: Given) -> str:
    """No text at all."""
    given.options()
    return ""


def blank(text: str, given: Given) -> str:
    """Every word becomes the mask; length and punctuation stay."""
    given.options()
    return WORD.sub(MASK, text)


def words(text: str, given: Given) -> str:
    """Each word with probability p becomes a random one: ``words:P[:HOW][:WHICH]``.

    HOW is ``types`` (uniform over the channel's vocabulary, the default, as in the 2017 paper's
    code; the word drawn may be the same), ``unigram`` (by frequency) or ``position`` (the word at
    the same place of the donor's text). WHICH is ``all`` (default) or ``content``.
    """
    p = given.number("a probability", 0, 1)
    options = given.options("types", "unigram", "position", "all", "content")
    generator = given.generator()
    content_only = "content" in options
    other = _source(options, given)
    place = -1

    def replace(word: str) -> str:
        nonlocal place
        place += 1
        # One draw for each word, altered or not: the same words fall at every p that is larger.
        falls = generator.random() < p
        new = other(place)
        return new if falls and not (content_only and word.lower() in FUNCTION_WORDS) else word

    return WORD.sub(lambda match: replace(match[0]), text)


def _source(options: list[str], given: Given) -> Callable[[int], str]:
    """What gives the word to put at a place."""
    if "position" in options:
        donated = words_of(given.donor()) or [MASK]
        return lambda place: donated[place % len(donated)]
    vocabulary = given.vocabulary()
    if not vocabulary.types:
        raise BadInput(f"the channel {given.place[1]} holds no words to draw from")
    generator = given.generator(*given.place, "words")
    pick = vocabulary.unigram if "unigram" in options else vocabulary.uniform
    return lambda _: pick(generator)
