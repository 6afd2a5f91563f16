"""Intervals for contrasts of conditions when units come in clusters.

One matrix of values (units × conditions), one set of cluster resamples, and any number of
contrasts as rows of weights: gaps, interactions, Shapley values and curves are all the same sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.errors import BadInput
from deixis.seeds import draw

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEWEST = 10
"""Below this many clusters no interval is given."""

FEW = 30
"""Below this many clusters a warning is given."""

_CELLS = 4_000_000
"""Cells of a table of resampled counts held at a time; bounds the memory, never the result."""


@dataclass(frozen=True)
class Intervals:
    """Estimates of c contrasts, each array of shape (c,).

    Attributes:
        estimates: means over units.
        errors: cluster-robust standard errors (Liang and Zeger, with the factor G / (G - 1)).
        low: lower ends of the intervals; NaN with fewer than `FEWEST` clusters.
        high: upper ends.
        clusters: number of clusters G.
        units: number of units.
    """

    estimates: Floats
    errors: Floats
    low: Floats
    high: Floats
    clusters: int
    units: int


@dataclass(frozen=True)
class Sums:
    """Contrasts summed within clusters: all that resampling clusters needs.

    Attributes:
        totals: shape (G, c).
        sizes: units in each cluster, shape (G,).
        estimates: means over units, summed without rounding errors, shape (c,).
    """

    totals: Floats
    sizes: Floats
    estimates: Floats

    @property
    def residuals(self) -> Floats:
        """Totals less what the mean predicts for the cluster's size, shape (G, c)."""
        return self.totals - self.sizes[:, None] * self.estimates

    @property
    def errors(self) -> Floats:
        """Cluster-robust standard errors of the means, shape (c,); NaN for one cluster."""
        g = len(self.sizes)
        if g < 2:
            return np.full(self.totals.shape[1], np.nan)
        squares = (self.residuals**2).sum(axis=0) * g / (g - 1)
        return np.asarray(np.sqrt(squares) / self.sizes.sum())


def sums(values: Floats, clusters: NDArray[np.generic], weights: Floats) -> Sums:
    """Sum contrasts within clusters.

    Args:
        values: units × conditions, shape (u, k).
        clusters: the cluster of each unit, shape (u,), of any type.
        weights: contrasts × conditions, shape (c, k).

    Raises:
        BadInput: a value is not finite, or there are no units.
    """
    if not len(values):
        raise BadInput("no units to compare")
    if not np.isfinite(values).all():
        raise BadInput("a value to compare is not finite")
    _, codes = np.unique(clusters, return_inverse=True)
    contrasts = values @ np.atleast_2d(weights).T
    totals = np.column_stack([np.bincount(codes, weights=column) for column in contrasts.T])
    sizes = np.bincount(codes).astype(np.float64)
    estimates = np.array([math.fsum(column) for column in contrasts.T]) / len(values)
    return Sums(totals.astype(np.float64), sizes, estimates)


def inflation(
    values: Floats,
    clusters: NDArray[np.generic],
    second: NDArray[np.generic],
    weights: Floats,
) -> Floats:
    """By how much errors grow when units share a second cluster across the first, shape (c,).

    The two-way cluster-robust error (Cameron, Gelbach and Miller, 2011) over the one-way error;
    never less than 1. Items that share an annotator are the case in point.

    Args:
        values: units × conditions, shape (u, k).
        clusters: the first cluster of each unit, shape (u,).
        second: the second, shape (u,).
        weights: contrasts × conditions, shape (c, k).
    """
    contrasts = values @ np.atleast_2d(weights).T
    apart = contrasts - contrasts.mean(axis=0)
    _, one = np.unique(clusters, return_inverse=True)
    _, two = np.unique(second, return_inverse=True)
    first = _variance(apart, one)
    both = first + _variance(apart, two) - _variance(apart, one * (two.max() + 1) + two)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.sqrt(np.maximum(both, first) / first)
    return np.where(first > 0, ratio, 1.0)


def _variance(apart: Floats, codes: NDArray[np.intp]) -> Floats:
    """Variance of sums, for units grouped by codes, up to the number of units squared."""
    _, codes = np.unique(codes, return_inverse=True)
    g = int(codes.max()) + 1
    totals = np.column_stack([np.bincount(codes, weights=c, minlength=g) for c in apart.T])
    return np.asarray((totals**2).sum(axis=0) * g / max(g - 1, 1))


