"""Pictures of which only feature vectors are at hand."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NoReturn, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.seeds import draw
from deixis.trials import BLANK, Picture

Floats32 = NDArray[np.float32]


@runtime_checkable
class Vectors(Protocol):
    """A store that has a feature vector of each picture."""

    @property
    def dimensions(self) -> int:
        """Length d of a vector."""

    @property
    def mean(self) -> Floats32:
        """The mean of all vectors, shape (d,)."""

    def vectors(self, pictures: Sequence[Picture]) -> Floats32:
        """Their vectors with edits made, shape (n, d)."""


class VectorStore:
    """Feature vectors by name of picture; `BLANK` is the zero vector.

    Attributes:
        names: of all pictures, in the order of rows.
        about: where vectors come from, for the record, such as the file and its hash.
    """

    def __init__(self, names: Sequence[str], table: Floats32, about: str = "") -> None:
        """Keep vectors.

        Args:
            names: one for each row.
            table: shape (n, d).
            about: where they come from.

        Raises:
            BadInput: not as many names as rows, or a name twice.
        """
        if len(names) != len(table):
            raise BadInput(f"{about or 'vectors'}: {len(table)} rows for {len(names)} pictures")
        self.names = tuple(names)
        self.about = about
        self._row = {name: i for i, name in enumerate(names)}
        if len(self._row) < len(names):
            twice = next(n for i, n in enumerate(names) if self._row[n] != i)
            raise BadInput(f"{about or 'vectors'}: picture {twice} stands there twice")
        self._table = np.ascontiguousarray(table, np.float32)
        self._mean: Floats32 | None = None

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._table.shape[1])

    @property
    def mean(self) -> Floats32:
        """The mean of all vectors, shape (d,)."""
        if self._mean is None:
            self._mean = self._table.mean(axis=0, dtype=np.float64).astype(np.float32)
        return self._mean

    def __contains__(self, name: str) -> bool:
        return name in self._row

    def picture(self, source: str) -> Picture:
        """The picture of that name, its vector hashed: equal vectors have equal content."""
        row = self._table[self._at(source)]
        return Picture(source, hashlib.sha256(row.tobytes()).hexdigest()[:16])

    def vectors(self, pictures: Sequence[Picture]) -> Floats32:
        """Their vectors with edits made, shape (n, d)."""
        rows = [0 if p.source == BLANK.source else self._at(p.source) for p in pictures]
        made = self._table[np.array(rows, np.int64)]
        for i, picture in enumerate(pictures):
            if picture.source == BLANK.source:
                made[i] = 0
            for one in picture.edits:
                made[i] = edited(made[i], one, self.mean)
        return made

    def pixels(self, picture: Picture, size: int = 224) -> NoReturn:
        """There are none.

        Raises:
            BadInput: always.
        """
        raise BadInput(f"{picture.source}: only its feature vector is known, there are no pixels")

    def _at(self, source: str) -> int:
        row = self._row.get(source)
        if row is None:
            raise BadInput(f"there is no vector of picture {source!r} among {len(self.names)}")
        return row


class NameStore:
    """Pictures of which nothing is known but their names.

    Attributes:
        names: of all pictures.
        about: empty, as nothing is known of them.
    """

    about = ""

    def __init__(self, names: Sequence[str], dataset: str) -> None:
        """Say which pictures there are, and of what dataset."""
        self.names, self._dataset = tuple(names), dataset

    def picture(self, source: str) -> Picture:
        """The picture of that name."""
        return Picture(source)

    def pixels(self, picture: Picture, size: int = 224) -> NoReturn:
        """There are none.

        Raises:
            BadInput: always.
        """
        raise BadInput(f"{self._dataset}: picture {picture.source} is known by its name alone")


def edited(vector: Floats32, edit: str, mean: Floats32) -> Floats32:
    """One edit of a vector.

    ``noise:raw:SEED`` is U(0, 1) in every component; ``noise:matched:SEED`` the same at the
    vector's own length (U(0, 1) noise is 37 times as long as a unit vector of 4,096 components);
    ``mean`` the mean of all pictures.

    Args:
        vector: shape (d,).
        edit: as a `Picture` carries it.
        mean: of all vectors, shape (d,).

    >>> v = np.array([3.0, 4.0], np.float32)
    >>> float(np.linalg.norm(edited(v, "noise:matched:1", v)).round(5))
    5.0

    Raises:
        BadInput: a vector takes no such edit.
    """
    name, *arguments = edit.split(":")
    if name == "mean":
        return mean
    if name != "noise":
        raise BadInput(f"a vector cannot be edited by {edit!r}")
    manner, seed = arguments
    made = draw(int(seed), "vector").random(len(vector), dtype=np.float32)
    if manner == "matched":
        made *= np.linalg.norm(vector) / np.linalg.norm(made)
    return made
