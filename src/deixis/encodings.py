"""Encode every distinct input once, and remember it across runs."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.writing import whole

Floats = NDArray[np.floating]
V = TypeVar("V")


class Cache(Protocol):
    """Remembers vectors by key."""

    def get(self, by: str, keys: Sequence[str]) -> dict[str, Floats]:
        """The vectors it has among these keys, made by the encoder `by`."""

    def put(self, by: str, keys: Sequence[str], vectors: Floats) -> None:
        """Remember vectors, shape (len(keys), d)."""


class Memory:
    """A cache that lasts as long as the process."""

    def __init__(self) -> None:
        self._vectors: dict[tuple[str, str], Floats] = {}

    def get(self, by: str, keys: Sequence[str]) -> dict[str, Floats]:
        """See `Cache`."""
        return {k: self._vectors[by, k] for k in keys if (by, k) in self._vectors}

    def put(self, by: str, keys: Sequence[str], vectors: Floats) -> None:
        """See `Cache`."""
        for key, vector in zip(keys, vectors, strict=True):
            self._vectors[by, key] = vector


class Disk:
    """A cache in a folder: for each encoder a folder of shards, each written whole or not at all.

    Args:
        folder: made when something is first remembered.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, dict[str, tuple[Floats, int]]] = {}

    def get(self, by: str, keys: Sequence[str]) -> dict[str, Floats]:
        """See `Cache`; vectors stay on disk until they are used."""
        index = self._index(by)
        return {k: index[k][0][index[k][1]] for k in keys if k in index}

    def put(self, by: str, keys: Sequence[str], vectors: Floats) -> None:
        """See `Cache`."""
        index, place = self._index(by), self._place(by)
        place.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256("\n".join(keys).encode()).hexdigest()[:16]
        with whole(place / f"{name}.npz") as temporary, temporary.open("wb") as file:
            np.savez(file, keys=np.array(keys), vectors=vectors)
        index.update({k: (vectors, i) for i, k in enumerate(keys)})

    def _place(self, by: str) -> Path:
        return self.folder / hashlib.sha256(by.encode()).hexdigest()[:16]

    def _index(self, by: str) -> dict[str, tuple[Floats, int]]:
        if by not in self._open:
            self._open[by] = {}
            for shard in sorted(self._place(by).glob("*.npz")):
                names, vectors = _shard(shard)
                self._open[by] |= {str(k): (vectors, i) for i, k in enumerate(names)}
        return self._open[by]


def _shard(path: Path) -> tuple[NDArray[np.str_], Floats]:
    try:
        with path.open("rb") as file, np.load(file) as held:
            return held["keys"], held["vectors"]
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise BadInput(f"{path}: not a readable cache file, delete it: {error}") from None


def encode(
    values: Sequence[V],
    *,
    key: Callable[[V], Hashable],
    encoder: Callable[[list[V]], Floats],
    by: str = "",
    cache: Cache | None = None,
    batch: int = 256,
) -> tuple[Floats, NDArray[np.int64]]:
    """Encode distinct values only.

    Args:
        values: n inputs, repeats among them.
        key: what makes two values the same input; it must cover everything the encoder sees.
        encoder: turns at most `batch` values into vectors of shape (m, d).
        by: names encoder and weights; part of the cache's key.
        cache: where vectors are looked for first, and remembered.
        batch: how many values the encoder gets at a time.

    Returns:
        Vectors of the distinct values, shape (m, d), in order of first occurrence; and for each
        value its row among them, shape (n,).

    >>> calls = []
    >>> def encoder(texts):
    ...     calls.append(len(texts))
    ...     return np.array([[len(t)] for t in texts], float)
    >>> vectors, rows = encode(["a", "bb", "a"], key=str, encoder=encoder)
    >>> vectors[rows].ravel().tolist(), calls
    ([1.0, 2.0, 1.0], [2])
    """
    first: dict[Hashable, int] = {}
    rows = np.array([first.setdefault(key(v), len(first)) for v in values], np.int64)
    distinct: dict[int, V] = {}
    for value, row in zip(values, rows.tolist(), strict=True):
        distinct.setdefault(row, value)
    names = [str(k) for k in first]
    known = cache.get(by, names) if cache is not None else {}
    missing = [i for i, name in enumerate(names) if name not in known]
    made: list[Floats] = []
    for start in range(0, len(missing), batch):
        part = missing[start : start + batch]
        vectors = np.asarray(encoder([distinct[i] for i in part]))
        if cache is not None:
            cache.put(by, [names[i] for i in part], vectors)
        made.append(vectors)
    new = dict(zip(missing, (v for vectors in made for v in vectors), strict=True))
    found = [new[i] if i in new else known[name] for i, name in enumerate(names)]
    return np.array(found), rows
