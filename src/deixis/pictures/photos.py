"""Photographs in a folder, where a user has them; references to them where he has not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.pictures.archive import open_picture
from deixis.pictures.edits import blank, edit
from deixis.pictures.store import square
from deixis.trials import BLANK, Picture


class PhotoStore:
    """Photographs by name; a task can be made, and replies be scored, without any file."""

    def __init__(
        self, contents: Mapping[str, str], files: Mapping[str, bytes] | None, where: str
    ) -> None:
        """Say what there is.

        Args:
            contents: for each name what tells its content: photographs of one content are one.
            files: the files' contents by name, read on use, if they are anywhere.
            where: how to get them, for the error.
        """
        self._contents = contents
        self._pictures: dict[str, Picture] = {}
        self._files = files
        self._where = where

    def __contains__(self, name: str) -> bool:
        return name in self._contents

    @property
    def present(self) -> int:
        """How many of the photographs have a file."""
        return sum(n in self._contents for n in self._files) if self._files is not None else 0

    def picture(self, source: str) -> Picture:
        """The photograph of that name; its file need not be there.

        Raises:
            BadInput: there is no photograph of that name.
        """
        if source not in self._contents:
            raise BadInput(f"there is no photograph {source!r} among {len(self._contents)}")
        if source not in self._pictures:
            self._pictures[source] = Picture(source, self._contents[source])
        return self._pictures[source]

    def native(self, picture: Picture) -> NDArray[np.uint8]:
        """Pixels in their own size with edits, shape (height, width, 3); blank is 224 × 224.

        Raises:
            BadInput: the file is not there, or no picture.
        """
        if picture.source == BLANK.source:
            return edit(blank(224), picture.edits)
        return edit(self._open(picture.source), picture.edits)

    def pixels(self, picture: Picture, size: int = 224) -> NDArray[np.uint8]:
        """Pixels with edits, padded to a white square and resized."""
        if picture.source == BLANK.source:
            return edit(blank(size), picture.edits)
        return edit(square(self._open(picture.source), size), picture.edits)

    def _open(self, name: str) -> NDArray[np.uint8]:
        if self._files is None or name not in self._files:
            raise BadInput(f"the photograph {name} is not there: {self._where}")
        return open_picture(self._files[name], name)
