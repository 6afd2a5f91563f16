"""Words of statements about boxes, spelt as they should be."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache

_WORD = re.compile(r"[a-z]+|\d+|,")

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
COLORS = ("black", "yellow", "blue")
SHAPES = ("square", "circle", "triangle")
SIZES = {"small": "small", "medium": "medium", "big": "big", "large": "big"}
THINGS = ("object", "item", "block", "thing", "element", "shape")
BOXES = ("box", "tower", "stack", "image")
NUMERALS = {n: n for n in NUMBERS[1:]} | {str(i): n for i, n in enumerate(NUMBERS)}
NUMERALS |= {"single": "one", "zero": "no"}
_KNOWN = """there is are a an the at least most exactly only just with which that has have having
contains contain containing of and or no not none all each every both any touching touches touch
wall edge side corner base bottom top roof left right middle second on above over below under
beneath between in it its as to than more fewer less where color colors different same other
stacked attached together number clearly supposedly from but""".split()
_LEXICON = sorted(
    {*_KNOWN, *COLORS, *SHAPES, *SIZES, *THINGS, *BOXES, *NUMERALS, "boxes", "grey"}
    | {f"{w}s" for w in (*SHAPES, *THINGS, *BOXES)}
)
_SAME = {"colour": "color", "colours": "colors", "colored": "color", "bellow": "below", "ll": "all"}
_SAME |= {"t": "at", "tleast": "atleast"}


@lru_cache(maxsize=100_000)
def tokens(sentence: str) -> tuple[str, ...]:
    """The words of a sentence, each replaced by the nearest word known, if one is near.

    >>> tokens("There is atleast one yelow cirlce, colored")
    ('there', 'is', 'at', 'least', 'one', 'yellow', 'circle', ',', 'color')
    """
    words = [_SAME.get(w, w) for w in _WORD.findall(sentence.lower())]
    apart = " ".join(words).replace("atleast", "at least").split()
    return tuple(w for w in map(_spelt, apart) if w != "closely")


@lru_cache(maxsize=10_000)
def _spelt(word: str) -> str:
    if word in _LEXICON or len(word) < 3 or word == "closely":
        return word
    return next(iter(get_close_matches(word, _LEXICON, n=1, cutoff=0.75)), word)
