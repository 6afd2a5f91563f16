"""Facts crossed with patterns: the sparse features of maximum entropy models.

Features are numbered ``pattern * WIDTH + fact``; patterns have numbers, and facts are made for all
trials that share a sentence at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from deixis.players.statement.facts import PAIRS, STATISTICS, WHOLE, Facts
from deixis.players.statement.mentions import Mention, Reading, Related, Sized

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_BUCKETS = 4
"""Counts are told apart up to this many; larger ones are the last."""

_EXACT = 11
"""Boxes counted against the number that a mention names, see `_against`."""

_SIZED = 6
"""Boxes counted by how many things are in them, see `_in_sized`."""

WIDTH = 256
"""Facts of one pattern, at most."""


@dataclass(frozen=True)
class Crossed:
    """Which features fire: one row for each feature of each trial.

    Attributes:
        trial: positions of trials, shape (m,).
        feature: numbers of features, shape (m,).
        signs: of each trial, -1 for negated sentences, shape (n,).
    """

    trial: Ints
    feature: Ints
    signs: Floats

    def matrix(self, columns: Ints, weights: Floats) -> sparse.csr_array:
        """Rows of unit length over the given features, shape (n, len(columns)).

        Args:
            columns: numbers of features, sorted.
            weights: of each, shape (len(columns),).
        """
        n = len(self.signs)
        places = np.minimum(np.searchsorted(columns, self.feature), len(columns) - 1)
        known = columns[places] == self.feature
        rows, cells = self.trial[known], places[known]
        ones = np.ones(len(rows))
        table = sparse.coo_array((ones, (rows, cells)), shape=(n, len(columns))).tocsr()
        table.data = weights[table.indices]
        lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
        scale = np.divide(self.signs, lengths, out=np.zeros(n), where=lengths > 0)
        return sparse.csr_array(sparse.diags_array(scale) @ table)

    def frequencies(self) -> tuple[Ints, Ints]:
        """Features, sorted, and in how many trials each fires."""
        n = len(self.signs)
        features, counts = np.unique(
            np.unique(self.feature * n + self.trial) // n, return_counts=True
        )
        return features, counts


def cross(
    readings: Sequence[Reading],
    sentence: Ints,
    scene: Ints,
    found: Facts,
    patterns: dict[str, int],
    *,
    learn: bool,
) -> Crossed:
    """All features of trials.

    Args:
        readings: of distinct sentences.
        sentence: the row of each trial's sentence, shape (n,).
        scene: the row of each trial's scene, shape (n,).
        found: facts of distinct scenes.
        patterns: their numbers.
        learn: whether to number new patterns; else they are left out.
    """
    order = np.argsort(sentence, kind="stable")
    ends = np.searchsorted(sentence[order], np.arange(len(readings) + 1))
    trials, features = [], []
    for s, reading in enumerate(readings):
        rows = order[ends[s] : ends[s + 1]]
        for codes, contexts in _facts_of(reading, found, scene[rows]):
            if learn:
                known = [patterns.setdefault(c, len(patterns)) for c in contexts]
            else:
                known = [patterns[c] for c in contexts if c in patterns]
            crossed = np.array(known, np.int64)[:, None, None] * WIDTH + codes
            features.append(crossed.ravel())
            trials.append(np.broadcast_to(rows[None, :, None], crossed.shape).ravel())
    signs = np.array([-1.0 if r.negated else 1.0 for r in readings])
    return Crossed(np.concatenate(trials), np.concatenate(features), signs[sentence])


def _facts_of(reading: Reading, found: Facts, at: Ints) -> Iterator[tuple[Ints, Sequence[str]]]:
    """Codes of facts, shape (len(at), f), with the patterns that they are crossed with."""
    for mention in reading.mentions:
        yield _mentioned(mention, found, at), mention.contexts
    for pair in reading.related:
        yield _paired(pair, found, at), pair.contexts
    for sized in reading.sized:
        yield _in_sized(sized, found, at), sized.contexts
    yield _bucketed(found.whole[at]), reading.contexts


def _mentioned(mention: Mention, found: Facts, at: Ints) -> Ints:
    counts = found.counts[at, mention.filter].astype(np.int64)
    exact = _against(mention, found, at)
    if mention.number < 0:
        return np.hstack([_bucketed(counts), _bucketed(exact, _BUCKETS * len(STATISTICS))])
    relation = 1 + np.sign(counts - mention.number)
    codes = 3 * np.arange(len(STATISTICS)) + relation
    return np.hstack([codes, _bucketed(exact, 3 * len(STATISTICS))])


def _placed(mention: Mention, found: Facts, at: Ints) -> Ints:
    """Things meant, in each box: at the mention's place, or off it, shape (n, BOXES)."""
    inside: Ints = found.inside[at, mention.filter].astype(np.int64)
    if mention.place < 0:
        return inside
    placed: Ints = found.placed[at, mention.place, mention.filter].astype(np.int64)
    return inside - placed if mention.off else placed


def _against(mention: Mention, found: Facts, at: Ints) -> Ints:
    """Boxes and things counted against the number, shape (n, _EXACT)."""
    inside, placed = found.inside[at, mention.filter].astype(np.int64), _placed(mention, found, at)
    full, colors = found.inside[at, 0], found.kinds[at, 0]
    n = max(mention.number, 1)
    total = placed.sum(1)
    return np.stack(
        [
            (inside == n).sum(1),
            (inside >= n).sum(1),
            ((inside == n) & (full == n)).sum(1),
            (full == n).sum(1),
            (full >= n).sum(1),
            (colors == n).sum(1),
            (placed == n).sum(1),
            (placed >= n).sum(1),
            (placed > 0).sum(1),
            ((placed == inside) & (inside > 0)).sum(1),
            1 + np.sign(total - n),
        ],
        axis=1,
    )


def _in_sized(sized: Sized, found: Facts, at: Ints) -> Ints:
    """Boxes with the thing that hold so many things, or colors, shape (n, _SIZED)."""
    placed = _placed(sized.mention, found, at)
    counted = found.kinds[at, 0] if sized.hues else found.inside[at, 0]
    enough = placed >= max(sized.mention.number, 1)
    n = sized.number
    return _bucketed(
        np.stack(
            [
                (enough & (counted == n)).sum(1),
                (enough & (counted >= n)).sum(1),
                (enough & (counted <= n)).sum(1),
                (~enough & (counted == n)).sum(1),
                (enough & (counted != n)).sum(1),
                ((placed == sized.mention.number) & (counted == n)).sum(1),
            ],
            axis=1,
        )
    )


def _paired(pair: Related, found: Facts, at: Ints) -> Ints:
    both = found.pairs[at, pair.first, pair.second], found.pairs[at, pair.second, pair.first]
    return _bucketed(np.concatenate(both, axis=1))


def _bucketed(values: NDArray[np.integer], start: int = 0) -> Ints:
    capped = np.minimum(values.astype(np.int64), _BUCKETS - 1)
    return start + _BUCKETS * np.arange(values.shape[1]) + capped


assert _BUCKETS * (len(STATISTICS) + _EXACT) <= WIDTH
assert _BUCKETS * max(2 * len(PAIRS), len(WHOLE)) <= WIDTH
