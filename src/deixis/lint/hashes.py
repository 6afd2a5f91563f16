"""Perceptual hashes: 64 bits that stay the same when a picture is resized or recompressed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import fft

Floats = NDArray[np.float64]


def perceptual_hash(pixels: NDArray[np.uint8]) -> int:
    """The signs of low frequencies: 8 × 8 cosine coefficients of the 32 × 32 grey picture.

    Each coefficient is compared with the median of all but the mean brightness (the DCT hash of
    Zauner, 2010).

    Args:
        pixels: shape (height, width, 3), RGB.

    Returns:
        64 bits.

    >>> ramp = np.tile(np.arange(64, dtype=np.uint8)[:, None, None] * 4, (1, 64, 3))
    >>> perceptual_hash(ramp) == perceptual_hash(ramp[::2, ::2])
    True
    """
    grey = Image.fromarray(pixels).convert("L").resize((32, 32), Image.Resampling.LANCZOS)
    low = fft.dctn(np.asarray(grey, np.float64), norm="ortho")[:8, :8].ravel()
    # Rounded: what is zero but for rounding must not decide a bit.
    bits = low.round(6) > np.median(low[1:].round(6))
    return int(np.packbits(bits).view(">u8")[0])
