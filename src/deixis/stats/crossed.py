"""Bootstrap of means over observations that people make of items: both are drawn anew."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from deixis.seeds import draw

Floats = NDArray[np.float64]

_CELLS = 4_000_000
"""Cells of a table of resamples held at a time; bounds the memory, never the result."""


def crossed_means(
    values: Floats,
    workers: NDArray[np.generic],
    items: NDArray[np.generic],
    conditions: NDArray[np.generic],
    *,
    n: int,
    seed: int = 0,
) -> Mapping[str, Floats]:
    """Mean of each condition in resamples of workers × items (pigeonhole bootstrap: Owen, 2007).

    Workers are drawn with replacement, and items; an observation counts as often as its worker was
    drawn, times as often as its item was. Conditions share the draws, so that differences of two
    of them are differences within a resample. The intervals are a little wide, never too narrow.

    Args:
        values: of each observation, shape (m,).
        workers: shape (m,).
        items: shape (m,).
        conditions: shape (m,).
        n: number of resamples.
        seed: of the resamples.

    Returns:
        By condition, shape (n,); NaN in a resample that holds no observation of it.

    >>> y, who = np.array([1., 0, 1, 1]), np.array([0, 0, 1, 1])
    >>> made = crossed_means(y, who, np.array([0, 1, 0, 1]), np.array(["a"] * 4), n=500)
    >>> bool(0.6 < np.nanmean(made["a"]) < 0.9)
    True
    """
    _, who = np.unique(workers, return_inverse=True)
    _, what = np.unique(items, return_inverse=True)
    shape = (int(who.max()) + 1, int(what.max()) + 1)
    people = _drawn(seed, "workers", n, shape[0])
    things = _drawn(seed, "items", n, shape[1])
    found = {}
    for name in dict.fromkeys(conditions.tolist()):
        own = conditions == name
        totals = []
        for weights in (values[own], np.ones(int(own.sum()))):
            table = sparse.csr_array((weights, (who[own], what[own])), shape=shape)
            totals.append(_weighted(people, table, things))
        mean = np.full(n, np.nan)
        np.divide(totals[0], totals[1], out=mean, where=totals[1] > 0)
        found[str(name)] = mean
    return found


def _weighted(people: Floats, table: sparse.csr_array, things: Floats) -> Floats:
    """Sums of a table of workers × items, weighted by both, for each resample."""
    rows = max(1, _CELLS // table.shape[1])
    parts = [
        ((people[i : i + rows] @ table) * things[i : i + rows]).sum(axis=1)
        for i in range(0, len(people), rows)
    ]
    return np.concatenate(parts)


def _drawn(seed: int, what: str, n: int, g: int) -> Floats:
    made = draw(seed, "crossed", what).multinomial(g, np.full(g, 1 / g), size=n)
    return np.asarray(made, np.float64)
