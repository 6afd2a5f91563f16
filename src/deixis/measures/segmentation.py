"""Segmentation agreement: how alike people cut a figure into parts.

Two annotators agree on as many pieces as can be kept so that both cut what is kept in the same
way. This equals the largest sum of overlaps over one-to-one matchings of their parts (the measure
of Ji et al., EMNLP 2022; the equality is that of Gusfield, Information Processing Letters 2002).
Pieces that one annotator puts together and the other apart cannot both be kept: they are the
edges of a graph on the pieces, and the agreement is its largest independent set. So two
segmentations are two words of bits, their disagreement is one exclusive or, and few of those
differ among all pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST = 8
"""Up to this many pieces a disagreement fits the word of bits."""


def together(pieces: NDArray[np.integer]) -> NDArray[np.uint32]:
    """Which pairs of pieces each segmentation puts together, a bit for each pair.

    Args:
        pieces: the part of each piece, shape (n, p), p ≤ `MOST`.

    Returns:
        Shape (n,).

    >>> [bin(word) for word in together(np.array([[0, 0, 1], [4, 4, 4]])).tolist()]
    ['0b1', '0b111']
    """
    made = np.zeros(len(pieces), np.uint32)
    for bit, (one, other) in enumerate(combinations(range(pieces.shape[1]), 2)):
        made |= (pieces[:, one] == pieces[:, other]).astype(np.uint32) << np.uint32(bit)
    return made


def largest_kept(edges: NDArray[np.uint32], p: int) -> Ints:
    """The most of p pieces that hold no edge between them, for each graph, shape as `edges`.

    Args:
        edges: graphs as words of bits, in the order of `together`.
        p: number of pieces.
    """
    pairs = list(combinations(range(p), 2))
    distinct, places = np.unique(edges, return_inverse=True)
    best = np.zeros(len(distinct), np.int64)
    for kept in range(1 << p):
        inside = sum(1 << b for b, (i, j) in enumerate(pairs) if kept >> i & kept >> j & 1)
        free = (distinct & np.uint32(inside)) == 0
        best = np.maximum(best, np.where(free, kept.bit_count(), 0))
    return np.asarray(best[places].reshape(edges.shape))


def agreements(pieces: Sequence[Sequence[int]] | NDArray[np.integer]) -> Ints:
    """Pieces on which each two of n annotators agree, shape (n, n), p on the diagonal.

    Args:
        pieces: the part of each of p pieces, by annotator; parts may have any numbers.

    Raises:
        BadInput: more than eight pieces.

    >>> agreements([[0, 0, 0, 1, 1], [0, 1, 1, 1, 1]]).tolist()
    [[5, 3], [3, 5]]
    """
    table = np.asarray(pieces)
    if table.ndim != 2 or not 1 <= table.shape[1] <= MOST:
        raise BadInput(f"segmentation agreement is for 1 to {MOST} pieces, got {table.shape}")
    words, places = np.unique(together(table), return_inverse=True)
    met = largest_kept(words[:, None] ^ words, table.shape[1])
    return np.asarray(met[np.ix_(places, places)])


def segmentation_agreement(pieces: Sequence[Sequence[int]] | NDArray[np.integer]) -> float:
    """Mean agreement over all pairs of n annotators, from 1 to the number of pieces.

    Raises:
        BadInput: fewer than two annotators.

    >>> segmentation_agreement([[0, 0, 1], [5, 5, 2], [0, 1, 1]])
    2.333...
    """
    n = len(pieces)
    if n < 2:
        raise BadInput(f"segmentation agreement needs two annotators, there is {n}")
    met = agreements(pieces)
    return float((met.sum() - met.trace()) / (n * (n - 1)))


def resampled_agreement(met: Ints, counts: Ints) -> Floats:
    """Mean agreement of resamples of annotators; copies of one are no pair.

    Args:
        met: `agreements`, shape (n, n).
        counts: how often each annotator is in each resample, shape (B, n).

    Returns:
        Shape (B,); NaN for a resample that holds one annotator only.

    >>> met = agreements([[0, 0, 1], [5, 5, 2], [0, 1, 1]])
    >>> resampled_agreement(met, np.array([[1, 1, 1], [2, 1, 0], [0, 1, 2]])).round(3).tolist()
    [2.333, 3.0, 2.0]
    """
    apart = met * (1.0 - np.eye(len(met)))
    taken = counts.astype(np.float64)
    totals = ((taken @ apart) * taken).sum(axis=1)
    pairs = taken.sum(axis=1) ** 2 - (taken**2).sum(axis=1)
    drawn: Floats = np.full(len(totals), np.nan)
    np.divide(totals, pairs, out=drawn, where=pairs > 0)
    return drawn
