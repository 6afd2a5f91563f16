"""TF-IDF over words, word pairs and characters, as sparse rows of length 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from deixis.text.vocabulary import words


@dataclass(frozen=True)
class Tfidf:
    """A fitted vectoriser.

    Attributes:
        columns: the column of each feature.
        idf: weight of each feature, shape (d,).
    """

    columns: dict[str, int]
    idf: NDArray[np.float64]

    @classmethod
    def fit(cls, texts: Sequence[str], *, least: int = 2) -> Tfidf:
        """Learn the features that occur in at least `least` texts."""
        frequency = Counter(f for t in texts for f in features(t))
        kept = sorted(f for f, n in frequency.items() if n >= least)
        n = 1 + len(texts)
        idf = np.array([np.log(n / (1 + frequency[f])) + 1 for f in kept])
        return cls({f: i for i, f in enumerate(kept)}, idf)

    def __call__(self, texts: Sequence[str]) -> sparse.csr_array:
        """Rows of unit length (zero where nothing is known), shape (n, d)."""
        indices: list[int] = []
        values: list[float] = []
        ends = [0]
        for text in texts:
            for feature, weight in features(text).items():
                column = self.columns.get(feature)
                if column is not None:
                    indices.append(column)
                    values.append(weight)
            ends.append(len(indices))
        weights = np.array(values) * self.idf[np.array(indices, np.int64)]
        table = sparse.csr_array((weights, indices, ends), shape=(len(texts), len(self.columns)))
        lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        return sparse.csr_array(sparse.diags_array(scale) @ table)


@lru_cache(maxsize=200_000)
def features(text: str) -> dict[str, float]:
    """Words, pairs, the last word (the head, in short English phrases), and 2- to 5-grams.

    Repeats count by 1 + log; each character n-gram counts half.

    >>> sorted(features("a dog"))[:6]
    [' a', ' a ', ' d', ' do', ' dog', ' dog ']
    """
    found = words(text.lower())
    counts = Counter(f"w:{w}" for w in found)
    counts.update(f"p:{a} {b}" for a, b in pairwise(found))
    counts.update(f"h:{w}" for w in found[-1:])
    weights = {f: 1 + np.log(n) for f, n in counts.items()}
    grams: Counter[str] = Counter()
    for word in found:
        padded = f" {word} "
        for size in range(2, 6):
            grams.update(padded[i : i + size] for i in range(len(padded) - size + 1))
    return weights | {g: n / 2 for g, n in grams.items()}
