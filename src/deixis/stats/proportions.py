"""Two proportions: is something more frequent here than there?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.errors import BadInput

Floats = NDArray[np.float64]

LEAST = 5.0
"""With a smaller expected count the chi-squared distribution is no good approximation."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A test of two proportions.

    Attributes:
        test: ``chi-squared``, or ``Fisher`` where an expected count is below `LEAST`.
        statistic: chi-squared; NaN for Fisher's test, which has none.
        p: two-sided.
    """

    test: str
    statistic: float
    p: float


def compare_proportions(first: int, n: int, second: int, m: int) -> Compared:
    """Pearson's chi-squared test without correction, or Fisher's exact test where it must be.

    Args:
        first: how many of the first have it.
        n: of how many.
        second: how many of the second.
        m: of how many.

    Raises:
        BadInput: a count is below 0 or beyond its total, or there is nothing on one side.

    >>> found = compare_proportions(30, 100, 50, 100)
    >>> found.test, round(found.statistic, 3), round(found.p, 4)
    ('chi-squared', 8.333, 0.0039)
    >>> found = compare_proportions(3, 3, 0, 3)
    >>> found.test, round(found.p, 4)
    ('Fisher', 0.1)
    """
    if not (0 <= first <= n and 0 <= second <= m and n and m):
        raise BadInput(f"no proportions to compare: {first} of {n} with {second} of {m}")
    table = np.array([[first, n - first], [second, m - second]], np.float64)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    if expected.min() < LEAST:
        return Compared("Fisher", float("nan"), _fisher(first, n, second, m))
    statistic = float(((table - expected) ** 2 / expected).sum())
    return Compared("chi-squared", statistic, float(special.chdtrc(1, statistic)))


def _fisher(first: int, n: int, second: int, m: int) -> float:
    """The probability of all tables with these margins that are no likelier than this one."""
    total = first + second
    counts = np.arange(max(0, total - m), min(n, total) + 1)
    logs = _log_choose(n, counts) + _log_choose(m, total - counts) - _log_choose(n + m, total)
    chances = np.exp(logs)
    # Tables as likely as this one but for rounding count.
    return min(1.0, float(chances[chances <= chances[first - counts[0]] * (1 + 1e-7)].sum()))


def _log_choose(n: int, k: Any) -> Floats:
    return np.asarray(
        special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1), np.float64
    )
