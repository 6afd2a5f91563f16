"""Picture files in a folder or a zip, found by their names and read one at a time."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from deixis.errors import BadInput

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")


class Archive(Mapping[str, bytes]):
    """The content of each picture file by its bare name, whatever folders lie between.

    A plain value: it can be sent to another process, which opens the file anew.
    """

    def __init__(self, path: Path) -> None:
        """Say where.

        Args:
            path: a folder or a zip file.
        """
        self.path = path

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path}

    def __getitem__(self, name: str) -> bytes:
        place = self._places[name]
        return place.read_bytes() if isinstance(place, Path) else self._zip.read(place)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def stamp(self, name: str) -> int:
        """What changes with the file's content: its checksum in a zip, its size in a folder."""
        place = self._places[name]
        return place.stat().st_size if isinstance(place, Path) else place.CRC

    @cached_property
    def fingerprint(self) -> str:
        """Hash of names with their stamps: no file is read."""
        listed = sorted((name, self.stamp(name)) for name in self)
        return hashlib.sha256(repr(listed).encode()).hexdigest()[:16]

    @cached_property
    def _places(self) -> dict[str, Path | zipfile.ZipInfo]:
        found: list[tuple[str, Path | zipfile.ZipInfo]]
        if self.path.is_dir():
            found = [(p.name, p) for p in sorted(self.path.rglob("*"))]
        else:
            found = [(i.filename.rpartition("/")[2], i) for i in self._zip.infolist()]
        return {name: place for name, place in found if name.lower().endswith(SUFFIXES)}

    @cached_property
    def _zip(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.path)
        except (OSError, zipfile.BadZipFile) as error:
            raise BadInput(f"{self.path}: not a readable zip file: {error}") from None


def open_picture(content: bytes, where: str) -> NDArray[np.uint8]:
    """Pixels of a picture file of any kind, told by its header, never by its name.

    Args:
        content: the file.
        where: how an error names it.

    Returns:
        Shape (height, width, 3), RGB, turned upright as its EXIF data ask, on white.

    Raises:
        BadInput: it is no picture, or broken.
    """
    try:
        with Image.open(io.BytesIO(content)) as opened:
            upright = ImageOps.exif_transpose(opened)
            if upright.has_transparency_data:
                layer = upright.convert("RGBA")
                upright = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
            return np.asarray(upright.convert("RGB"))
    except UnidentifiedImageError:
        raise BadInput(f"{where}: not a readable picture: of no known kind") from None
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadInput(f"{where}: not a readable picture: {error}") from None
