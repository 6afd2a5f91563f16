"""The most similar pictures: an exact search among hashes or vectors, chunk by chunk."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

CHUNK = 64
"""Pictures whose distances from all others are held at a time: these stay in the cache."""

ROWS = 256
"""The same for vectors, where the product takes most of the time and is faster for more."""

BLOCK = 1024
"""Pictures among which is looked at a time, likewise."""

SAMPLE = 2048
"""Columns whose smallest are the bound for those of all."""


def average_hash(pixels: NDArray[np.uint8]) -> int:
    """The 64 bits that say where an 8 × 8 version is lighter than its mean.

    Args:
        pixels: shape (height, width, 3), RGB.

    >>> average_hash(np.zeros((8, 8, 3), np.uint8))
    0
    """
    small = Image.fromarray(pixels).convert("L").resize((8, 8), Image.Resampling.LANCZOS)
    level = np.asarray(small, dtype=np.float64)
    bits = np.packbits(level.ravel() > level.mean())
    return int.from_bytes(bits.tobytes(), "big")


def nearest_hashes(
    wanted: NDArray[np.uint64], among: NDArray[np.uint64], k: int
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """For each hash the k others that differ in the fewest bits, exactly.

    Args:
        wanted: shape (n,).
        among: shape (m,).
        k: at most m.

    Returns:
        Places in `among`, nearest first, of equals the first; and numbers of bits, both (n, k).
    """
    k = min(k, len(among))
    places = np.empty((len(wanted), k), np.int64)
    bits = np.empty((len(wanted), k), np.uint8)
    differ = np.empty((CHUNK, BLOCK), np.uint64)
    apart = np.empty((CHUNK, len(among)), np.uint8)
    for start in range(0, len(wanted), CHUNK):
        these = wanted[start : start + CHUNK, None]
        n = len(these)
        for left in range(0, len(among), BLOCK):
            those = among[None, left : left + BLOCK]
            within = differ[:n, : those.shape[1]]
            np.bitwise_xor(these, those, out=within)
            np.bitwise_count(within, out=apart[:n, left : left + BLOCK])
        places[start : start + n], bits[start : start + n] = _smallest(apart[:n], k)
    return places, bits


def nearest_vectors(
    wanted: NDArray[np.float32], among: NDArray[np.float32], k: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """For each unit vector the k others with the largest cosine, exactly.

    Args:
        wanted: shape (n, d), rows of length one.
        among: shape (m, d), likewise.
        k: at most m.

    Returns:
        Places in `among`, nearest first, of equals the first; and distances 1 - cosine, (n, k).
    """
    k = min(k, len(among))
    places = np.empty((len(wanted), k), np.int64)
    apart = np.empty((len(wanted), k), np.float32)
    held = np.empty((ROWS, len(among)), np.float32)
    for start in range(0, len(wanted), ROWS):
        rows = slice(start, start + ROWS)
        these = held[: len(wanted[rows])]
        np.matmul(wanted[rows], among.T, out=these)
        np.subtract(1, these, out=these)
        places[rows], apart[rows] = _smallest(these, k)
    return places, apart


def _smallest(values: NDArray[np.generic], k: int) -> tuple[NDArray[np.int64], NDArray[np.generic]]:
    """Places and values of the k smallest of each row, of equals the first, in order.

    The k-th smallest of some columns is a bound for all of them, so that what has to be sorted is
    little; that is exact whatever the bound.
    """
    n, m = values.shape
    if k == 0:
        return np.empty((n, 0), np.int64), values[:, :0]
    some = values[:, :: max(1, m // max(SAMPLE, k))]
    bound = np.partition(some, k - 1, axis=1)[:, k - 1 : k]
    flat = np.flatnonzero(values <= bound)  # row after row, of a row from the left
    rows = flat // m
    order = np.lexsort((values.ravel()[flat], rows))  # equals keep their order
    starts = np.searchsorted(rows, np.arange(n))
    found = (flat - rows * m)[order][starts[:, None] + np.arange(k)]
    return found, np.take_along_axis(values, found, axis=1)
