"""From pixels to what a vision model was trained on: resize, crop, scale, normalise.

The same numbers as the reference processors of transformers (its Pillow backend), which
`tests/players/common/neural/test_transforms.py` checks on the same pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from deixis.errors import BadInput

Pixels = NDArray[np.uint8]
Manner = Literal["none", "shortest", "square", "ratio", "patches"]
Triple = tuple[float, float, float]

CLIP_MEAN: Triple = (0.48145466, 0.4578275, 0.40821073)
CLIP_STD: Triple = (0.26862954, 0.26130258, 0.27577711)
HALF: Triple = (0.5, 0.5, 0.5)

_LONGEST = 1333 / 800
"""ViLT's bound on the ratio of the sides, that of a usual detector on COCO."""


@dataclass(frozen=True, slots=True)
class Transform:
    """How a model wants its pictures.

    Attributes:
        manner: ``shortest`` scales the shorter side to `size`, ``square`` both sides; ``ratio``
            does as ViLT does: the shorter side to `size`, the longer to at most 1333/800 of it,
            both cut to multiples of `divisor`; ``patches`` as SigLIP 2 does: as large as `most`
            patches of side `divisor` allow; ``none`` leaves the size.
        size: in pixels.
        crop: side of the centre that is kept; None keeps all. Black is added where it is missing.
        resample: Pillow's number of the filter; 3 is bicubic, 2 bilinear.
        factor: pixels are multiplied by it.
        mean: subtracted then, by color channel.
        std: divided by then.
        divisor: see `manner`.
        most: patches, see `manner`.
    """

    manner: Manner
    size: int
    crop: int | None = None
    resample: int = 3
    factor: float = 1 / 255
    mean: Triple = (0.0, 0.0, 0.0)
    std: Triple = (1.0, 1.0, 1.0)
    divisor: int = 1
    most: int = 0

    @property
    def side(self) -> int:
        """Side of the square picture that needs no resizing."""
        if self.manner == "patches":
            return math.isqrt(self.most) * self.divisor
        return self.crop or self.size

    def sizes(self, height: int, width: int) -> tuple[int, int]:
        """Height and width after resizing.

        >>> Transform("shortest", 224).sizes(300, 600)
        (224, 448)
        """
        if self.manner == "square":
            return self.size, self.size
        if self.manner == "shortest":
            short, long = sorted((height, width))
            longer = int(self.size * long / short)
            return (longer, self.size) if width <= height else (self.size, longer)
        if self.manner == "ratio":
            return _ratio(height, width, self.size, self.divisor)
        if self.manner == "patches":
            return _patchable(height, width, self.divisor, self.most)
        return height, width

    def resized(self, pixels: Pixels) -> Pixels:
        """Resize and crop, shape (height, width, 3), RGB."""
        height, width = self.sizes(*pixels.shape[:2])
        if (height, width) != pixels.shape[:2]:
            filtered = Image.fromarray(pixels).resize(
                (width, height), Image.Resampling(self.resample)
            )
            pixels = np.asarray(filtered)
        return pixels if self.crop is None else _centre(pixels, self.crop)

    def normalised(self, pixels: Tensor) -> Tensor:
        """Scale and normalise, shape (n, height, width, 3) uint8 → (n, 3, height, width) float."""
        mean, std = (torch.tensor(v, device=pixels.device) for v in (self.mean, self.std))
        return ((pixels.float() * self.factor - mean) / std).permute(0, 3, 1, 2).contiguous()


def from_config(config: Mapping[str, Any], default: Transform, where: str) -> Transform:
    """The transform that a ``preprocessor_config.json`` describes.

    Args:
        config: its content.
        default: what holds where it says nothing; its manner stays.
        where: how errors name the file.

    Raises:
        BadInput: a size that is no number.
    """
    changed: dict[str, Any] = {}
    if config.get("do_resize", True):
        size = config.get("size")
        changed["size"] = default.size if size is None else _side(size, where)
    else:
        changed["manner"] = "none"
    if config.get("do_center_crop", default.crop is not None):
        changed["crop"] = _side(config.get("crop_size", default.crop), where)
    else:
        changed["crop"] = None
    scaled = config.get("do_rescale", True)
    changed["factor"] = config.get("rescale_factor", default.factor) if scaled else 1.0
    if config.get("do_normalize", True):
        changed["mean"] = tuple(config.get("image_mean", default.mean))
        changed["std"] = tuple(config.get("image_std", default.std))
    else:
        changed["mean"], changed["std"] = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    changed["resample"] = config.get("resample", default.resample)
    changed["divisor"] = config.get("size_divisor", config.get("patch_size", default.divisor))
    changed["most"] = config.get("max_num_patches", default.most)
    return replace(default, **changed)


