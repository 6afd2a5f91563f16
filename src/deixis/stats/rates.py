"""An interval for one rate or mean of clustered units."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.stats.clustered import FEWEST, t_intervals

Floats = NDArray[np.float64]


def rate(
    values: Floats, clusters: NDArray[np.generic], *, level: float = 0.95, top: float = 1.0
) -> tuple[float, float, float]:
    """Mean with its interval: cluster-robust t; at 0 or the top Wilson's, never of width zero.

    Where every unit is 0, or every unit is at the top, there is no spread to estimate an error
    from; then Wilson's interval is given on the number of clusters, as if units of a cluster always
    agreed (a design effect of the mean cluster size, the careful end).

    Args:
        values: one for each unit, 0 to `top`, shape (u,).
        clusters: the cluster of each unit, shape (u,).
        level: of confidence.
        top: the largest value there can be.

    Returns:
        Mean, low, high; the ends are NaN with fewer than ten clusters.

    >>> rate(np.ones(25), np.arange(25))
    (1.0, 0.866..., 1.0)
    """
    made = t_intervals(values[:, None], clusters, np.ones((1, 1)), level=level)
    mean = float(made.estimates[0])
    if made.clusters < FEWEST:
        return mean, math.nan, math.nan
    if mean in (0.0, top):
        low, high = wilson(round(mean / top * made.clusters), made.clusters, level=level)
        return mean, top * low, top * high
    return mean, float(made.low[0]), float(made.high[0])


def median(
    values: Floats, clusters: NDArray[np.generic], *, level: float = 0.95
) -> tuple[float, float, float]:
    """Median with its interval (Woodruff, 1952): that of the share below it, read back as values.

    Args:
        values: one for each unit, shape (u,).
        clusters: the cluster of each unit, shape (u,).
        level: of confidence.

    Returns:
        Median, low, high; the ends are NaN with fewer than ten clusters.

    >>> median(np.arange(1.0, 100.0), np.arange(99))
    (50.0, 40.2..., 59.7...)
    """
    middle = float(np.median(values))
    # A value at the median counts half to either side, so that ties do not shift the share.
    below = (values < middle) + 0.5 * (values == middle)
    made = t_intervals(below[:, None], clusters, np.ones((1, 1)), level=level)
    if made.clusters < FEWEST:
        return middle, math.nan, math.nan
    half = float(made.high[0] - made.estimates[0])
    low, high = np.quantile(values, [max(0.0, 0.5 - half), min(1.0, 0.5 + half)])
    return middle, float(low), float(high)


def wilson(successes: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion (1927).

    Args:
        successes: how many; not whole where trials have weights.
        n: of how many, above 0.
        level: how often the interval holds the true proportion.

    >>> low, high = wilson(25, 25)
    >>> round(low, 3), high
    (0.867, 1.0)
    """
    z = float(special.ndtri((1 + level) / 2))
    p, z2 = successes / n, z * z
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return (
        0.0 if successes == 0 else centre - half,
        1.0 if successes == n else centre + half,
    )
