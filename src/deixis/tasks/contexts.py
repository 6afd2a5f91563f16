"""Contexts of reference games: a target among distractors, drawn under exact constraints.

Works on integer columns, so that one function serves whole descriptions, subsets of parts and
any other dataset, and a million contexts take seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deixis.seeds import below, keys, stream

Ints = NDArray[np.int64]

BLOCK = 16
"""Candidates drawn at a time for a context that is not full yet."""


@dataclass(frozen=True)
class Items:
    """What contexts are made of: n pairs of a text and a picture, as columns of shape (n,).

    Attributes:
        ids: names; draws depend on them alone, not on their order.
        figure: code of the picture's figure; no two equal ones in a context.
        text: code of the text; no two equal ones in a context.
        group: code of what all members of a context share, such as the number of parts.
    """

    ids: tuple[str, ...]
    figure: Ints
    text: Ints
    group: Ints

    @classmethod
    def of(
        cls,
        ids: Sequence[str],
        figure: Sequence[object],
        text: Sequence[object],
        group: Sequence[object],
    ) -> Items:
        """Code columns of any values, each column of length n."""
        return cls(tuple(ids), *(_codes(c) for c in (figure, text, group)))

    def free(self) -> Items:
        """The same items without constraints on text and group: only figures must differ."""
        n = len(self.ids)
        return Items(self.ids, self.figure, np.arange(n), np.zeros(n, np.int64))


def fillable(items: Items, k: int) -> NDArray[np.bool_]:
    """Which items can be targets: their group has k figures and k texts, shape (n,)."""
    enough = np.zeros(len(items.ids), bool)
    for group in np.unique(items.group):
        inside = items.group == group
        figures, texts = (len(np.unique(c[inside])) for c in (items.figure, items.text))
        enough |= inside & (min(figures, texts) >= k)
    return enough


def draw_contexts(
    items: Items, targets: Ints, k: int, *, seed: int, replicate: int = 0, chunk: int = 65_536
) -> Iterator[Ints]:
    """One context for each target.

    The distribution is that of shuffling the figures of the target's group, taking one item of
    each at random, and skipping a figure whose item has a text that is already there; which
    figure comes next is drawn instead of shuffled, so the cost does not grow with the group.
    Each context depends on `seed`, `replicate`, its target's id and the items alone.

    Args:
        items: the pool.
        targets: positions of targets, shape (m,).
        k: size of a context.
        seed: the contexts seed.
        replicate: number of the context for the same target.
        chunk: contexts made at a time; bounds the memory.

    Yields:
        Positions of members, shape (≤ chunk, k), the target first, chunks in order of targets.
        Rows that cannot be filled hold -1.
    """
    pool = _Pool(items)
    names = keys(items.ids)
    for start in range(0, len(targets), chunk):
        part = targets[start : start + chunk]
        yield _fill(items, pool, names[part], part, k, seed, replicate)


class _Pool:
    """Items sorted by group, figure and id, with where each group and figure begins."""

    def __init__(self, items: Items) -> None:
        by_id = np.argsort(np.array(items.ids))
        order = by_id[np.lexsort((items.figure[by_id], items.group[by_id]))]
        self.items = order
        figure, group = items.figure[order], items.group[order]
        starts = (np.diff(figure, prepend=-1) != 0) | (np.diff(group, prepend=-1) != 0)
        self.first = np.flatnonzero(starts)  # of each (group, figure)
        self.count = np.diff(self.first, append=len(order))
        groups = group[self.first]
        self.low = np.searchsorted(groups, np.arange(groups.max() + 1))
        self.size = np.searchsorted(groups, np.arange(groups.max() + 1), side="right") - self.low
        # Ids, not codes, decide the order of figures: codes depend on the order of records.
        lead = np.array(items.ids)[order[self.first]]
        ranked = np.lexsort((lead, groups))
        self.first, self.count = self.first[ranked], self.count[ranked]


def _fill(
    items: Items, pool: _Pool, names: NDArray[np.uint64], targets: Ints, k: int, seed: int, rep: int
) -> Ints:
    made = np.full((len(targets), k), -1, np.int64)
    made[:, 0] = targets
    rows = np.arange(len(targets))
    tried = items.figure[targets][:, None]
    filled = np.ones(len(targets), np.int64)
    limit = 4 + 64 * int(pool.size.max()) // BLOCK
    for block in range(limit):
        bits = stream(seed, f"contexts:{rep}:{block}", names[rows], 2 * BLOCK)
        tried, filled = _try(items, pool, made, rows, tried, filled, bits)
        open_ = filled < k
        rows, tried, filled = rows[open_], tried[open_], filled[open_]
        if not len(rows):
            return made
    made[rows] = -1
    return made


def _try(
    items: Items,
    pool: _Pool,
    made: Ints,
    rows: Ints,
    tried: Ints,
    filled: Ints,
    bits: NDArray[np.uint64],
) -> tuple[Ints, Ints]:
    """Offer BLOCK drawn items to each open row; returns figures tried and members so far."""
    k = made.shape[1]
    group = items.group[made[rows, 0]]
    slots = pool.low[group][:, None] + below(bits[:, :BLOCK], pool.size[group][:, None])
    inside = below(bits[:, BLOCK:], pool.count[slots])
    offers = pool.items[pool.first[slots] + inside]
    figures, texts = items.figure[offers], items.text[offers]
    chosen = np.where(made[rows] >= 0, items.text[made[rows]], -1)
    tried = np.hstack([tried, np.full((len(rows), BLOCK), -1)])
    width = tried.shape[1] - BLOCK
    for j in range(BLOCK):
        fresh = (tried[:, : width + j] != figures[:, j, None]).all(axis=1)
        tried[:, width + j] = figures[:, j]
        new_text = (chosen != texts[:, j, None]).all(axis=1)
        take = np.flatnonzero(fresh & new_text & (filled < k))
        made[rows[take], filled[take]] = offers[take, j]
        chosen[take, filled[take]] = texts[take, j]
        filled[take] += 1
    return tried, filled


def _codes(values: Sequence[object]) -> Ints:
    index: dict[object, int] = {}
    return np.array([index.setdefault(v, len(index)) for v in values], np.int64)
