"""Ranks of targets in a pool, by predicted vectors and without a sort.

A prediction p is nearest to the vector g_j whose score p·g_j - |g_j|²/2 is highest, so the rank of
a target is 1 + the number of higher scores. Predictions are affine in a hidden vector, p = W h + b,
so scores are h·(W'g_j) + (b·g_j - |g_j|²/2): once the pool is multiplied with W, each prediction
costs as many products as h is long, however long p is.

Large pools are counted in float32, a chunk at a time. Scores so near to the target's that float32
might order them wrongly are computed again in float64; those that float64 cannot tell apart (equal
vectors, always) are ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Vectors = NDArray[np.floating]

TOP = 20
"""How many of a pool's best are kept."""

SMALL = 2048
"""Pools up to this size are ranked in float64 at once."""

ROWS, COLUMNS = 1024, 4096
"""Predictions and pool vectors in a chunk: 16 MB of scores, which stay in the cache."""

_FIRST = 256
"""Columns whose best 20 start the search for the best 20 of all."""


@dataclass(frozen=True)
class Affine:
    """Predicted vectors p = W h + b of n dialogs.

    Attributes:
        hidden: h, shape (n, k).
        weight: W, shape (d, k); None is the identity.
        bias: b, shape (d,); None is 0.
    """

    hidden: Vectors
    weight: Vectors | None = None
    bias: Vectors | None = None

    @property
    def predictions(self) -> Floats:
        """The predicted vectors, shape (n, d)."""
        made = self.hidden.astype(np.float64)
        made = made if self.weight is None else made @ self.weight.T.astype(np.float64)
        return np.asarray(made if self.bias is None else made + self.bias)


@dataclass(frozen=True)
class Blocks:
    """Scores of n dialogs by a guesser that predicts no vector.

    Attributes:
        scores: gives the scores of the pool for dialogs start to stop (exclusive), higher is
            better, shape (stop - start, N).
        n: number of dialogs.
    """

    scores: Callable[[int, int], Vectors]
    n: int


@dataclass(frozen=True)
class Ranks:
    """Where targets stand, n rows.

    Attributes:
        ranks: mid-rank from 1, shape (n,).
        ties: how many score as the target, itself included, shape (n,).
        top: positions of the best, best first, -1 beyond the pool's size, shape (n, TOP).
    """

    ranks: Floats
    ties: Ints
    top: Ints


