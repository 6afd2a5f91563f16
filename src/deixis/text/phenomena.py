"""Linguistic phenomena of a sentence about pictures, by rules on its words.

The thirteen phenomena are those of Suhr et al. (ACL 2019), whose authors marked them by hand in 800
sentences. The rules were written on one half of these (`deixis.measures.phenomena` says which) and
are scored on the other. They know no syntax: the three ambiguities of attachment, which are about
the parses that a sentence might have, are guessed from the order of its phrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

HARD, SOFT = "hard cardinality", "soft cardinality"
EXISTENTIAL, UNIVERSAL = "existential quantifier", "universal quantifier"
COORDINATION, COREFERENCE = "coordination", "coreference"
SPATIAL, COMPARISON = "spatial relation", "comparison"
PRESUPPOSITION, NEGATION = "presupposition", "negation"
CC, PP, SBAR = "cc ambiguity", "pp ambiguity", "sbar ambiguity"
PHENOMENA = (
    HARD, SOFT, EXISTENTIAL, UNIVERSAL, COORDINATION, COREFERENCE, SPATIAL, COMPARISON,
    PRESUPPOSITION, NEGATION, CC, PP, SBAR,
)  # fmt: skip
"""In the order of the paper's table."""


def _any(*patterns: str) -> re.Pattern[str]:
    """One pattern of whole words out of several."""
    return re.compile(rf"\b(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


_NUMERAL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|dozen|[0-9]+"
_PICTURE = "(?:images?|pictures?|photos?|photographs?|pics?|pairs?)"
_SIDE = "(?:left|right)(?:[- ]?(?:most|hand|side))?"
_PLACE = _any(
    rf"(?:(?:in|on|of|from|to|for|per) )?(?:at least |only |exactly |just )?(?:(?:one|1|each|every|"
    rf"both|all|either|any|the|an?|no|these|either|two) )*(?:of )?(?:the |these |your )?(?:two )?"
    rf"(?:(?:{_SIDE}|other|second|first|opposite|combined|same)(?: and |/|, )?)*(?:{_SIDE} )?"
    rf"{_PICTURE}(?: (?:on|to|at) the {_SIDE}| pairs?| of images)*",
)
"""Where in the pair something is; no relation of things to each other."""

_SOFTLY = (
    r"(?:at least|at most|at the most|(?:no )?(?:more|less|fewer|greater) th[ae]n|as many as|up to|"
    rf"maximum of|minimum of|about|around)(?: or equal to)? (?:a |the )?(?:{_NUMERAL}|a|an)"
)
_SOFT = _any(
    _SOFTLY,
    rf"(?:{_NUMERAL}) or (?:more|less|fewer|so)",
    r"at (?:least|most)|no (?:more|less|fewer) th[ae]n",
)
_ONE_PLACE = _any(
    rf"(?:in |of |on )?(?:one|1|another) (?:of (?:the )?)?(?:two )?{_PICTURE}",
    "one (?:of|is|and one|another|or|side|end)",
    "two[- ]tone|one[- ]piece|one by one|one another|all in one",
)
_HARD = _any(
    "exactly|only one|just one|single",
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|[0-9]+",
    r"trios?|pairs? of(?! images)|twins?|couple of|duo|quartet",
    "one",
)
_ONE_THING = _any(rf"one of the (?!{_PICTURE})\w+")
_EXISTS = _any("there(?:'s| is| are| isn't| aren't| at| appears?| was| were| can be)")
_UNIVERSAL = _any(
    "each(?! ?-?other)|every|everything|everyone|everybody|both",
    r"all(?!-)(?! (?:white|black|red|blue|green|brown|gr[ae]y|yellow|pink|orange|fours?|"
    r"different|in "
    r"one|over|around|sides))",
)
_COORDINATION = _any("and|or|but|nor|while|whereas")
_COREFERENCE = _any(
    "its|it|it's|itself|they|them|their|theirs|themselves|his|her|hers|him|he|she|himself|herself",
)
_SPATIAL = _any(
    "next[- ]to|beside|besides|behind|in front of|under|underneath|beneath|below|above|over|atop",
    "inside|outside|outdoors|indoors|into|onto|near|nearby|between|against|along|alongside|across|"
    "through|towards?|amongst?|within|around|off",
    "surround(?:ed|ing|s)|side[- ]by[- ]side|together|adjacent|close to|closer|background|"
    "foreground",
    r"on (?!(?:display|either side of a page|it's own))\w+",
    r"in (?!(?:total|color|graduation|costumes?|uniform|profile|motion|addition|half|pink|"
    r"red|black|"
    r"white|blue|green|opposite|opposing|the process|the same|different|a similar|various|between|"
    r"number|orange|yellow|towels?|pajamas|at least|shape|appearance|focus|which))\w+",
    r"at (?!(?:least|most|the most|a time))\w+",
    r"by (?:a|an|the|its|their|snow|water|trees|\w+s)",
    r"(?:facing|faces?|turned|pointed|looking|headed|aimed) (?:\w+ ){0,2}(?:each|away|"
    r"towards?|camera|opposite|"
    r"the camera|up|down)|face[- ]to[- ]face|to the (?:left|right) of|rearward|"
    r"(?:left|right)most",
    "touching|stack(?:ed|s)?|attached|perched|hanging|hangs?|mounted|lined up|rows? of|"
    "in a (?:line|row)",
    "upward|downward|horizontally|vertically|corner|back-to-back|leaning|overlapping|"
    "left side|right side",
)
_STATED = _any(
    "left and right|right and left|in unison|upright|(?:in )?(?:the )?(?:left|"
    "right)(?:hand)? ?side",
    "on (?:its|his|her|their) own|right side up|right next",
)
_COMPARISON = _any(
    "same|twice|half as many|as (?:many|much|few|tall|big|large|long) as|different(?:ly)?|differs?|"
    "differing|identical|similar|similarly|unlike|matching|equal|opposing|alike|look-alike",
    rf"(?:more|less|fewer)(?! th[ae]n (?:or equal to )?(?:{_NUMERAL}|a|an))",
    r"\w{3,}er(?: \w+)? than",
    "larger|smaller|bigger|taller|shorter|longer|older|younger|darker|lighter|higher|wider|largest|"
    "smallest|tallest|biggest|closest|longest",
)
_NO_COMPARISON = _any(
    rf"(?:no (?:more|less|fewer) th[ae]n)|(?:{_NUMERAL}) or (?:more|less|fewer)|more or less|"
    rf"or more|"
    "or less|or fewer"
)
_INDEFINITE = (
    f"{_PICTURE}|{_SIDE}|other|others|first|second|same|top|bottom|front|back|middle|center|"
    "foreground|background|camera|air|side|sides|combined|end|ends|edge|total|two|number|way|"
    "far|rear|process|base|rest|lefthand|righthand|opposite|center"
)
_DEFINITE = re.compile(rf"\bthe (?!(?:{_INDEFINITE})\b)([\w'-]+)(?! of\b)", re.IGNORECASE)
_NEGATION = _any(
    r"no|not|none|neither|nor|never|nothing|nobody|without|cannot|non-?\w{3,}|zero|lacks?|lacking|"
    r"\w+n't|isnt|arent|doesnt|doesn|isn",
)
_NO_NEGATION = _any("no (?:less|fewer) th[ae]n")
_PREPOSITION = (
    r"(?:of|in|on|with|at|by|over|under|behind|from|near|to|for|into|onto|around|through|between|"
    r"against|along|across|atop|above|below|inside|outside|next to|in front of|without)"
)
_LATE_PHRASE = re.compile(
    rf"\b{_PREPOSITION} (?:an? |the |its |their |his )?(?:[\w-]+ ){{1,4}}?(?:with|of|on|in|"
    rf"over|at) "
    r"(?:an? |the |its |their |his |at least one |one )?[\w-]+",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\b(?:an?|the|its|with|in|of|two|their) (?:[\w-]+ ){2,}(?:and|or) (?:[\w-]+ ){1,3}"
    rf"{_PREPOSITION}\b|\b[\w-]+ed (?:[\w-]+ )+and (?!the |an? )[\w-]+ [\w-]+$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"\b{_PREPOSITION} (?:an? |the )?(?:[\w-]+ ){{1,3}}(?:that|which|who)\b|"
    r"\b(?:riding|behind|wearing) an? (?:[\w-]+ ){1,3}(?:wearing|that)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=100_000)
def phenomena(sentence: str) -> frozenset[str]:
    """The phenomena that the rules see in a sentence, names of `PHENOMENA`.

    >>> sorted(phenomena("There are no more than six birds."))
    ['existential quantifier', 'negation', 'soft cardinality']
    >>> sorted(phenomena("Each dog has its mouth open."))
    ['coreference', 'universal quantifier']
    """
    text = " ".join(sentence.split())
    return frozenset(name for name, rule in _RULES.items() if rule(text))


def _hard(text: str) -> bool:
    """A number that is met exactly: not at least, and not in "one image"."""
    rest = _SOFT.sub(" ", text)
    return bool(_HARD.search(_ONE_PLACE.sub(" ", rest)) or _ONE_THING.search(rest))


def _spatial(text: str) -> bool:
    return bool(_SPATIAL.search(_STATED.sub(" ", _PLACE.sub(" ", text))))


def _presupposition(text: str) -> bool:
    """A definite description of something that no sentence introduced."""
    return any(
        not re.search(rf"\b{re.escape(met[1].rstrip('s'))}", text[: met.start()], re.IGNORECASE)
        for met in _DEFINITE.finditer(text)
    )


def _comparison(text: str) -> bool:
    return bool(_COMPARISON.search(_NO_COMPARISON.sub(" ", text)))


def _coordination(text: str) -> bool:
    return bool(_COORDINATION.search(_NO_COMPARISON.sub(" ", text)))


def _negation(text: str) -> bool:
    return bool(_NEGATION.search(_NO_NEGATION.sub(" ", text)))


def _pp(text: str) -> bool:
    """A prepositional phrase that follows another, in either of which it may stand."""
    met = _LATE_PHRASE.search(_PLACE.sub(" ", text))
    return bool(met) and len(text.split()) > 11


def _cc(text: str) -> bool:
    return bool(_JOINED.search(_PLACE.sub(" ", text)))


def _found(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: bool(pattern.search(text))


_RULES: dict[str, Callable[[str], bool]] = {
    HARD: _hard,
    SOFT: _found(_SOFT),
    EXISTENTIAL: _found(_EXISTS),
    UNIVERSAL: _found(_UNIVERSAL),
    COORDINATION: _coordination,
    COREFERENCE: _found(_COREFERENCE),
    SPATIAL: _spatial,
    COMPARISON: _comparison,
    PRESUPPOSITION: _presupposition,
    NEGATION: _negation,
    CC: _cc,
    PP: _pp,
    SBAR: _found(_CLAUSE),
}
