"""Yes becomes no, and no becomes yes."""

from __future__ import annotations

import re

from deixis.interventions.operator import Given

_FIRST = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_ALONE = re.compile(r"\W*(yes|no)\W*", re.IGNORECASE)
_OPPOSITE = {"yes": "no", "no": "yes"}

_AUXILIARY = re.compile(
    r"\b(is|are|was|were|am|has|have|do|does|did|can|could|will|would|should|may|might)\b",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(r"\b(ca|wo|sha|\w+?) ?n['’]t\b", re.IGNORECASE)
_VERB = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_NEGATIVE = re.compile(r"\b(not|no|never) ", re.IGNORECASE)
_LAST = re.compile(r" (not)\b(?=\W*$)", re.IGNORECASE)
_NOTHING = {"none": "some", "nothing": "something", "nobody": "somebody", "neither": "both"}
_NOTHINGS = re.compile(rf"\b({'|'.join(_NOTHING)})\b", re.IGNORECASE)


def negate(text: str, given: Given) -> str:
    """Exchange yes and no: ``negate[:exact|:first|:whole]``.

    ``exact`` (the default, as in the 2017 paper's code) alters texts that are yes or no and nothing
    else; ``first`` those that begin with it, whose rest may then contradict it; ``whole`` rewrites
    that rest, too.
    """
    how = (given.options("exact", "first", "whole") or ["exact"])[0]
    match = (_ALONE.fullmatch if how == "exact" else _FIRST.match)(text)
    if match is None:
        return text
    start, end = match.span(1)
    rest = text[end:]
    if how == "whole" and re.search(r"\w", rest):
        rest = denied(rest)
    return text[:start] + _like(match[1], _OPPOSITE[match[1].lower()]) + rest


def denied(phrase: str) -> str:
    """The phrase with its first negation taken out, or one put in.

    >>> denied(", it is on the left"), denied(", it isn't"), denied(" there are no people .")
    (', it is not on the left', ', it is', ' there are people .')
    >>> denied(", on the left"), denied(", ca n't see any"), denied(", nothing")
    (', not on the left', ', can see any', ', something')
    """
    for pattern, instead in (
        (_CONTRACTED, lambda match: _VERB.get(match[1].lower(), match[1])),
        (_LAST, ""),
        (_NEGATIVE, ""),
        (_NOTHINGS, lambda match: _NOTHING[match[1].lower()]),
    ):
        made, n = pattern.subn(instead, phrase, count=1)
        if n:
            return made
    made, n = _AUXILIARY.subn(lambda match: f"{match[0]} not", phrase, count=1)
    return made if n else re.sub(r"(\W*)(\w)", r"\1not \2", phrase, count=1)


def _like(old: str, new: str) -> str:
    """The new word written as the old one was."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    return new.capitalize() if old[0].isupper() else new
