"""A kept model where it runs: before a store's pictures, on a device, in batches that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Store
from deixis.players.common.neural.batches import Batches
from deixis.players.common.neural.devices import device_of, precision_of
from deixis.players.common.neural.kept import Kept
from deixis.players.common.neural.tokens import Tokens
from deixis.players.common.neural.transforms import Transform
from deixis.seeds import digest
from deixis.trials import Picture


class Reader(Protocol):
    """A module that takes texts as tokens."""

    tokens: Tokens


M = TypeVar("M", bound=Any)


class Mounted(Generic[M]):
    """What a dual encoder and a scorer of pairs have in common.

    Attributes:
        name: as the user named it.
        revision: of weights, preparation, size and precision.
    """

    def __init__(
        self,
        name: str,
        kept: Kept[M],
        store: Store,
        *,
        transform: Transform,
        canvas: int | None = None,
        batch: str = "auto",
        device: str = "auto",
        precision: str = "float32",
    ) -> None:
        """Mount a model.

        Args:
            name: as the user named it.
            kept: the model.
            store: of pictures.
            transform: how they are prepared; the same as the model's.
            canvas: side at which the store draws them first; None is the transform's own.
            batch: as `Batches` reads it.
            device: as `device_of` reads it.
            precision: as `precision_of` reads it.
        """
        self.name = name
        self.kept = kept
        self.store = store
        self.transform = transform
        self.canvas = canvas or transform.side
        self.batches = Batches(batch)
        self.device = device_of(device)
        self.precision = precision_of(precision)
        self.revision = f"{digest(kept.revision, transform, self.canvas, precision):016x}"

    def at(self, store: Store) -> Self:
        """The same before another store's pictures."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__ | {"store": store})
        return other

    @property
    def module(self) -> M:
        """The model where it runs."""
        return self.kept.on(self.device, self.precision)

    def over(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Which texts the model cannot take whole, shape (n,)."""
        reader: Reader = self.module
        return reader.tokens.over(texts)


def drawn(
    store: Store, pictures: Sequence[Picture], canvas: int, transform: Transform
) -> NDArray[np.uint8]:
    """Pixels of square pictures, drawn and resized, shape (n, side, side, 3)."""
    return np.stack([transform.resized(store.pixels(p, canvas)) for p in pictures])
