"""The words that bots know, and texts as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

PAD = 0
"""The number of no word; words are counted from 1."""

UNKNOWN = "UNK"
"""The word for all that are not known; it is one of the words."""

_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|['’]\w+|[^\w\s]")
_CLOSE = re.compile(r" (?=[?.,!:;])")


def tokens(text: str) -> list[str]:
    """Words and marks, lower case.

    >>> tokens("Is it open? I can't tell.")
    ['is', 'it', 'open', '?', 'i', "can't", 'tell', '.']
    """
    return _TOKEN.findall(text.lower())


def joined(words: Iterable[str]) -> str:
    """Words as a text; marks stand close to the word before.

    >>> joined(["is", "it", "open", "?"])
    'is it open?'
    """
    return _CLOSE.sub("", " ".join(words))


@dataclass(frozen=True)
class Lexicon:
    """Known words; as in the code of Das et al. (2017) START and END have numbers behind them.

    Attributes:
        words: the i-th has the number i + 1; the last is `UNKNOWN`.
    """

    words: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str], least: int) -> Lexicon:
        """Words that occur `least` times, most frequent first.

        >>> Lexicon.of(["a dog", "a cat", "a dog"], 2).words
        ('a', 'dog', 'UNK')
        """
        counted = Counter(w for t in texts for w in tokens(t))
        kept = sorted((w for w, n in counted.items() if n >= least), key=lambda w: (-counted[w], w))
        return cls((*kept, UNKNOWN))

    @property
    def start(self) -> int:
        """The number of what stands before a text."""
        return len(self.words) + 1

    @property
    def end(self) -> int:
        """The number of what stands behind a text."""
        return len(self.words) + 2

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.words) + 3

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {w: i for i, w in enumerate(self.words, start=1)}

    def encode(self, text: str, longest: int) -> list[int]:
        """Numbers of the first `longest` words.

        >>> Lexicon(("a", "UNK")).encode("a b a", 2)
        [1, 2]
        """
        unknown = len(self.words)
        return [self._numbers.get(w, unknown) for w in tokens(text)[:longest]]

    def decode(self, numbers: Sequence[int]) -> str:
        """The text of numbers, up to END."""
        stop = numbers.index(self.end) if self.end in numbers else len(numbers)
        return joined(self.words[i - 1] for i in numbers[:stop] if 0 < i <= len(self.words))
