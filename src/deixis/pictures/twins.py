"""Tangrams that look alike: how far their silhouettes overlap."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from deixis.pictures.paint import silhouette
from deixis.pictures.tangram import Tangram

TWINS = 0.93
"""Silhouettes that overlap by more than this look alike; eleven pairs of KiloGram's do."""


def silhouettes(figures: Iterable[Tangram], size: int = 96) -> NDArray[np.float32]:
    """Which pixels each figure covers, scaled to fill the square, shape (n, size²), 0 or 1."""
    return np.array([silhouette(f, size).ravel() > 0.5 for f in figures], dtype=np.float32)


def overlaps(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Intersection over union of every silhouette with every other.

    Args:
        one: shape (n, pixels), 0 or 1.
        other: shape (m, pixels).

    Returns:
        Shape (n, m), 0 to 1.

    >>> a, b = np.float32([[1, 1, 0, 0]]), np.float32([[1, 0, 0, 0], [1, 1, 0, 0]])
    >>> overlaps(a, b).tolist()
    [[0.5, 1.0]]
    """
    both = one @ other.T
    either = one.sum(axis=1)[:, None] + other.sum(axis=1)[None, :] - both
    return np.asarray(both / np.maximum(either, 1))


def twinned(
    figures: Iterable[Tangram], others: Iterable[Tangram], over: float = TWINS
) -> NDArray[np.bool_]:
    """Which figures look like one of the others, shape (n,)."""
    table = overlaps(silhouettes(figures), silhouettes(others))
    return np.asarray((table > over).any(axis=1))
