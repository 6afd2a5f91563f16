"""How a sentence about two pictures divides its claim between them, by rules on its words.

The categories are those of Suhr et al. (ACL 2019, section 4), who sorted 200 sentences by hand and
printed shares only: which sentence is of which kind was never released, so these rules have no
figures of precision, and their shares can be held against the printed ones alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

COMPARES, BOTH, SIDED, ONE, STATES = (
    "compares the two pictures",
    "holds in both pictures",
    "holds in the left or in the right picture",
    "holds in at least one picture",
    "states a property of the pair",
)
REASONING = (STATES, SIDED, ONE, BOTH, COMPARES)
"""In the order of the paper's shares."""

_PICTURE = r"(?:images?|pictures?|photos?|photographs?|pics?)"
_SIDE = r"(?:left|right)(?:[- ]?(?:most|hand|side))?"
_COMPARED = re.compile(
    rf"\b(?:{_SIDE})(?: {_PICTURE})? and (?:the )?(?:{_SIDE}) {_PICTURE} (?:contains?|shows?|"
    rf"has|have)"
    r" (?:the|a) (?:same|different)|\b(?:more|less|fewer|larger|smaller|twice|same|"
    r"different|opposite)"
    rf"\b.*\b(?:than|as|in|on) (?:the )?(?:image on the |one on the )?(?:{_SIDE}|other|second)\b|"
    rf"\b(?:same|different)\b.*\b(?:both|two|each) (?:of the )?{_PICTURE}|"
    r"\bthere are (?:more|fewer|less) (?!th[ae]n \w+ )",
    re.IGNORECASE,
)
_BOTH = re.compile(
    rf"\b(?:each|every|both|all|neither|no) (?:of )?(?:the |these )?(?:two )?{_PICTURE}|"
    rf"\bboth\b.*\b{_PICTURE}|\bper {_PICTURE}",
    re.IGNORECASE,
)
_SIDED = re.compile(
    rf"\b{_SIDE} {_PICTURE}|\b{_PICTURE} (?:on|to|at) the {_SIDE}|\bthe {_SIDE}\b(?= has)|"
    rf"\bin the {_SIDE}\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(rf"\b{_SIDE} and (?:the )?{_SIDE} {_PICTURE}|\bcombined\b", re.IGNORECASE)
_ONE = re.compile(
    rf"\b(?:an?|one|another|1|any|either|single|exactly one|only one) (?:of )?(?:the |these )?"
    rf"(?:two )?{_PICTURE}|\bthe other {_PICTURE}",
    re.IGNORECASE,
)


@lru_cache(maxsize=100_000)
def reasoning(sentence: str) -> str:
    """The first category of these that fits: compares, both, left or right, at least one, states.

    >>> reasoning("There are more dogs in the image on the left.")
    'compares the two pictures'
    >>> reasoning("Each image shows a dog."), reasoning("There are two dogs.")
    ('holds in both pictures', 'states a property of the pair')
    """
    text = " ".join(sentence.split())
    if _COMPARED.search(text):
        return COMPARES
    # A sum over left and right is a property of the pair.
    rest = _TOTAL.sub(" ", text)
    for name, pattern in ((BOTH, _BOTH), (SIDED, _SIDED), (ONE, _ONE)):
        if pattern.search(rest):
            return name
    return STATES
