"""Percentile ranks: our formula, and those of the programs behind published numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def percentile(ranks: Floats, sizes: Ints) -> Floats:
    """100 · (N - rank) / (N - 1), shape (n,): 100 for the first, 0 for the last, 50 for a guess.

    A pool of one leaves nothing to guess; it counts 50.

    Args:
        ranks: mid-ranks from 1, shape (n,).
        sizes: of the pool, shape (n,).

    >>> percentile(np.array([1.0, 2.0, 3.0]), np.array([3, 3, 3]))
    array([100.,  50.,   0.])
    """
    others = np.maximum(sizes - 1, 1)
    return np.asarray(np.where(sizes > 1, 100 * (sizes - ranks) / others, 50.0))


def das2017(ranks: Floats, sizes: Ints) -> Floats:
    """100 · (1 - rank / N): the code released for Das et al. (2017)."""
    return np.asarray(100 * (1 - ranks / sizes))


def interventions2017(ranks: Floats, sizes: Ints) -> Floats:
    """100 · (1 - (rank - 1/2) / N): the authors' code of the 2017 intervention study."""
    return np.asarray(100 * (1 - (ranks - 0.5) / sizes))


def of_score(ranks: Floats, sizes: Ints) -> Floats:
    """100 · (N - rank + 2) / N, and 100 for rank 1: the same study's code in another framework."""
    return np.asarray(np.where(ranks <= 1, 100.0, 100 * (sizes - ranks + 2) / sizes))


FORMULAS: Mapping[str, Callable[[Floats, Ints], Floats]] = {
    "deixis": percentile,
    "das2017": das2017,
    "interventions2017": interventions2017,
    "of-score": of_score,
}
"""By name; they differ by at most 200 / N points."""
