"""Pools of guessing games: all pictures, the first few, or the nearest to each target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.pictures.vectors import Vectors
from deixis.trials import Picture, Pool

PoolOf = Callable[[str], tuple[Pool, int]]
"""The pool of a picture, by its name, and its position in it."""

_CELLS = 8_000_000
"""Distances held at a time; bounds the memory."""


def pools(dataset: Dataset, written: str) -> tuple[Dataset, PoolOf]:
    """The dialogs that are played, and what they are played with.

    Args:
        dataset: conversations.
        written: ``all``, ``first:N`` or ``hard:N``.

    Raises:
        BadInput: it is none of these, or there are fewer than N pictures.
    """
    names = list(dict.fromkeys(c.picture for c in dataset.records.values()))
    manner, _, number = written.partition(":")
    if written == "all":
        return dataset, _shared(dataset, written, names)
    if manner not in ("first", "hard") or not number.isdigit():
        raise BadInput(f"--pool: expected all, first:N or hard:N, got {written!r}")
    size = int(number)
    if not 2 <= size <= len(names):
        raise BadInput(f"--pool {written}: expected 2 to {len(names)} pictures of {dataset.name}")
    if manner == "hard":
        return dataset, _hard(dataset, written, names, size)
    kept = set(names[:size])
    some = {i: c for i, c in dataset.records.items() if c.picture in kept}
    return replace(dataset, records=some), _shared(dataset, written, names[:size])


def nearest(vectors: NDArray[np.float32], size: int) -> NDArray[np.int64]:
    """For each of n vectors the positions of the `size` nearest, itself among them.

    Euclidean; of vectors equally far away the first are taken.

    Args:
        vectors: shape (n, d).
        size: 1 to n.

    Returns:
        Shape (n, size), ascending positions.

    >>> nearest(np.array([[0.0], [1.0], [5.0], [6.5]], np.float32), 2).tolist()
    [[0, 1], [0, 1], [2, 3], [2, 3]]
    """
    wide = vectors.astype(np.float64)
    squares = (wide**2).sum(axis=1)
    made = np.empty((len(wide), size), np.int64)
    rows = max(1, _CELLS // len(wide))
    for start in range(0, len(wide), rows):
        part = slice(start, start + rows)
        far = squares - 2 * wide[part] @ wide.T
        own = np.arange(len(wide))[part]
        far[np.arange(len(own)), own] = -np.inf
        chosen = np.argsort(far, axis=1, kind="stable")[:, :size]
        made[part] = np.sort(chosen, axis=1)
    return made


def _shared(dataset: Dataset, written: str, names: list[str]) -> PoolOf:
    pool = Pool(written, tuple(dataset.store.picture(n) for n in names))
    place = {name: i for i, name in enumerate(names)}
    return lambda name: (pool, place[name])


def _hard(dataset: Dataset, written: str, names: list[str], size: int) -> PoolOf:
    store = dataset.store
    if not isinstance(store, Vectors):
        raise BadInput(f"--pool {written}: {dataset.name} has no vectors to tell what is near")
    pictures: list[Picture] = [store.picture(n) for n in names]
    near = nearest(store.vectors(pictures), size)
    made = {
        name: (Pool(written, tuple(pictures[j] for j in row)), int(np.searchsorted(row, i)))
        for i, (name, row) in enumerate(zip(names, near, strict=True))
    }
    return made.__getitem__
