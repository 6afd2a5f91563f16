"""Which files are pictures that can be used: readable, large enough, and there once."""

from __future__ import annotations

import hashlib
import io
import warnings
from dataclasses import dataclass

import numpy as np
from PIL import Image, UnidentifiedImageError

from deixis.collect.pictures.ledger import Ledger
from deixis.collect.pictures.near import average_hash
from deixis.collect.pictures.provider import Found, Provider, Unavailable
from deixis.errors import BadInput
from deixis.pictures.archive import open_picture

SMALLEST = 200
"""Pixels of a side."""

MOST = 50_000_000
"""Pixels of a picture beyond which it is not opened, however small its file."""

KINDS = {"JPEG", "PNG", "GIF", "WEBP", "BMP"}


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture that passed.

    Attributes:
        found: where it is from, and its rights.
        key: the first 16 hex digits of the SHA-256 of its pixels; equal for exact duplicates.
        hash: see `average_hash`.
    """

    found: Found
    key: str
    hash: int


class Pruner:
    """Looks at each picture once, and says why it is dropped.

    Args:
        provider: of contents.
        ledger: where decisions go.
    """

    def __init__(self, provider: Provider, ledger: Ledger) -> None:
        self._provider, self._ledger = provider, ledger
        self._seen: dict[str, Photo | None] = {}
        self._keys: dict[str, str] = {}

    def look(self, found: Found) -> Photo | None:
        """The picture, or None if it is dropped; a second look gives the same."""
        if found.url in self._seen:
            return self._seen[found.url]
        photo, why = self._judge(found)
        self._ledger.add("prune", "picture", found.url, photo is not None, why)
        self._seen[found.url] = photo
        return photo

    def _judge(self, found: Found) -> tuple[Photo | None, str]:
        if found.stock:
            return None, "stock domain"
        try:
            content = self._provider.content(found)
        except Unavailable as error:
            return None, f"not to be had: {error}"
        try:
            pixels = safe_pixels(content, found.url)
        except BadInput as error:
            return None, str(error).rpartition(": ")[2]
        if min(pixels.shape[:2]) < SMALLEST:
            return None, f"smaller than {SMALLEST} × {SMALLEST}"
        key = hashlib.sha256(repr(pixels.shape).encode() + pixels.tobytes()).hexdigest()[:16]
        if key in self._keys:
            return None, "exact duplicate"
        self._keys[key] = found.url
        return Photo(found, key, average_hash(pixels)), "kept"


def safe_pixels(content: bytes, where: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Pixels of a file, its size looked at before it is opened.

    Raises:
        BadInput: it is no picture of a usual kind, is broken, or would be far too large.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content)) as opened:
                kind, size = opened.format, opened.size
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise BadInput(f"{where}: no picture") from None
    except Image.DecompressionBombError:
        raise BadInput(f"{where}: far too large") from None
    if kind not in KINDS:
        raise BadInput(f"{where}: an unusual kind")
    if size[0] * size[1] > MOST:
        raise BadInput(f"{where}: far too large")
    try:
        return open_picture(content, where)
    except BadInput:
        raise BadInput(f"{where}: broken") from None
