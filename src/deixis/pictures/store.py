"""Stores: where pictures come from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from deixis.errors import BadInput
from deixis.pictures.edits import blank, edit
from deixis.pictures.paint import render
from deixis.pictures.tangram import Tangram, assembled
from deixis.trials import BLANK, Picture

T = TypeVar("T")

SQUARE = Picture("square")
"""The seven pieces assembled: a tangram whose shape tells nothing."""


class TangramStore:
    """Tangrams by name, made on first use and kept.

    Every tangram store also knows the two pictures without a shape, `BLANK` and `SQUARE`.
    """

    def __init__(self, names: Iterable[str], make: Callable[[str], Tangram]) -> None:
        """Say which tangrams there are and how to make one.

        Args:
            names: every name that `make` can make.
            make: reads or builds one tangram; called once for each name.
        """
        self._names = dict.fromkeys(names)
        self._make = make
        self._made: dict[str, Tangram] = {SQUARE.source: assembled()}
        self._pictures: dict[str, Picture] = {BLANK.source: BLANK, SQUARE.source: SQUARE}
        self._derived: dict[Any, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_derived": {}}

    def derived(self, key: Any, make: Callable[[], T]) -> T:
        """What was made under this key before, else what `make` makes: features, for instance."""
        if key not in self._derived:
            self._derived[key] = make()
        found: T = self._derived[key]
        return found

    @property
    def names(self) -> list[str]:
        """Names of all tangrams, in the order given."""
        return list(self._names)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def tangram(self, name: str) -> Tangram:
        """The geometry of one tangram.

        Raises:
            BadInput: there is none of that name.
        """
        if name not in self._made:
            if name not in self._names:
                raise BadInput(f"there is no tangram {name!r} among {len(self._names)}")
            self._made[name] = self._make(name)
        return self._made[name]

    def picture(self, source: str) -> Picture:
        """The unpainted picture of one tangram, its content hashed."""
        if source not in self._pictures:
            self._pictures[source] = Picture(source, _content(self.tangram(source)))
        return self._pictures[source]

    def figure(self, picture: Picture) -> Tangram | None:
        """The geometry behind a picture; None where none is left to see."""
        return (
            None
            if picture.source == BLANK.source or picture.edits
            else self.tangram(picture.source)
        )

    def pixels(self, picture: Picture, size: int = 224) -> NDArray[np.uint8]:
        """Pixels with paint and edits, shape (size, size, 3), RGB on white."""
        if picture.source == BLANK.source:
            return edit(blank(size), picture.edits)
        return edit(render(self.tangram(picture.source), picture.paint, size), picture.edits)


class ArrayStore:
    """Pictures held in memory as arrays, by name."""

    def __init__(self, arrays: Mapping[str, NDArray[np.uint8]]) -> None:
        """Keep arrays of shape (height, width, 3), RGB, by name."""
        self._arrays = arrays

    def picture(self, source: str) -> Picture:
        """The picture of that name, its pixels hashed.

        Raises:
            BadInput: there is no picture of that name.
        """
        if source not in self._arrays:
            raise BadInput(f"there is no picture {source!r} among {len(self._arrays)}")
        return Picture(source, hashlib.sha256(self._arrays[source].tobytes()).hexdigest()[:16])

    def pixels(self, picture: Picture, size: int = 224) -> NDArray[np.uint8]:
        """Pixels with edits, padded to a white square and resized."""
        if picture.source == BLANK.source:
            return edit(blank(size), picture.edits)
        return edit(square(self._arrays[picture.source], size), picture.edits)


def square(pixels: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """Pad to a centred white square and resize (bicubic), shape (size, size, 3)."""
    height, width = pixels.shape[:2]
    side = max(height, width)
    canvas = Image.new("RGB", (side, side), "white")
    canvas.paste(Image.fromarray(pixels), ((side - width) // 2, (side - height) // 2))
    if side != size:
        canvas = canvas.resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(canvas)


def _content(figure: Tangram) -> str:
    drawn = [(p.id, p.points) for p in figure.pieces]
    text = repr((figure.width, figure.height, drawn))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