def to_config(transform: Transform) -> dict[str, Any]:
    """The content of a ``preprocessor_config.json``, which `from_config` reads back."""
    sides = {
        "shortest": {"shortest_edge": transform.size},
        "ratio": {"shortest_edge": transform.size},
    }
    return {
        "do_resize": transform.manner != "none",
        "size": sides.get(transform.manner, {"height": transform.size, "width": transform.size}),
        "do_center_crop": transform.crop is not None,
        "crop_size": transform.crop,
        "do_rescale": True,
        "rescale_factor": transform.factor,
        "do_normalize": True,
        "image_mean": list(transform.mean),
        "image_std": list(transform.std),
        "resample": transform.resample,
        "size_divisor" if transform.manner == "ratio" else "patch_size": transform.divisor,
        "max_num_patches": transform.most,
    }


def patches(pixels: Tensor, side: int, most: int) -> tuple[Tensor, Tensor, Tensor]:
    """Cut pictures of one size into patches, as SigLIP 2 takes them.

    Args:
        pixels: shape (n, 3, height, width), both sides multiples of `side`.
        side: of a patch.
        most: patches of a picture; missing ones are zero.

    Returns:
        Patches, shape (n, most, side * side * 3); which ones are there, shape (n, most); rows and
        columns of patches, shape (n, 2).
    """
    n, channels, height, width = pixels.shape
    rows, columns = height // side, width // side
    cells = pixels.reshape(n, channels, rows, side, columns, side).permute(0, 2, 4, 3, 5, 1)
    held = pixels.new_zeros(n, most, side * side * channels)
    held[:, : rows * columns] = cells.reshape(n, rows * columns, -1)
    there = torch.zeros(n, most, dtype=torch.int32, device=pixels.device)
    there[:, : rows * columns] = 1
    return held, there, torch.tensor([[rows, columns]] * n, device=pixels.device)


def _side(size: Any, where: str) -> int:
    """A size as configurations write it: a number, or an object of one or two equal ones."""
    if isinstance(size, Mapping):
        values = {v for v in size.values() if v is not None}
        size = values.pop() if len(values) == 1 else size
    if not isinstance(size, int) or size < 1:
        raise BadInput(f"{where}: expected one picture size, got {size!r}")
    return size


def _ratio(height: int, width: int, size: int, divisor: int) -> tuple[int, int]:
    scale = size / min(height, width)
    longest = int(_LONGEST * size)
    new = [size if side == min(height, width) else scale * side for side in (height, width)]
    if max(new) > longest:
        new = [side * (longest / max(new)) for side in new]
    high, wide = (int(side + 0.5) // divisor * divisor for side in new)
    return high, wide


def _patchable(height: int, width: int, side: int, most: int) -> tuple[int, int]:
    """The largest size of that ratio with at most so many patches, by bisection of the scale."""

    def sized(scale: float) -> tuple[int, int]:
        up = (max(side, math.ceil(x * scale / side) * side) for x in (height, width))
        high, wide = up
        return high, wide

    low, high = 1e-6, 100.0
    while high - low >= 1e-5:
        middle = (low + high) / 2
        tried = sized(middle)
        if (tried[0] / side) * (tried[1] / side) <= most:
            low = middle
        else:
            high = middle
    return sized(low)


def _centre(pixels: Pixels, side: int) -> Pixels:
    height, width = pixels.shape[:2]
    if height < side or width < side:
        padded = np.zeros((max(height, side), max(width, side), 3), np.uint8)
        top, left = (
            math.ceil((padded.shape[0] - height) / 2),
            math.ceil((padded.shape[1] - width) / 2),
        )
        padded[top : top + height, left : left + width] = pixels
        # The reference takes its offsets from the unpadded size, rounded down.
        top += (height - side) // 2
        left += (width - side) // 2
        return padded[max(top, 0) : max(top, 0) + side, max(left, 0) : max(left, 0) + side]
    top, left = (height - side) // 2, (width - side) // 2
    return pixels[top : top + side, left : left + side]
