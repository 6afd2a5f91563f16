"""Pictures as a server gets them: data URIs, and what stands for them in the key of a request."""

from __future__ import annotations

import base64
import hashlib
import io
import math
from collections import OrderedDict
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from deixis.dataset import Store
from deixis.players.chat.wording import Sheet
from deixis.trials import BLANK, Picture

VERSION = 1
"""Changes whenever the pixels sent for a picture do; part of every key."""

KEPT = 256
"""How many data URIs are kept; each trial's pictures are sent several times."""

Pixels = NDArray[np.uint8]


class Renderer:
    """Draws pictures and sheets.

    Args:
        store: where pictures come from.
        size: most pixels of the longer side; photographs are made smaller, never larger.
    """

    def __init__(self, store: Store, size: int) -> None:
        self.store, self.size = store, size
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def token(self, part: Picture | Sheet) -> str:
        """What stands for a picture in a key: equal tokens are equal pixels.

        It is a hash of the picture's content, its edits and the size, so that what was asked
        before is known again without drawing anything; where a store knows no content, pixels are
        hashed.
        """
        pictures = part.pictures if isinstance(part, Sheet) else (part,)
        names = part.labels if isinstance(part, Sheet) else ()
        keys = [p.key if p.content or p == BLANK else _hash(self.pixels(p)) for p in pictures]
        return f"{VERSION} {self.size} {' '.join(keys)} {' '.join(names)}".strip()

    def uri(self, part: Picture | Sheet) -> str:
        """The picture as a data URI of a PNG file."""
        token = self.token(part)
        with self._lock:
            if token in self._kept:
                self._kept.move_to_end(token)
                return self._kept[token]
        drawn = self.sheet(part) if isinstance(part, Sheet) else self.pixels(part)
        made = data_uri(drawn)
        with self._lock:
            self._kept[token] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made

    def pixels(self, picture: Picture) -> Pixels:
        """Pixels of one picture, shape (height, width, 3); photographs keep their proportions."""
        native: Any = getattr(self.store, "native", None)
        if native is None:
            return self.store.pixels(picture, self.size)
        drawn: Pixels = native(picture)
        return smaller(drawn, self.size)

    def sheet(self, sheet: Sheet) -> Pixels:
        """Several pictures in rows, each in a square cell of its own under its label."""
        columns = math.ceil(math.sqrt(len(sheet.pictures)))
        rows = math.ceil(len(sheet.pictures) / columns)
        cell = max(64, self.size // columns)
        head = max(16, cell // 8)
        canvas = Image.new("RGB", (columns * cell, rows * (cell + head)), "white")
        pen, font = ImageDraw.Draw(canvas), ImageFont.load_default(head * 0.8)
        for i, (picture, name) in enumerate(zip(sheet.pictures, sheet.labels, strict=True)):
            x, y = (i % columns) * cell, (i // columns) * (cell + head)
            pen.text((x + cell / 2, y + head / 2), name, "black", font, anchor="mm")
            drawn = Image.fromarray(smaller(self.pixels(picture), cell - 4))
            left, top = x + (cell - drawn.width) // 2, y + head + (cell - drawn.height) // 2
            canvas.paste(drawn, (left, top))
            pen.rectangle((x, y + head, x + cell - 1, y + head + cell - 1), outline="grey")
        return np.asarray(canvas)


def smaller(pixels: Pixels, size: int) -> Pixels:
    """The same picture with no side longer than `size`.

    >>> smaller(np.zeros((100, 50, 3), np.uint8), 20).shape
    (20, 10, 3)
    """
    height, width = pixels.shape[:2]
    if max(height, width) <= size:
        return pixels
    scale = size / max(height, width)
    shape = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(Image.fromarray(pixels).resize(shape, Image.Resampling.LANCZOS))


def data_uri(pixels: Pixels) -> str:
    """Pixels as a data URI of a PNG file."""
    target = io.BytesIO()
    Image.fromarray(pixels).save(target, "PNG", compress_level=1)
    return f"data:image/png;base64,{base64.b64encode(target.getvalue()).decode()}"


def _hash(pixels: Pixels) -> str:
    return hashlib.sha256(repr(pixels.shape).encode() + pixels.tobytes()).hexdigest()[:24]
