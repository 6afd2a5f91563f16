"""Average hashes against those of imagehash, computed elsewhere on the same pictures."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from deixis.errors import BadInput
from deixis.pictures.averagehash import average_hash, distance


def png(pixels: np.ndarray, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, kind)
    return out.getvalue()


def test_bright_cells_are_ones_row_by_row() -> None:
    """The upper left cell is the first bit, as imagehash prints it."""
    cells = np.zeros((8, 8), np.uint8)
    cells[0, :4] = 255
    cells[7, 7] = 255
    assert average_hash(png(cells)) == "f000000000000001"


def test_nothing_is_brighter_than_the_mean_of_one_color() -> None:
    assert average_hash(png(np.full((30, 40, 3), 90, np.uint8))) == "0" * 16


def test_another_size_and_encoding_is_the_same_picture() -> None:
    ramp = np.tile(np.linspace(0, 255, 64).astype(np.uint8), (64, 1))
    large = np.kron(ramp, np.ones((3, 3), np.uint8))
    assert average_hash(png(ramp)) == average_hash(png(large, "JPEG")) == "0f" * 8
    turned = average_hash(png(ramp.T))
    assert distance(turned, "00000000ffffffff") == 0
    assert distance(turned, average_hash(png(ramp))) == 32


def test_no_picture() -> None:
    with pytest.raises(BadInput, match="p: not a readable picture"):
        average_hash(b"<html>", "p")
