"""A store of scenes of boxes: as structures, as pixels of their files, or drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.pictures.archive import Archive, open_picture
from deixis.pictures.edits import edit
from deixis.pictures.scene import Scene, decode, draw_scene
from deixis.pictures.store import square
from deixis.trials import BLANK, Picture

T = TypeVar("T")
Pixels = NDArray[np.uint8]


class SceneStore:
    """Scenes by the names of their pictures.

    A scene that is not given is decoded from its file; pixels come from the file where there is
    one, and are drawn where there is none.
    """

    def __init__(self, scenes: Mapping[str, Scene], files: tuple[Archive, ...] = ()) -> None:
        """Say what there is.

        Args:
            scenes: structures by picture name, boxes in the order in which the picture shows them.
            files: where picture files are.
        """
        self._scenes = dict(scenes)
        self._files = files
        self._derived: dict[Any, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_derived": {}}

    def __contains__(self, name: str) -> bool:
        return name in self._scenes or any(name in archive for archive in self._files)

    def derived(self, key: Any, make: Callable[[], T]) -> T:
        """What was made under this key before, else what `make` makes: features, for instance."""
        if key not in self._derived:
            self._derived[key] = make()
        found: T = self._derived[key]
        return found

    @cached_property
    def boxes(self) -> int:
        """How many boxes its pictures show."""
        some = next(iter(self._scenes), None)
        if some is None:
            some = next(name for archive in self._files for name in archive)
        return len(self.scene(some))

    def scene(self, name: str) -> Scene:
        """The structure of a picture.

        Raises:
            BadInput: there is no such picture, or it cannot be decoded.
        """
        if name not in self._scenes:
            content = self._file(name)
            if content is None:
                raise BadInput(f"there is no picture {name!r} among {len(self._scenes)}")
            self._scenes[name] = decode(open_picture(content, name))
        return self._scenes[name]

    def picture(self, source: str) -> Picture:
        """The picture of that name, its structure hashed."""
        content = repr(self.scene(source)).encode()
        return Picture(source, hashlib.blake2b(content, digest_size=8).hexdigest())

    def seen(self, picture: Picture) -> Scene | None:
        """The structure that a picture shows; None where it shows none (blank, or noise)."""
        return (
            None if picture.source == BLANK.source or picture.edits else self.scene(picture.source)
        )

    def native(self, picture: Picture) -> Pixels:
        """Pixels in their own size with edits, shape (100, width, 3); blank is white."""
        return edit(self._pixels(picture.source), picture.edits)

    def pixels(self, picture: Picture, size: int = 224) -> Pixels:
        """Pixels with edits, padded to a white square and resized."""
        return edit(square(self._pixels(picture.source), size), picture.edits)

    def _pixels(self, name: str) -> Pixels:
        if name == BLANK.source:
            return np.full_like(draw_scene(((),) * self.boxes), 255)
        content = self._file(name)
        return draw_scene(self.scene(name)) if content is None else open_picture(content, name)

    def _file(self, name: str) -> bytes | None:
        return next((a[name] for a in self._files if name in a), None)