class Gallery:
    """A pool of vectors, made ready for one read-out.

    Scores are taken against the pool's mean, which shifts all scores of a dialog alike: where
    vectors share a large mean, this leaves float32 more digits for what differs.
    """

    def __init__(
        self, vectors: Vectors, weight: Vectors | None = None, bias: Vectors | None = None
    ) -> None:
        """Multiply the pool with the read-out.

        Args:
            vectors: the pool, shape (N, d).
            weight: of the read-out, shape (d, k); None is the identity.
            bias: of the read-out, shape (d,); None is 0.

        Raises:
            BadInput: a vector is not finite.
        """
        if not np.isfinite(vectors).all():
            row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
            raise BadInput(f"vector {row} of the pool is not finite")
        wide = vectors.astype(np.float64)
        offset = -0.5 * np.einsum("nd,nd->n", wide, wide)
        if bias is not None:
            offset += wide @ bias.astype(np.float64)
        slope = wide if weight is None else wide @ weight.astype(np.float64)
        self.size, self.depth = len(vectors), vectors.shape[1]
        table = np.column_stack([slope, offset])
        self._table = table - table.mean(axis=0)
        self._narrow = self._table.astype(np.float32)
        # The largest row decides how far rounding can carry any score.
        self._longest = float(np.sqrt((table**2).sum(axis=1).max(initial=0)))
        self._reach = float(np.sqrt((self._table**2).sum(axis=1).max(initial=0)))

    def rank(self, hidden: Vectors, targets: Ints, *, top: bool = True) -> Ranks:
        """Rank the target of each dialog.

        Args:
            hidden: shape (n, k).
            targets: positions in the pool, shape (n,).
            top: whether to find the best of the pool, too.

        Raises:
            BadInput: a prediction is not finite.
        """
        rows = _rows(hidden)
        count = self._count if self.size > SMALL else self._count_small
        return _joined(
            [count(rows[a : a + ROWS], targets[a : a + ROWS], top) for a in _starts(rows, ROWS)]
        )

    def rank_within(self, hidden: Vectors, targets: Ints, places: Ints) -> Ranks:
        """Rank the target of each dialog among some of the pool, others for every dialog.

        Args:
            hidden: shape (n, k).
            targets: positions among `places`, shape (n,).
            places: positions in the pool, shape (n, m); positions of the best are among these.

        Raises:
            BadInput: a prediction is not finite.
        """
        rows = _rows(hidden)
        step = max(1, ROWS * COLUMNS // places.shape[1] // rows.shape[1])
        parts = []
        for a in _starts(rows, step):
            some = rows[a : a + step]
            scores = np.einsum("nk,nmk->nm", some, self._table[places[a : a + step]])
            parts.append(self._counted(some, scores, targets[a : a + step], True))
        return _joined(parts)

    def _unsure(self, rows: Floats) -> Floats:
        """Differences of scores that float64 cannot tell from 0, shape (m,)."""
        lengths = np.sqrt((rows**2).sum(axis=1))
        roundings = 4 * (rows.shape[1] + self.depth) * float(np.finfo(np.float64).eps)
        return np.asarray(roundings * self._longest * lengths)

    def _count_small(self, rows: Floats, targets: Ints, top: bool) -> tuple[Ints, Ints, Ints]:
        return self._counted(rows, rows @ self._table.T, targets, top)

    def _counted(
        self, rows: Floats, scores: Floats, targets: Ints, top: bool
    ) -> tuple[Ints, Ints, Ints]:
        apart = scores - scores[np.arange(len(rows)), targets][:, None]
        unsure = self._unsure(rows)[:, None]
        better, ties = (apart > unsure).sum(axis=1), (np.abs(apart) <= unsure).sum(axis=1)
        best = _best_of(scores) if top else _nothing(len(rows))
        return better, ties, best

    def _count(self, rows: Floats, targets: Ints, top: bool) -> tuple[Ints, Ints, Ints]:
        """How many score higher, how many the same; see the head of this module."""
        own = np.einsum("nk,nk->n", rows, self._table[targets])
        lengths = np.sqrt((rows**2).sum(axis=1))
        # A sum of k products, its factors rounded to float32 first: (k + 4) roundings at most.
        bound = (rows.shape[1] + 4) * np.finfo(np.float32).eps / 2 * 1.001 * lengths * self._reach
        high = np.nextafter((own + bound).astype(np.float32), np.float32(np.inf))
        low = np.nextafter((own - bound).astype(np.float32), np.float32(-np.inf))
        narrow = rows.astype(np.float32)
        better, ties = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        best = _Best(len(rows)) if top else None
        for start, scores in self._scores(narrow):
            above = scores > high[:, None]
            better += [np.count_nonzero(row) for row in above]
            near, place = _few((scores >= low[:, None]) ^ above)
            self._again(rows, own, near, start + place, better, ties)
            if best:
                best.offer(scores, start)
        return better, ties, best.places if best else _nothing(len(rows))

    def _scores(self, narrow: Floats32) -> Iterator[tuple[int, Floats32]]:
        for start in range(0, self.size, COLUMNS):
            yield start, narrow @ self._narrow[start : start + COLUMNS].T

    def _again(
        self, rows: Floats, own: Floats, near: Ints, place: Ints, better: Ints, ties: Ints
    ) -> None:
        """Compute pairs of dialog and pool vector in float64, and count them."""
        unsure = self._unsure(rows)
        for a in range(0, len(near), COLUMNS):
            some, there = near[a : a + COLUMNS], place[a : a + COLUMNS]
            apart = np.einsum("nk,nk->n", rows[some], self._table[there]) - own[some]
            better += np.bincount(some[apart > unsure[some]], minlength=len(rows))
            ties += np.bincount(some[np.abs(apart) <= unsure[some]], minlength=len(rows))


def _rows(hidden: Vectors) -> Floats:
    """Hidden vectors with a 1 for what does not depend on them."""
    if not np.isfinite(hidden).all():
        row = int(np.flatnonzero(~np.isfinite(hidden).all(axis=1))[0])
        raise BadInput(f"the prediction for dialog {row} is not finite")
    return np.column_stack([hidden.astype(np.float64), np.ones(len(hidden))])


def _starts(rows: Floats, step: int) -> range:
    return range(0, len(rows), step)


def _joined(parts: Sequence[tuple[Ints, Ints, Ints]]) -> Ranks:
    better, ties, best = (np.concatenate([p[i] for p in parts]) for i in range(3))
    return Ranks(1 + better + (ties - 1) / 2, ties, best)


class _Best:
    """The best of each row among all columns offered so far, best first, earlier columns first."""

    def __init__(self, n: int) -> None:
        self._scores = np.full((n, TOP), -np.inf, np.float32)
        self.places = np.full((n, TOP), -1, np.int64)

    def offer(self, scores: Floats32, start: int) -> None:
        """Columns `start` and following, shape (n, c)."""
        skip = _FIRST if start == 0 else 0
        if skip:
            first = _best_of(scores[:, :skip])
            self.places = first
            self._scores = np.where(
                first >= 0, np.take_along_axis(scores, np.maximum(first, 0), axis=1), -np.inf
            ).astype(np.float32)
        rows, columns = _few(scores[:, skip:] > self._scores[:, -1:])
        values = scores[rows, columns + skip]
        self._merge(rows, columns + skip + start, values)

    def _merge(self, rows: Ints, columns: Ints, values: Floats32) -> None:
        n = len(self.places)
        rows = np.concatenate([np.repeat(np.arange(n), TOP), rows])
        columns = np.concatenate([self.places.ravel(), columns])
        values = np.concatenate([self._scores.ravel(), values])
        order = np.lexsort((columns, -values, rows))
        starts = np.searchsorted(rows[order], np.arange(n))
        kept = order[starts[:, None] + np.arange(TOP)]
        self.places, self._scores = columns[kept], values[kept]


def _best_of(scores: Vectors) -> Ints:
    """Positions of the best of each row, best first, earlier columns first; shape (n, TOP)."""
    n, width = scores.shape
    made = _nothing(n)
    count = min(TOP, width)
    some = np.argpartition(-scores, count - 1, axis=1)[:, :count]
    values = np.take_along_axis(scores, some, axis=1)
    order = np.lexsort((some, -values), axis=1)
    made[:, :count] = np.take_along_axis(some, order, axis=1)
    return made


def _nothing(n: int) -> Ints:
    return np.full((n, TOP), -1, np.int64)


def _few(mask: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Rows and columns of the few that are true; eight at a time are skipped where none is."""
    width = mask.shape[1]
    padded = mask if width % 8 == 0 else np.pad(mask, ((0, 0), (0, -width % 8)))
    words = np.flatnonzero(np.ascontiguousarray(padded).view(np.uint64))
    inside = padded.reshape(-1, 8)[words]
    word, bit = np.nonzero(inside)
    return np.divmod(words[word] * 8 + bit, padded.shape[1])


def rank_blocks(blocks: Blocks, targets: Ints) -> Ranks:
    """Ranks of targets by scores; equal scores are ties.

    Args:
        blocks: scores of n dialogs.
        targets: positions in the pool, shape (n,).
    """
    parts = []
    for start in range(0, blocks.n, ROWS):
        stop = min(start + ROWS, blocks.n)
        scores = np.asarray(blocks.scores(start, stop), np.float64)
        own = scores[np.arange(stop - start), targets[start:stop]][:, None]
        better, ties = (scores > own).sum(axis=1), (scores == own).sum(axis=1)
        parts.append((better, ties, _best_of(scores)))
    return _joined(parts)
