"""Agreement of raters: Krippendorff's alpha and Fleiss' kappa, with intervals.

A table of ratings has a row for each unit and a column for each rating, NaN (or None) where one is
missing; which rater gave which rating plays no part in either coefficient.

alpha = 1 - D_o / D_e (Krippendorff, *Content Analysis*, 2004): the disagreement within units over
that expected if ratings were dealt to units at random. With the squared difference of numbers as
the distance, both are sums of squares; ordinal ratings are the same with mid-ranks for numbers;
nominal ones with a column of 0 and 1 for each value. So no table of values × values is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from deixis.errors import BadInput, unknown
from deixis.seeds import draw
from deixis.stats.clustered import drawn_counts

Floats = NDArray[np.float64]

LEVELS = ("nominal", "ordinal", "interval")


@dataclass(frozen=True)
class Coefficient:
    """An agreement coefficient.

    Attributes:
        value: 1 is full agreement, 0 what chance gives; None where it is undefined.
        low: lower end of its 95 % interval; None without one.
        high: upper end.
        units: units that count.
        ratings: ratings that count.
        why: why it is undefined, in a few words.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    units: int = 0
    ratings: int = 0
    why: str = ""


@dataclass(frozen=True)
class Ratings:
    """Ratings as counts of values in units.

    Attributes:
        values: the distinct values, ascending.
        counts: how often each unit got each value, shape (units, values).
    """

    values: NDArray[Any]
    counts: sparse.csr_array

    @classmethod
    def of(cls, table: Any) -> Ratings:
        """Count the values of a table of ratings.

        Args:
            table: shape (units, ratings), of numbers, or of any values that can be ordered; NaN and
                None are missing.

        Raises:
            BadInput: the table is no table, or its values cannot be ordered.

        >>> Ratings.of([["a", "a", None], ["a", "b", "b"]]).counts.toarray().tolist()
        [[2.0, 0.0], [1.0, 2.0]]
        """
        array = np.asarray(table)
        if array.ndim != 2:
            raise BadInput(f"ratings: expected units × ratings, got {array.ndim} dimensions")
        there = ~np.isnan(array) if array.dtype.kind == "f" else _there(array)
        rows, _ = np.nonzero(there)
        try:
            values, codes = np.unique(array[there], return_inverse=True)
        except TypeError:
            raise BadInput("ratings: expected values of one type, such as numbers") from None
        shape = (len(array), len(values))
        counts = sparse.csr_array((np.ones(len(rows)), (rows, codes)), shape=shape)
        counts.sum_duplicates()
        return cls(values, counts)


def alpha(
    table: Any,
    level: str = "nominal",
    *,
    clusters: Sequence[Any] | NDArray[Any] | None = None,
    resamples: int = 0,
    seed: int = 0,
) -> Coefficient:
    """Krippendorff's alpha.

    Units with one rating do not count: nothing is there to compare it with.

    Args:
        table: ratings, see `Ratings.of`.
        level: ``nominal``, ``ordinal`` or ``interval``.
        clusters: what each unit belongs to (a sentence, a tangram); each for itself by default.
        resamples: of clusters, from which the 95 % interval is read (percentiles); 0 for none.
        seed: of the resamples.

    Raises:
        BadInput: there is no such level, or interval ratings are not numbers.

    >>> alpha([[1, 1], [2, 2], [1, 2], [2, 2]]).value
    0.533...
    >>> alpha([[1, 1], [1, 1]]).why
    'all ratings are equal'
    """
    if level not in LEVELS:
        raise unknown(f"there is no level {level!r} of ratings", level, LEVELS)
    rated = table if isinstance(table, Ratings) else Ratings.of(table)
    kept = np.flatnonzero(rated.counts.sum(axis=1) > 1)
    counts = sparse.csr_array(rated.counts[kept])
    units, ratings = len(kept), int(counts.sum())
    if not units:
        return Coefficient(None, why="no unit has two ratings")
    if len(np.unique(counts.indices)) < 2:
        return Coefficient(None, None, None, units, ratings, "all ratings are equal")
    parts = _nominal(counts) if level == "nominal" else _ordered(counts, _numbers(rated, level))
    value = float(_alpha(parts.sum(axis=0))[()])
    if not resamples:
        return Coefficient(value, None, None, units, ratings)
    own = np.arange(units) if clusters is None else np.asarray(clusters)[kept]
    low, high = _percentiles(_alpha(resampled_sums(parts, own, resamples, seed)))
    return Coefficient(value, low, high, units, ratings)


