"""The average hash of a picture: a fingerprint that survives another encoding of the same one."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, UnidentifiedImageError

from deixis.errors import BadInput

SIDE = 8


def average_hash(content: bytes, where: str = "the picture") -> str:
    """Which cells of an 8 × 8 grey miniature are brighter than their mean, as 16 hex digits.

    The same digits as of ``imagehash.average_hash``, with which NLVR2's hashes were made.

    Args:
        content: a picture file of any kind.
        where: how an error names it.

    Raises:
        BadInput: it is no picture, or broken.
    """
    try:
        with Image.open(io.BytesIO(content)) as opened:
            small = opened.convert("L").resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    except (OSError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise BadInput(f"{where}: not a readable picture: {error}") from None
    grey = np.asarray(small, np.float64)
    bits = "".join("1" if b else "0" for b in (grey > grey.mean()).ravel())
    return f"{int(bits, 2):016x}"


def distance(one: str, other: str) -> int:
    """In how many cells two hashes differ.

    >>> distance("00000000000000ff", "00000000000000f0")
    4
    """
    return (int(one, 16) ^ int(other, 16)).bit_count()
