"""Bags of words of texts that grow: a dialog after each of its rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from deixis.text.vocabulary import words

Ints = NDArray[np.int64]


class Bags:
    """Counts known words; each distinct text is split once, however many dialogs hold it.

    Attributes:
        columns: the column of each known word.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        """Know these words."""
        self.columns = {word: i for i, word in enumerate(columns)}
        self._known: dict[str, Ints] = {}

    @classmethod
    def of(cls, texts: Iterable[str], most: int = 20_000) -> Bags:
        """Know the words of these texts, lower case; the `most` frequent where there are more."""
        counted = Counter(w for t in texts for w in words(t.lower()))
        ranked = sorted(counted, key=lambda w: (-counted[w], w))
        return cls(sorted(ranked[:most]))

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_known": {}}

    def __call__(self, texts: Sequence[Sequence[str]]) -> sparse.csr_array:
        """Counts of known words in n lists of texts, shape (n, words).

        >>> Bags(["a", "dog"])([["a dog", "a cat"], []]).toarray().tolist()
        [[2.0, 1.0], [0.0, 0.0]]
        """
        found = [self._columns(t) for t in chain.from_iterable(texts)]
        lengths = iter([len(f) for f in found])
        totals = [sum(next(lengths) for _ in row) for row in texts]
        indices = np.concatenate([*found, np.zeros(0, np.int64)])
        ends = np.concatenate([[0], np.cumsum(totals, dtype=np.int64)])
        shape = (len(texts), len(self.columns))
        made = sparse.csr_array((np.ones(len(indices)), indices, ends), shape=shape)
        made.sum_duplicates()
        return made

    def _columns(self, text: str) -> Ints:
        if text not in self._known:
            found = (self.columns.get(w) for w in words(text.lower()))
            self._known[text] = np.array([c for c in found if c is not None], np.int64)
        return self._known[text]
