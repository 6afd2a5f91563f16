"""Logistic regression without a penalty; its errors allow for two crossed kinds of clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.errors import BadInput

Floats = NDArray[np.float64]

STEPS = 50
TOLERANCE = 1e-10
FAR = 25.0
"""Log-odds beyond which a coefficient is on its way to infinity: outcomes are separated."""


@dataclass(frozen=True)
class Fit:
    """A fitted regression with k coefficients.

    Attributes:
        coefficients: log-odds, shape (k,).
        errors: two-way cluster-robust standard errors, shape (k,).
        df: degrees of freedom: the fewer of the two kinds of clusters, less one.
        n: observations.
    """

    coefficients: Floats
    errors: Floats
    df: int
    n: int

    @property
    def p(self) -> Floats:
        """Two-sided p of each coefficient being 0, by the t distribution, shape (k,)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(self.coefficients) / self.errors
        return np.asarray(2 * special.stdtr(self.df, -t))

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Ends of the t intervals, each of shape (k,)."""
        half = float(special.stdtrit(self.df, (1 + level) / 2)) * self.errors
        return self.coefficients - half, self.coefficients + half


def clustered_logit(
    design: Floats, right: Floats, first: NDArray[np.generic], second: NDArray[np.generic]
) -> Fit:
    """Maximum likelihood, and the covariance of Cameron, Gelbach and Miller (2011).

    The covariance is that of the first clusters plus that of the second less that of their
    crossing, each with the factors G / (G - 1) and (n - 1) / (n - k). A variance is never taken
    below the larger of the first two, which the difference can fall below in small samples.

    Args:
        design: one row for each observation, with a column of ones if there is to be an intercept,
            shape (n, k).
        right: 0 or 1, shape (n,).
        first: such as the worker, shape (n,).
        second: such as the item, shape (n,).

    Raises:
        BadInput: there are fewer than two clusters of a kind, the columns are not independent, or
            they separate the outcomes so that no finite coefficient is the likeliest.

    >>> x = np.column_stack([np.ones(8), [0, 0, 0, 0, 1, 1, 1, 1]])
    >>> y = np.array([1., 0, 0, 0, 1, 1, 1, 0])
    >>> made = clustered_logit(x, y, np.arange(8), np.arange(8))
    >>> made.coefficients.round(3).tolist()
    [-1.099, 2.197]
    """
    n, k = design.shape
    if n <= k or np.linalg.matrix_rank(design) < k:
        raise BadInput("the columns of a regression must be independent, and fewer than its rows")
    point, information = _likeliest(design, right)
    bread = np.linalg.inv(information)
    scores = design * (right - special.expit(design @ point))[:, None]
    _, one = np.unique(first, return_inverse=True)
    _, two = np.unique(second, return_inverse=True)
    groups = [int(one.max()) + 1, int(two.max()) + 1]
    if min(groups) < 2:
        raise BadInput("clustered errors need two clusters of each kind")
    meats = [_meat(scores, codes) for codes in (one, two, one * groups[1] + two)]
    parts = [bread @ meat @ bread * (n - 1) / (n - k) for meat in meats]
    variance = np.diag(parts[0] + parts[1] - parts[2])
    variance = np.maximum(variance, np.maximum(np.diag(parts[0]), np.diag(parts[1])))
    return Fit(point, np.sqrt(variance), min(groups) - 1, n)


def _likeliest(design: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Newton's steps to the largest likelihood: coefficients and information."""
    point = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chance = special.expit(design @ point)
        information = design.T @ (design * (chance * (1 - chance))[:, None])
        try:
            step = np.linalg.solve(information, design.T @ (right - chance))
        except np.linalg.LinAlgError:
            break
        point = point + step
        if np.abs(point).max() > FAR:
            break
        if np.abs(step).max() < TOLERANCE:
            return point, information
    raise BadInput("the outcomes are separated: some group is always right or always wrong")


def _meat(scores: Floats, codes: NDArray[np.intp]) -> Floats:
    _, codes = np.unique(codes, return_inverse=True)
    sums = np.column_stack([np.bincount(codes, weights=column) for column in scores.T])
    g = len(sums)
    return np.asarray(sums.T @ sums * g / max(g - 1, 1))
