"""Pictures for pages: addressed by what they show, made once, kept by browsers for good.

An address holds the key of a picture that some page has shown, never a name or a path, so nobody
can ask for a file.
"""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from PIL import Image

from deixis.dataset import Store
from deixis.pictures.paint import fill
from deixis.pictures.store import TangramStore
from deixis.pictures.svg import write_svg
from deixis.pictures.vectors import NameStore, VectorStore
from deixis.trials import BLANK, Picture
from deixis.web.drawing import hexadecimal, painted

SIDE = 224
"""Side of a thumbnail in pixels."""

KNOWN = 500_000
"""Pictures that stay addressable."""

BYTES = 128 * 2**20
"""Bytes of thumbnails that are kept."""


@dataclass(frozen=True)
class Thumbnail:
    """A picture as it is sent."""

    content: bytes
    media: str


class Pictures:
    """The pictures of a task as files for pages; safe to use from several threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: OrderedDict[str, Picture] = OrderedDict()
        self._made: OrderedDict[str, Thumbnail] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def visible(self) -> bool:
        """Whether there is anything to see: some datasets know vectors or names only."""
        return getattr(type(self.store), "pixels", None) not in (
            VectorStore.pixels,
            NameStore.pixels,
        )

    def address(self, picture: Picture) -> str:
        """Where pages find a picture; empty where there is nothing to see."""
        if not self.visible:
            return ""
        with self._lock:
            self._known[picture.key] = picture
            self._known.move_to_end(picture.key)
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)
        return f"/picture/{picture.key}"

    def find(self, key: str) -> Picture | None:
        """The picture of an address that was given out."""
        return self._known.get(key)

    def thumbnail(self, picture: Picture) -> Thumbnail:
        """The picture as a file: pieces as SVG, all else as PNG.

        Raises:
            BadInput: the store lacks it.
        """
        with self._lock:
            if picture.key in self._made:
                self._made.move_to_end(picture.key)
                return self._made[picture.key]
        made = self._make(picture)
        with self._lock:
            self._made[picture.key] = made
            self._bytes += len(made.content)
            while self._bytes > BYTES:
                self._bytes -= len(self._made.popitem(last=False)[1].content)
        return made

    def svg(self, picture: Picture) -> str | None:
        """A tangram in its colors as an SVG file; None for all else."""
        if not is_figure(self.store, picture):
            return None
        paint = picture.paint
        fills = {i: hexadecimal(fill(paint[i - 1] if paint else None)) for i in range(1, 8)}
        assert isinstance(self.store, TangramStore)
        return write_svg(self.store.tangram(picture.source), fills)

    def pieces(self, picture: Picture) -> dict[str, Any] | None:
        """A tangram as pieces that can be pointed at, each with its part; None for all else."""
        if not is_figure(self.store, picture):
            return None
        assert isinstance(self.store, TangramStore)
        figure = self.store.tangram(picture.source)
        made = painted(figure, picture.paint)
        for entry, piece in zip(made["pieces"], figure.pieces, strict=True):
            part = picture.paint[piece.id - 1] if picture.paint else None
            entry |= {"piece": piece.id, "part": 0 if part is None else part + 1}
        return made

    def _make(self, picture: Picture) -> Thumbnail:
        drawn = self.svg(picture)
        if drawn is not None:
            return Thumbnail(drawn.encode(), "image/svg+xml")
        file = io.BytesIO()
        Image.fromarray(self.store.pixels(picture, SIDE)).save(file, "PNG", compress_level=4)
        return Thumbnail(file.getvalue(), "image/png")


def is_figure(store: Store, picture: Picture) -> bool:
    """Whether a picture is a tangram whose pieces can be seen."""
    return isinstance(store, TangramStore) and picture.source != BLANK.source and not picture.edits
