"""The same numbers as the reference processors of transformers, on the same pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil
from transformers.models.siglip2.image_processing_pil_siglip2 import Siglip2ImageProcessorPil
from transformers.models.vilt.image_processing_pil_vilt import ViltImageProcessorPil

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.players.common.neural.joint import TRANSFORM as VILT
from deixis.players.common.neural.towers import CLIP, SIGLIP
from deixis.players.common.neural.transforms import (
    HALF,
    Transform,
    from_config,
    patches,
    to_config,
)
from deixis.seeds import draw

Pixels = NDArray[np.uint8]

SHAPES = [(224, 224), (300, 500), (500, 300), (37, 61), (1000, 200), (225, 223)]


def photo(height: int, width: int) -> Pixels:
    """Smooth enough to tell filters apart, rough enough to tell sizes apart."""
    noise = draw(0, "photo", height, width).integers(0, 256, (height, width, 3))
    waves = np.sin(np.arange(height)[:, None, None] / 9) * np.cos(np.arange(width)[:, None] / 7)
    return np.clip(noise / 4 + 96 + 90 * waves, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def pictures(world: Dataset) -> list[Pixels]:
    """Painted figures, and pictures of other shapes."""
    figures = [
        world.store.pixels(world.store.picture(a.picture), 224)
        for a in list(world.records.values())[:2]
    ]
    return [*figures, *(photo(*shape) for shape in SHAPES)]


def ours(transform: Transform, pixels: Pixels) -> torch.Tensor:
    return transform.normalised(torch.from_numpy(transform.resized(pixels).copy())[None])


REFERENCES: list[tuple[Transform, Callable[[], Any]]] = [
    (CLIP.transforms["clip"], CLIPImageProcessorPil),
    (
        SIGLIP.transforms["siglip"],
        lambda: SiglipImageProcessorPil(image_mean=[0.5] * 3, image_std=[0.5] * 3),
    ),
    (VILT, lambda: ViltImageProcessorPil(image_mean=[0.5] * 3, image_std=[0.5] * 3)),
]


@pytest.mark.parametrize(("transform", "make"), REFERENCES, ids=["clip", "siglip", "vilt"])
def test_as_the_reference(
    transform: Transform, make: Callable[[], Any], pictures: list[Pixels]
) -> None:
    reference = make()
    for pixels in pictures:
        expected = reference(pixels, return_tensors="pt")["pixel_values"]
        found = ours(transform, pixels)
        assert found.shape == expected.shape
        assert float((found - expected).abs().max()) < 2e-6


def test_patches_as_the_reference(pictures: list[Pixels]) -> None:
    transform = SIGLIP.transforms["siglip2"]
    reference = Siglip2ImageProcessorPil()
    for pixels in pictures:
        expected = reference(pixels, return_tensors="pt")
        cells, there, shapes = patches(ours(transform, pixels), 16, 256)
        assert torch.equal(shapes, torch.as_tensor(expected["spatial_shapes"]))
        assert torch.equal(there, torch.as_tensor(expected["pixel_attention_mask"]))
        assert float((cells - expected["pixel_values"]).abs().max()) < 2e-6


def test_black_is_added_where_the_crop_is_larger_than_the_picture(pictures: list[Pixels]) -> None:
    for size, crop in [(64, 80), (64, 81), (50, 64)]:
        reference = CLIPImageProcessorPil(
            size={"shortest_edge": size}, crop_size={"height": crop, "width": crop}
        )
        transform = Transform(
            "shortest",
            size,
            crop=crop,
            mean=CLIP.transforms["clip"].mean,
            std=CLIP.transforms["clip"].std,
        )
        for pixels in pictures:
            expected = reference(pixels, return_tensors="pt")["pixel_values"]
            assert float((ours(transform, pixels) - expected).abs().max()) < 2e-6


@settings(max_examples=40)
@given(st.integers(10, 900), st.integers(10, 900))
def test_sizes_keep_their_promises(height: int, width: int) -> None:
    high, wide = Transform("shortest", 96).sizes(height, width)
    assert min(high, wide) == 96
    high, wide = VILT.sizes(height, width)
    assert max(high, wide) <= 640
    assert high % 32 == wide % 32 == 0
    high, wide = SIGLIP.transforms["siglip2"].sizes(height, width)
    assert (high // 16) * (wide // 16) <= 256
    assert high % 16 == wide % 16 == 0


@pytest.mark.parametrize(
    "transform",
    [
        *(t for t, _ in REFERENCES),
        SIGLIP.transforms["siglip2"],
        Transform("square", 30, crop=20, resample=2, factor=0.5, mean=HALF, std=(1.0, 2.0, 3.0)),
    ],
)
def test_a_configuration_says_all_of_a_transform(transform: Transform) -> None:
    written = json.loads(json.dumps(to_config(transform)))
    assert from_config(written, Transform(transform.manner, 1), "x") == transform


def test_configurations_as_they_are_on_the_hub() -> None:
    """Old and new ways of writing sizes."""
    clip = CLIP.transforms["clip"]
    old = {"crop_size": 224, "do_center_crop": True, "do_resize": True, "size": 224, "resample": 3}
    new = {"crop_size": {"height": 336, "width": 336}, "size": {"shortest_edge": 336}}
    assert from_config(old, clip, "x") == clip
    assert from_config(new, clip, "x").side == 336
    assert from_config({"do_resize": False, "do_center_crop": False}, clip, "x").sizes(5, 7) == (
        5,
        7,
    )
    plain = from_config({"do_rescale": False, "do_normalize": False}, clip, "x")
    assert float(plain.normalised(torch.full((1, 2, 2, 3), 7, dtype=torch.uint8)).max()) == 7.0
    assert from_config({"size": 384, "size_divisor": 32}, VILT, "x") == VILT


@pytest.mark.parametrize("size", ["large", 0, {"height": 3, "width": 4}, [224]])
def test_sizes_that_are_none(size: Any) -> None:
    with pytest.raises(BadInput, match=r"^p\.json: expected one picture size, got "):
        from_config({"size": size}, CLIP.transforms["clip"], "p.json")


def test_the_side_that_needs_no_resizing() -> None:
    assert [t.side for t, _ in REFERENCES] == [224, 224, 384]
    assert SIGLIP.transforms["siglip2"].side == 256
    for transform in (*(t for t, _ in REFERENCES), SIGLIP.transforms["siglip2"]):
        pixels = photo(transform.side, transform.side)
        assert np.array_equal(transform.resized(pixels), pixels)
