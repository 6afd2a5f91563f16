"""Spearman's rank correlation where values may be undefined, and where equal values must tie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from deixis.plain import number, p_value

Floats = NDArray[np.float64]

PLACES = 12
"""Decimals to which values are told apart."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rho of n pairs.

    Attributes:
        rho: NaN where it is undefined: fewer than three pairs, or all values equal.
        p: two-sided, by the t distribution.
        n: pairs in which both values are defined.
        tied: rho if values that agree to `PLACES` decimals tie: sums of the same terms in another
            order differ in their last digit, and published coefficients rank such differences.
    """

    rho: float
    p: float
    n: int
    tied: float

    @property
    def defined(self) -> bool:
        """Whether there is a correlation."""
        return not math.isnan(self.rho)

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        return {"rho": self.rho, "p": self.p, "n": self.n, "rho_tied": self.tied}

    def cells(self) -> list[str]:
        """For a row of a table."""
        return [number(self.rho, 4), str(self.n), p_value(self.p)]


def correlate(one: Sequence[float | None], other: Sequence[float | None]) -> Correlation:
    """Spearman's rank correlation over the pairs in which both values are there.

    >>> correlate([1.0, 2.0, 3.0, None], [2.0, 4.0, 8.0, 1.0])
    Correlation(rho=1.0, p=0.0, n=3, tied=1.0)
    """
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    n = len(pairs)
    if n < 3:
        return Correlation(math.nan, math.nan, n, math.nan)
    table = np.array(pairs, np.float64)
    rho, tied = _rho(table), _rho(table.round(PLACES))
    if math.isnan(rho) or abs(rho) >= 1:
        return Correlation(rho, math.nan if math.isnan(rho) else 0.0, n, tied)
    t = abs(rho) * math.sqrt((n - 2) / (1 - rho * rho))
    return Correlation(rho, float(2 * special.stdtr(n - 2, -t)), n, tied)


def _rho(table: Floats) -> float:
    """Correlation of the mid-ranks of two columns; NaN where one has no spread."""
    ranked = np.column_stack([stats.rankdata(column) for column in table.T])
    apart = ranked - ranked.mean(axis=0)
    size = math.sqrt(float((apart[:, 0] ** 2).sum() * (apart[:, 1] ** 2).sum()))
    if size == 0:
        return math.nan
    return min(1.0, max(-1.0, float(apart[:, 0] @ apart[:, 1]) / size))
