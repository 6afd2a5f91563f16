"""Words, and drawing them at random."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"\w+(?:['’-]\w+)*")
"""A word inside a text; what stands between words is left alone."""

FUNCTION_WORDS = frozenset(
    """a an and are as at be been being but by can could did do does for from had has have he her
    here hers him his how i if in into is it its just me more most my no nor not of off on once
    only or our ours out over own she should so some such than that the their theirs them then
    there these they this those through to too under until up very was we were what when where
    which while who whom why will with would you your yours""".split()
)
"""Words that carry no content, for operators that alter content words alone."""


def words(text: str) -> list[str]:
    """The words of a text, as written.

    >>> words("A man's hat, left-handed.")
    ['A', "man's", 'hat', 'left-handed']
    """
    return WORD.findall(text)


@dataclass(frozen=True)
class Vocabulary:
    """How often each word occurs, most frequent first (ties by spelling)."""

    counts: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Vocabulary:
        """Count the words of texts.

        >>> Vocabulary.of(["a dog", "a cat"]).counts
        (('a', 2), ('cat', 1), ('dog', 1))
        """
        counted = Counter(w for t in texts for w in words(t))
        return cls(tuple(sorted(counted.items(), key=lambda wc: (-wc[1], wc[0]))))

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The distinct words."""
        return tuple(w for w, _ in self.counts)

    @cached_property
    def _cumulated(self) -> NDArray[np.float64]:
        total = np.cumsum([c for _, c in self.counts], dtype=np.float64)
        return np.asarray(total / total[-1])

    def uniform(self, generator: np.random.Generator) -> str:
        """A word drawn uniformly over types."""
        return self.types[int(generator.integers(len(self.types)))]

    def unigram(self, generator: np.random.Generator) -> str:
        """A word drawn by its frequency."""
        place = np.searchsorted(self._cumulated, generator.random(), side="right")
        return self.types[int(place)]
