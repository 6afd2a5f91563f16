"""Two towers against transformers' own forward pass."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import CLIPModel

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.pictures.store import ArrayStore
from deixis.players.common.neural import pretrained, tiny
from deixis.players.common.neural.kept import Kept
from deixis.players.common.neural.towers import (
    CLIP,
    SIGLIP,
    Family,
    TowerEncoder,
    kept_towers,
    open_towers,
    transform_of,
)
from deixis.trials import Picture

Checkpoints = Mapping[str, Path]

FAMILIES = {"clip": CLIP, "siglip": SIGLIP, "siglip2": SIGLIP}
TEXTS = ["a dog", "head", "the left leg of a bird that stands", "", "a dog with a tail"]


def checkpoint_of(name: str, folder: Path) -> pretrained.Checkpoint:
    family = FAMILIES[name]
    return pretrained.find(str(folder), family.player, list(family.models))


def encoder_of(name: str, folder: Path, world: Dataset, **more: object) -> TowerEncoder:
    family: Family = FAMILIES[name]
    checkpoint = checkpoint_of(name, folder)
    kept = kept_towers(checkpoint, family, None)
    transform = transform_of(checkpoint, family)
    return TowerEncoder(name, kept, world.store, transform=transform, **more)  # type: ignore[arg-type]


def some(world: Dataset, n: int = 6) -> list[Picture]:
    return [world.store.picture(a.picture) for a in list(world.records.values())[:n]]


@pytest.mark.parametrize("name", FAMILIES)
def test_dot_products_are_the_logits_of_transformers(
    name: str, checkpoints: Checkpoints, world: Dataset
) -> None:
    encoder = encoder_of(name, checkpoints[name], world)
    texts, pictures = encoder.texts(TEXTS), encoder.pictures(some(world))
    towers = encoder.module
    given = towers.tokens(TEXTS)
    pixels = torch.from_numpy(
        np.stack([towers.transform.resized(world.store.pixels(p, 64)) for p in some(world)])
    )
    values = towers.transform.normalised(pixels)
    if name == "siglip2":
        from deixis.players.common.neural.transforms import patches

        cells, there, shapes = patches(values, 16, 16)
        given |= {"pixel_values": cells, "pixel_attention_mask": there, "spatial_shapes": shapes}
    else:
        given["pixel_values"] = values
    with torch.no_grad():
        expected = towers.model(**given).logits_per_text
        if name != "clip":
            expected = expected - towers.model.logit_bias
    assert np.allclose(texts @ pictures.T, expected.numpy(), atol=1e-5)
    assert np.allclose(np.linalg.norm(pictures, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_vector_does_not_depend_on_what_is_encoded_with_it(
    name: str, checkpoints: Checkpoints, world: Dataset
) -> None:
    encoder = encoder_of(name, checkpoints[name], world)
    together = encoder.texts(TEXTS), encoder.pictures(some(world))
    apart = (
        np.concatenate([encoder.texts([t]) for t in TEXTS]),
        np.concatenate([encoder.pictures([p]) for p in some(world)]),
    )
    for a, b in zip(together, apart, strict=True):
        assert np.allclose(a, b, atol=1e-6)
    small = encoder_of(name, checkpoints[name], world, batch="2")
    assert np.allclose(small.texts(TEXTS), together[0], atol=1e-6)


def test_memory_that_runs_out_changes_no_vector(
    checkpoints: Checkpoints, world: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = encoder_of("clip", checkpoints["clip"], world)
    expected = encoder.pictures(some(world, 20))
    towers = encoder.module
    plain, tried = towers.pictures, []

    def scarce(pixels: np.ndarray) -> torch.Tensor:  # type: ignore[type-arg]
        tried.append(len(pixels))
        if len(pixels) > 6:
            raise torch.OutOfMemoryError("out of memory")
        return plain(pixels)

    monkeypatch.setattr(towers, "pictures", scarce)
    found = encoder.pictures(some(world, 20))
    assert tried == [20, 10, 5, 5, 5, 5]
    assert np.allclose(found, expected, atol=1e-6)


def test_the_scale_multiplies_and_belongs_to_the_revision(
    checkpoints: Checkpoints, world: Dataset
) -> None:
    checkpoint = checkpoint_of("clip", checkpoints["clip"])
    transform = transform_of(checkpoint, CLIP)
    made = [
        TowerEncoder("c", kept_towers(checkpoint, CLIP, s), world.store, transform=transform)
        for s in (None, 1.0, 1 / 0.07)
    ]
    own, one, published = (np.linalg.norm(e.texts(["a dog"])) for e in made)
    assert own == pytest.approx(float(made[0].module.model.logit_scale.exp()), rel=1e-5)
    assert one == pytest.approx(1, rel=1e-5)
    assert published == pytest.approx(14.285714, rel=1e-5)
    assert len({e.revision for e in made}) == 3


def test_the_revision_covers_canvas_and_precision(checkpoints: Checkpoints, world: Dataset) -> None:
    folder = checkpoints["clip"]
    revisions = {
        encoder_of("clip", folder, world, **more).revision
        for more in ({}, {"canvas": 32}, {"precision": "bf16"}, {"canvas": 64})
    }
    assert len(revisions) == 3  # 64 is the model's own side


def test_bf16_is_close(checkpoints: Checkpoints, world: Dataset) -> None:
    exact = encoder_of("clip", checkpoints["clip"], world)
    rough = encoder_of("clip", checkpoints["clip"], world, precision="bf16")
    assert rough.pictures(some(world)).dtype == np.float32
    cosines = (exact.pictures(some(world)) * rough.pictures(some(world))).sum(1)
    assert (cosines > 0.99).all()
    assert not np.allclose(exact.texts(TEXTS), rough.texts(TEXTS), atol=1e-6)


def test_another_store_is_looked_at(checkpoints: Checkpoints, world: Dataset) -> None:
    encoder = encoder_of("clip", checkpoints["clip"], world)
    grey = ArrayStore({"x": np.full((64, 64, 3), 128, np.uint8)})
    other = encoder.at(grey)
    assert other.pictures([grey.picture("x")]).shape == (1, 32)
    assert other.module is encoder.module
    with pytest.raises(BadInput):
        encoder.pictures([grey.picture("x")])


def test_texts_that_are_too_long(checkpoints: Checkpoints, world: Dataset) -> None:
    encoder = encoder_of("clip", checkpoints["clip"], world)
    long = " ".join(["dog"] * 60)
    assert encoder.over(["a dog", long]).tolist() == [False, True]
    assert np.allclose(encoder.texts([long]), encoder.texts([long + " and more"]))


def test_it_travels_light(checkpoints: Checkpoints, world: Dataset) -> None:
    encoder = encoder_of("clip", checkpoints["clip"], world)
    expected = encoder.texts(TEXTS)
    sent = pickle.dumps(encoder)
    assert len(sent) < len(pickle.dumps(world.store)) + 20_000  # the store, but no weights
    assert np.allclose(pickle.loads(sent).texts(TEXTS), expected)


@pytest.mark.parametrize("name", FAMILIES)
def test_saved_with_its_scale(
    name: str, checkpoints: Checkpoints, world: Dataset, tmp_path: Path
) -> None:
    towers = open_towers(checkpoint_of(name, checkpoints[name]), FAMILIES[name], 5.0)
    transform = towers.transform
    expected = TowerEncoder("x", Kept("r", model=towers), world.store, transform=transform)
    towers.save(tmp_path)
    again = encoder_of(name, tmp_path, world)
    assert np.allclose(again.texts(TEXTS), expected.texts(TEXTS), atol=1e-5)
    assert np.allclose(again.pictures(some(world)), expected.pictures(some(world)), atol=1e-6)
    assert not towers.model.logit_scale.requires_grad
    assert towers.log_scale.requires_grad


def test_wrong_picture_and_patch_sizes(checkpoints: Checkpoints, tmp_path: Path) -> None:
    for name, change, message in [
        ("clip", {"crop_size": 96}, "makes pictures of 96 pixels, the model takes 64"),
        ("siglip", {"size": {"height": 32, "width": 32}}, "of 32 pixels, the model takes 64"),
        ("siglip2", {"patch_size": 8}, "makes patches of 8 pixels, the model takes 16"),
    ]:
        folder = Path(shutil.copytree(checkpoints[name], tmp_path / name))
        file = folder / "preprocessor_config.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | change))
        with pytest.raises(BadInput, match=rf"wrong (picture|patch) size: .*{message}"):
            open_towers(checkpoint_of(name, folder), FAMILIES[name])


def test_tiny_checkpoints_are_the_same_wherever_they_are_made(
    checkpoints: Checkpoints, texts: list[str], tmp_path: Path
) -> None:
    again = tiny.clip(tmp_path / "clip", list(reversed(texts)))
    assert (
        checkpoint_of("clip", again).revision == checkpoint_of("clip", checkpoints["clip"]).revision
    )
    other = tiny.clip(tmp_path / "other", texts, seed=1)
    assert checkpoint_of("clip", other).revision != checkpoint_of("clip", again).revision
    assert isinstance(CLIPModel.from_pretrained(again), CLIPModel)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no graphics processor")
def test_on_a_graphics_processor(checkpoints: Checkpoints, world: Dataset) -> None:
    here = encoder_of("clip", checkpoints["clip"], world, device="cpu")
    there = encoder_of("clip", checkpoints["clip"], world, device="cuda")
    assert np.allclose(here.pictures(some(world)), there.pictures(some(world)), atol=1e-3)
