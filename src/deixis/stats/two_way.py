"""Differences of means where observations share items and share raters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.stats.clustered import FEWEST

Floats = NDArray[np.float64]
Names = NDArray[np.str_]


@dataclass(frozen=True)
class Sample:
    """One side of a comparison, n observations.

    Attributes:
        values: shape (n,).
        items: the unit of each, shape (n,); a unit counts once, however many rated it.
        clusters: the primary cluster of each, shape (n,).
        raters: who made it, shape (n,); empty where it was no person.
    """

    values: Floats
    items: Names
    clusters: Names
    raters: Names

    @property
    def mean(self) -> float:
        """Mean over items of the mean over raters."""
        return float(self.weights @ self.values)

    @property
    def weights(self) -> Floats:
        """The share of each observation in the mean, shape (n,)."""
        _, codes, counts = np.unique(self.items, return_inverse=True, return_counts=True)
        return np.asarray(1 / (counts[codes] * len(counts)))

    @property
    def influence(self) -> Floats:
        """How much each observation moves the mean, shape (n,)."""
        return self.weights * (self.values - self.mean)


@dataclass(frozen=True)
class Difference:
    """The difference of two means with its interval.

    Attributes:
        value: first mean less second.
        error: two-way cluster-robust standard error.
        df: degrees of freedom: the fewer of clusters and raters, less one.
        clusters: of items; with fewer than `FEWEST` nothing is inferred.
    """

    value: float
    error: float
    df: int
    clusters: int

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """T interval; NaN where nothing is inferred."""
        if self.clusters < FEWEST:
            return np.nan, np.nan
        half = float(special.stdtrit(self.df, (1 + level) / 2)) * self.error
        return self.value - half, self.value + half

    @property
    def p(self) -> float:
        """Two-sided p of no difference; NaN where nothing is inferred."""
        if self.clusters < FEWEST:
            return np.nan
        if self.error == 0:
            return 1.0 if self.value == 0 else 0.0
        return float(2 * special.stdtr(self.df, -abs(self.value) / self.error))


def difference(first: Sample, second: Sample) -> Difference:
    """Compare two samples over the same items.

    The variance is that of items' clusters plus that of raters less that of their crossing
    (Cameron, Gelbach and Miller, 2011), each with the factor G / (G - 1). Observations without a
    rater are each a rater of their own, which adds nothing.
    """
    influence = np.concatenate([first.influence, -second.influence])
    clusters = np.concatenate([first.clusters, second.clusters])
    raters = np.concatenate([first.raters, second.raters])
    nobody = raters == ""
    alone = np.char.add("\x00", np.arange(len(raters)).astype(str))
    persons = np.where(nobody, alone, raters)
    by_item, items = _variance(influence, clusters)
    by_rater, _ = _variance(influence, persons)
    crossing = np.char.add(np.char.add(clusters, "\x00"), persons)
    by_both, _ = _variance(influence, crossing)
    # The sum of three estimates may fall below the larger of two; it is never taken below it.
    variance = max(by_item + by_rater - by_both, by_item, 0.0)
    known = len(np.unique(raters[~nobody]))
    df = (min(items, known) if known > 1 else items) - 1
    return Difference(first.mean - second.mean, float(np.sqrt(variance)), max(df, 1), items)


def _variance(influence: Floats, labels: Names) -> tuple[float, int]:
    _, codes = np.unique(labels, return_inverse=True)
    sums = np.bincount(codes, weights=influence)
    g = len(sums)
    return float((sums**2).sum() * g / max(g - 1, 1)), g
