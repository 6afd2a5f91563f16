"""What a ranking of options is worth: reciprocal rank, discounted gain; ties in all their orders.

Options that score the same stand in any order with the same probability, and every measure is its
expectation over these orders: a player that scores all options the same gets what a drawn order
gets, and no more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def reciprocal(ranks: Floats, ties: Ints) -> Floats:
    """Expected 1 / rank of the answer, shape (n,), 0 to 1.

    Its mean over questions is the mean reciprocal rank (Voorhees, 1999). With b options above the
    answer and t that score as it does, the mean of 1 / (b + 1) to 1 / (b + t).

    Args:
        ranks: mid-ranks from 1, shape (n,).
        ties: options that score as the answer does, itself included, shape (n,).

    >>> reciprocal(np.array([2.0, 1.5]), np.array([1, 2]))
    array([0.5 , 0.75])
    """
    better = np.rint(ranks - 1 - (ties - 1) / 2).astype(np.int64)
    harmonic = np.concatenate(
        [[0.0], np.cumsum(1 / np.arange(1, (better + ties).max(initial=0) + 1))]
    )
    return np.asarray((harmonic[better + ties] - harmonic[better]) / ties)


def ndcg(scores: Floats, relevance: Floats) -> Floats:
    """Normalised discounted cumulative gain as VisDial v1.0 defines it, shape (n,), 0 to 1.

    The best K options count, K being how many have a relevance above 0: the sum of relevance /
    log2(place + 1) over places 1 to K, divided by its largest possible value (Järvelin and
    Kekäläinen, 2002; the cut at K is the VisDial challenge's). Options that score the same share
    the discounts of their places.

    Args:
        scores: of options, higher is better, shape (n, k); NaN beyond a row's own options.
        relevance: of the same options, 0 or more, shape (n, k).

    Returns:
        NaN for rows in which nothing is relevant.

    >>> ndcg(np.array([[3.0, 2.0, 1.0]]), np.array([[0.0, 1.0, 0.0]]))
    array([0.])
    >>> ndcg(np.array([[1.0, 1.0, 0.0]]), np.array([[0.0, 1.0, 0.0]]))
    array([0.5])
    """
    made = np.full(len(scores), np.nan)
    for i, (row, gains) in enumerate(zip(scores, relevance, strict=True)):
        own = ~np.isnan(row)
        count = int((gains[own] > 0).sum())
        if count:
            discounts = np.zeros(int(own.sum()))
            discounts[:count] = 1 / np.log2(np.arange(2, count + 2))
            best = np.sort(gains[own])[::-1]
            made[i] = _shared(row[own], discounts) @ gains[own] / (best @ discounts)
    return made


def _shared(scores: Floats, discounts: Floats) -> Floats:
    """The expected discount of each option, shape (k,)."""
    _, codes, sizes = np.unique(-scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    sums = np.concatenate([[0.0], np.cumsum(discounts)])
    return np.asarray(((sums[ends] - sums[ends - sizes]) / sizes)[codes])