def kappa(
    table: Any,
    *,
    raters: int | None = None,
    clusters: Sequence[Any] | NDArray[Any] | None = None,
    resamples: int = 0,
    seed: int = 0,
) -> Coefficient:
    """Fleiss' kappa (1971): for units that all have equally many ratings.

    Args:
        table: ratings, see `Ratings.of`.
        raters: ratings of each unit; units with others are left out. By default the most there are.
        clusters: what each unit belongs to; each for itself by default.
        resamples: of clusters, from which the 95 % interval is read (percentiles); 0 for none.
        seed: of the resamples.

    >>> kappa([[1, 1], [2, 2], [1, 2], [2, 2]]).value
    0.466...
    >>> kappa([[1, None]]).why
    'there is one rater'
    """
    rated = table if isinstance(table, Ratings) else Ratings.of(table)
    totals = rated.counts.sum(axis=1)
    m = int(totals.max(initial=0)) if raters is None else raters
    if m < 2:
        return Coefficient(None, why="there is one rater" if m else "there are no ratings")
    kept = np.flatnonzero(totals == m)
    counts = sparse.csr_array(rated.counts[kept])
    if not len(kept):
        return Coefficient(None, why=f"no unit has {m} ratings")
    if len(np.unique(counts.indices[counts.data > 0])) < 2:
        return Coefficient(None, None, None, len(kept), m * len(kept), "all ratings are equal")
    same = (counts.multiply(counts).sum(axis=1) - m) / (m * (m - 1))
    parts = np.column_stack([np.ones(len(kept)), same, counts.toarray() / m])
    value = float(_kappa(parts.sum(axis=0))[()])
    if not resamples:
        return Coefficient(value, None, None, len(kept), m * len(kept))
    own = np.arange(len(kept)) if clusters is None else np.asarray(clusters)[kept]
    low, high = _percentiles(_kappa(resampled_sums(parts, own, resamples, seed)))
    return Coefficient(value, low, high, len(kept), m * len(kept))


def resampled_sums(parts: Floats, clusters: NDArray[Any], n: int, seed: int) -> Floats:
    """Sums over units of what a coefficient is made of, for resamples of clusters.

    Args:
        parts: shape (units, k).
        clusters: shape (units,).
        n: number of resamples.
        seed: of the resamples.

    Returns:
        Shape (n, k).
    """
    _, codes = np.unique(clusters, return_inverse=True)
    totals = np.column_stack([np.bincount(codes, weights=column) for column in parts.T])
    g = len(totals)
    generator = draw(seed, "agreement")
    rows = max(1, 4_000_000 // g)
    return np.concatenate(
        [drawn_counts(generator, min(rows, n - i), g) @ totals for i in range(0, n, rows)]
    )


def _there(array: NDArray[Any]) -> NDArray[np.bool_]:
    if array.dtype.kind != "O":
        return np.ones(array.shape, bool)
    # A value that differs from itself is NaN.
    return np.asarray([[v is not None and v == v for v in row] for row in array])


def _numbers(rated: Ratings, level: str) -> Floats:
    """The number that stands for each value, shape (values,): its mid-rank, or the value itself."""
    if level == "ordinal":
        # Only ratings that can be compared are ranked.
        kept = np.flatnonzero(rated.counts.sum(axis=1) > 1)
        totals = np.asarray(rated.counts[kept].sum(axis=0)).ravel()
        return np.asarray(np.cumsum(totals) - (totals - 1) / 2)
    try:
        return rated.values.astype(np.float64)
    except ValueError:
        raise BadInput("interval ratings: expected numbers") from None


def _ordered(counts: sparse.csr_array, numbers: Floats) -> Floats:
    """What alpha adds up over units: ratings, squares within, and two moments, shape (units, 4).

    With x the numbers of the m ratings of a unit, the disagreement within is
    2 (m Σ x² - (Σ x)²) / (m - 1).
    """
    m = np.asarray(counts.sum(axis=1)).ravel()
    # Centred: sums of squares of large numbers would lose the digits in which they differ.
    centred = numbers - (counts.sum(axis=0) @ numbers) / counts.sum()
    first, second = counts @ centred, counts @ centred**2
    return np.column_stack([m, 2 * (m * second - first**2) / (m - 1), second, first])


def _nominal(counts: sparse.csr_array) -> Floats:
    """The same for values that are equal or not, shape (units, 3 + values)."""
    m = np.asarray(counts.sum(axis=1)).ravel()
    same = np.asarray(counts.multiply(counts).sum(axis=1)).ravel()
    return np.column_stack([m, 2 * (m * m - same) / (m - 1), m, counts.toarray()])


def _alpha(sums: Floats) -> Floats:
    """Alpha of summed parts, over the last axis."""
    n, within, second = sums[..., 0], sums[..., 1], sums[..., 2]
    expected = 2 * (n * second - (sums[..., 3:] ** 2).sum(axis=-1)) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(1 - within / expected)


def _kappa(sums: Floats) -> Floats:
    n = sums[..., 0]
    observed = sums[..., 1] / n
    expected = ((sums[..., 2:] / n[..., None]) ** 2).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((observed - expected) / (1 - expected))


def _percentiles(drawn: Floats) -> tuple[float | None, float | None]:
    """The middle 95 % of resamples in which the coefficient is defined."""
    kept = drawn[np.isfinite(drawn)]
    if not len(kept):
        return None, None
    low, high = np.percentile(kept, [2.5, 97.5])
    return float(low), float(high)
