"""The pictures of a table: what its cells hold becomes names, contents and places."""

from __future__ import annotations

import ast
import base64
import binascii
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deixis.datasets.tables.places import File, Member, Pictures, Place, content_hash, keep
from deixis.datasets.tables.rows import Packed
from deixis.errors import BadInput
from deixis.pictures.archive import Archive
from deixis.pictures.photos import PhotoStore

_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{64,}={0,2}\s*")
_SHORTEST = 64
"""No picture file is shorter than this in base64, and hardly a file's name is as long."""


class Album:
    """Collects pictures; each has a name, a hash of its content, and a place to read it from.

    Args:
        folder: where files are that cells name by their path.
        archive: where files are that cells name by their bare name; None for none.
    """

    def __init__(self, folder: Path, archive: Archive | None) -> None:
        self._folder, self._archive = folder, archive
        self._contents: dict[str, str] = {}
        self._places: dict[str, Place] = {}

    @property
    def contents(self) -> Mapping[str, str]:
        """The hash of each picture's content by its name."""
        return self._contents

    def store(self, where: str) -> PhotoStore:
        """What turns the pictures into pixels; `where` tells how to get them, for errors."""
        return PhotoStore(self._contents, Pictures(self._places), where)

    def names(self, value: Any, where: str) -> tuple[str, ...]:
        """The names of the pictures that a cell holds; none for an empty cell.

        Args:
            value: a picture inside the table, a file's name, base64, a data URI, or a list of
                such, also as text.
            where: the cell, for errors.

        Raises:
            BadInput: it is none of these, or the file is not there.
        """
        if value is None or value == "" or value != value:
            return ()
        if isinstance(value, (list, tuple)):
            return tuple(n for v in value for n in self.names(v, where))
        if isinstance(value, Packed):
            return (self._add(value.content, value.content, value.place),)
        if not isinstance(value, str):
            raise BadInput(f"{where}: expected a picture, got {type(value).__name__} {value!r:.60}")
        listed = _as_list(value)
        if listed is not None:
            return self.names(listed, where)
        packed = decoded(value)
        if packed is not None:
            content = content_hash(packed)
            place = None if content in self._places else keep(packed)
            return (self._add(content, content, place),)
        return (self._file(value, where),)

    def _file(self, name: str, where: str) -> str:
        if name in self._places:
            return name
        bare = Path(name).name
        if self._archive is not None and bare in self._archive:
            place: Place = Member(self._archive, bare)
        elif (self._folder / name).is_file():
            place = File(self._folder / name)
        else:
            raise BadInput(f"{where}: the picture {name[:80]!r} is not there")
        return self._add(name, content_hash(place.read()), place)

    def _add(self, name: str, content: str, place: Place | None) -> str:
        if place is not None:
            self._contents[name], self._places[name] = content, place
        return name


def _as_list(text: str) -> list[Any] | None:
    """The list that a text spells out, as JSON or as Python writes it; None if it is none."""
    if not text.startswith("["):
        return None
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return None
    return value if isinstance(value, list) else None


def decoded(text: str) -> bytes | None:
    """The content of a data URI or of base64; None if the text is neither.

    >>> decoded("data:image/png;base64,aGVsbG8="), decoded("cat.png")
    (b'hello', None)
    """
    if text.startswith("data:"):
        _, _, text = text.partition(",")
    elif len(text) < _SHORTEST or not _BASE64.fullmatch(text):
        return None
    try:
        return base64.b64decode(text, validate=False)
    except binascii.Error:
        return None
