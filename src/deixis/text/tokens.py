"""Ways of cutting a text into tokens, by name: published counts differ mostly in this."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_ALPHANUMERIC = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*")
_PUNCTUATED = re.compile(r"\w+(?:'\w+)*|[^\w\s]")
_RUNS = re.compile(r"\w+")

TOKENISERS: dict[str, Callable[[str], Sequence[str]]] = {
    "whitespace": lambda text: text.lower().split(),
    "alphanumeric": lambda text: _ALPHANUMERIC.findall(text.lower()),
    "words and punctuation": lambda text: _PUNCTUATED.findall(text.lower()),
    "word characters": lambda text: _RUNS.findall(text.lower()),
}
"""Tokens in lower case: cut at blanks; runs of a-z and 0-9 with inner hyphens and apostrophes; runs
of word characters with inner apostrophes, and each mark of punctuation; runs of word characters.

>>> {name: len(cut("A cat's b/w hat.")) for name, cut in TOKENISERS.items()}
{'whitespace': 4, 'alphanumeric': 5, 'words and punctuation': 7, 'word characters': 6}
"""