def t_intervals(
    values: Floats, clusters: NDArray[np.generic], weights: Floats, *, level: float = 0.95
) -> Intervals:
    """Cluster-robust t intervals with G - 1 degrees of freedom: the quick form.

    Args:
        values: units × conditions, shape (u, k).
        clusters: shape (u,).
        weights: contrasts × conditions, shape (c, k).
        level: of confidence.
    """
    made = sums(values, clusters, weights)
    g = len(made.sizes)
    half = special.stdtrit(max(g - 1, 1), (1 + level) / 2) * made.errors
    return _intervals(made, len(values), made.estimates - half, made.estimates + half)


@dataclass(frozen=True)
class Resampled:
    """Cluster resamples of contrasts, from which intervals of any level are read.

    Attributes:
        sums: what was resampled.
        units: number of units.
        pivots: (resampled estimate - estimate) / its own error, shape (n, c).
        inflation: see `inflation`, shape (c,).
    """

    sums: Sums
    units: int
    pivots: Floats
    inflation: Floats

    @property
    def errors(self) -> Floats:
        """Standard errors that allow for both clusters, shape (c,)."""
        return self.sums.errors * self.inflation

    def intervals(self, level: float = 0.95) -> Intervals:
        """Studentised intervals."""
        tail = (1 - level) / 2
        upper, lower = np.quantile(self.pivots, [1 - tail, tail], axis=0)
        low = self.sums.estimates - upper * self.errors
        high = self.sums.estimates - lower * self.errors
        return replace(_intervals(self.sums, self.units, low, high), errors=self.errors)


def resample(
    values: Floats,
    clusters: NDArray[np.generic],
    weights: Floats,
    *,
    second: NDArray[np.generic] | None = None,
    n: int = 10_000,
    seed: int = 0,
) -> Resampled:
    """Draw clusters with replacement; contrasts share the draws, so they stay comparable.

    Args:
        values: units × conditions, shape (u, k).
        clusters: shape (u,).
        weights: contrasts × conditions, shape (c, k).
        second: a second cluster that units share, shape (u,): errors grow by `inflation`.
        n: number of resamples.
        seed: of the resamples.
    """
    made = sums(values, clusters, weights)
    grown = np.ones(len(np.atleast_2d(weights)))
    if second is not None:
        grown = inflation(values, clusters, second, weights)
    return Resampled(made, len(values), _pivots(made, n, seed), grown)


def bootstrap(
    values: Floats,
    clusters: NDArray[np.generic],
    weights: Floats,
    *,
    n: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
) -> Intervals:
    """Studentised cluster bootstrap intervals (Cameron, Gelbach and Miller, 2008).

    Each resample's contrast is divided by its own cluster-robust error. See `resample`.
    """
    return resample(values, clusters, weights, n=n, seed=seed).intervals(level)


def _intervals(made: Sums, units: int, low: Floats, high: Floats) -> Intervals:
    g = len(made.sizes)
    if g < FEWEST:
        low = high = np.full_like(low, np.nan)
    return Intervals(made.estimates, made.errors, low, high, g, units)


def _pivots(made: Sums, n: int, seed: int) -> Floats:
    """(Resampled estimate - estimate) / its own error, shape (n, c)."""
    g, c = made.totals.shape
    residuals, sizes = made.residuals, made.sizes[:, None]
    # A resample that counts cluster i c_i times needs only these sums over c_i.
    moments = np.hstack([residuals, residuals**2, residuals * sizes, sizes, sizes**2])
    generator = draw(seed, "bootstrap")
    out = np.empty((n, c))
    rows = max(1, _CELLS // g)
    for start in range(0, n, rows):
        taken = drawn_counts(generator, min(rows, n - start), g) @ moments
        first, second, cross = (taken[:, i * c : (i + 1) * c] for i in range(3))
        size, size2 = taken[:, -2:-1], taken[:, -1:]
        shift = first / size
        squares = np.maximum(second - 2 * shift * cross + shift**2 * size2, 0) * g / max(g - 1, 1)
        error = np.sqrt(squares) / size
        # A resample that draws hardly a cluster that differs would claim to have no error, and a
        # few of these would make the interval endless: none claims less than one cluster's share.
        error = np.maximum(error, made.errors / math.sqrt(g))
        out[start : start + rows] = np.divide(
            shift, error, out=np.zeros_like(shift), where=error > 0
        )
    return out


def drawn_counts(generator: np.random.Generator, rows: int, g: int) -> Floats:
    """How often each of g clusters is drawn in each resample, shape (rows, g).

    One resample at a time: all draws at once would take eight bytes each.
    """
    kind = np.uint16 if g <= np.iinfo(np.uint16).max else np.uint32
    made = np.empty((rows, g))
    for row in made:
        row[:] = np.bincount(generator.integers(0, g, g, dtype=kind), minlength=g)
    return made
