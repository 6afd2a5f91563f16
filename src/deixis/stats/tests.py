"""Tests of no difference: sign-flip by cluster, exact McNemar, and Holm's adjustment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.errors import BadInput
from deixis.seeds import draw

Floats = NDArray[np.float64]

EXACT = 13
"""Up to this many clusters all sign patterns are tried."""

_CELLS = 4_000_000
"""Signs held at a time; bounds the memory, never the result."""


def sign_flip(totals: Floats, *, n: int = 10_000, seed: int = 0) -> Floats:
    """Two-sided p values of contrasts by flipping the signs of whole clusters.

    Under the hypothesis that a contrast is symmetric about 0 in every cluster, each pattern of
    signs is as likely as the one observed. p = (1 + patterns at least as extreme) / (1 + n); with
    few clusters all patterns are tried and p is exact.

    Args:
        totals: contrasts summed within clusters, shape (G, c).
        n: number of random patterns.
        seed: of the patterns.

    Returns:
        Shape (c,).

    >>> sign_flip(np.ones((5, 1))).tolist()
    [0.0625]
    """
    g, c = totals.shape
    observed = np.abs(totals.sum(axis=0))
    # Sums that are equal but for rounding count as equally extreme.
    bound = observed - 1e-9 * np.maximum(np.abs(totals).sum(axis=0), 1e-300)
    if g <= EXACT:
        patterns = (np.arange(2**g)[:, None] >> np.arange(g)) & 1
        return np.asarray((np.abs(_signs(patterns) @ totals) >= bound).mean(axis=0))
    generator = draw(seed, "sign-flip")
    extreme = np.zeros(c)
    rows = max(1, _CELLS // g)
    for start in range(0, n, rows):
        m = min(rows, n - start)
        bits = np.unpackbits(
            np.frombuffer(generator.bytes(m * -(-g // 8)), np.uint8).reshape(m, -1), axis=1
        )
        extreme += (np.abs(_signs(bits[:, :g]) @ totals) >= bound).sum(axis=0)
    return (1 + extreme) / (1 + n)


def mcnemar(first: Floats, second: Floats, *, mid: bool = False) -> float:
    """Exact McNemar test on pairs of 0 and 1: two-sided binomial on the discordant pairs.

    Args:
        first: shape (n,).
        second: shape (n,).
        mid: whether to give the mid-p value instead.

    Raises:
        BadInput: a value is neither 0 nor 1.

    >>> mcnemar(np.array([1., 1, 1, 1, 1, 0]), np.array([0., 0, 0, 0, 0, 0]))
    0.0625
    """
    if not np.isin(np.concatenate([first, second]), (0, 1)).all():
        raise BadInput("McNemar's test needs outcomes of 0 and 1; ties make others")
    only_first = int(((first == 1) & (second == 0)).sum())
    discordant = only_first + int(((first == 0) & (second == 1)).sum())
    if discordant == 0:
        return 1.0
    fewer = min(only_first, discordant - only_first)
    tail = float(special.bdtr(fewer, discordant, 0.5))
    if mid:
        # By logarithms of exact integers: the number of patterns is beyond floats from 1,024 on.
        point = math.exp(math.log(math.comb(discordant, fewer)) - discordant * math.log(2))
        return min(1.0, 2 * tail - point)
    return min(1.0, 2 * tail)


def holm(p: Floats) -> Floats:
    """Holm's adjusted p values (1979), shape (c,).

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p)
    scaled = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1)
    return adjusted


def _signs(bits: NDArray[np.integer[Any]]) -> Floats:
    return np.asarray(bits * 2.0 - 1.0)
