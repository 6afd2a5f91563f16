"""ViLT against transformers' own forward pass."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.joint import (
    JointScorer,
    kept_joint,
    open_joint,
    transform_of,
)
from deixis.trials import Description, Picture

Checkpoints = Mapping[str, Path]

TEXTS = ["a dog", "head", "the left leg of a bird that stands", "", "a dog with a tail", "tail"]


def checkpoint_of(folder: Path) -> pretrained.Checkpoint:
    return pretrained.find(str(folder), "vilt", ["vilt"])


def scorer_of(folder: Path, world: Dataset, **more: object) -> JointScorer:
    checkpoint = checkpoint_of(folder)
    transform = transform_of(checkpoint)
    return JointScorer("vilt", kept_joint(checkpoint), world.store, transform=transform, **more)  # type: ignore[arg-type]


def some(world: Dataset, n: int = 6) -> list[Picture]:
    return [world.store.picture(a.picture) for a in list(world.records.values())[:n]]


def told(texts: list[str]) -> list[Description]:
    return [Description(t) for t in texts]


@pytest.mark.parametrize("side", [64, 96])
def test_scores_are_those_of_transformers(
    side: int, checkpoints: Checkpoints, world: Dataset, tmp_path: Path
) -> None:
    """Also at a size that the model was not made for, where places are interpolated."""
    folder = Path(shutil.copytree(checkpoints["vilt"], tmp_path / "vilt"))
    file = folder / "preprocessor_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"size": {"shortest_edge": side}}))
    scorer = scorer_of(folder, world)
    pictures = some(world)
    found = scorer.pairs(told(TEXTS), pictures)
    joint = scorer.module
    pixels = torch.from_numpy(np.stack([world.store.pixels(p, side) for p in pictures]))
    values = joint.transform.normalised(pixels)
    with torch.no_grad():
        expected = joint.model(
            **joint.tokens(TEXTS),
            pixel_values=values,
            pixel_mask=torch.ones(len(TEXTS), side, side, dtype=torch.long),
        ).logits[:, 0]
    assert np.allclose(found, expected.numpy(), atol=1e-5)
    assert np.ptp(found) > 0


def test_a_score_does_not_depend_on_what_is_scored_with_it(
    checkpoints: Checkpoints, world: Dataset
) -> None:
    scorer = scorer_of(checkpoints["vilt"], world)
    together = scorer.pairs(told(TEXTS), some(world))
    apart = [scorer.pairs([t], [p])[0] for t, p in zip(told(TEXTS), some(world), strict=True)]
    assert np.allclose(together, apart, atol=1e-6)
    small = scorer_of(checkpoints["vilt"], world, batch="2")
    assert np.allclose(small.pairs(told(TEXTS), some(world)), together, atol=1e-6)
    assert np.array_equal(scorer.pairs(told(TEXTS), some(world)), together)


def test_a_picture_is_embedded_once_in_a_batch(
    checkpoints: Checkpoints, world: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = scorer_of(checkpoints["vilt"], world)
    joint, seen = scorer.module, []
    plain = joint.pictures

    def counted(pixels: np.ndarray) -> torch.Tensor:  # type: ignore[type-arg]
        seen.append(len(pixels))
        return plain(pixels)

    monkeypatch.setattr(joint, "pictures", counted)
    one = some(world, 1) * 4
    scorer.pairs(told(["a dog", "a cat", "a bird", "a man"]), one)
    assert sum(seen) == len(seen)  # one picture for every bucket of texts


def ranked_by_matching(folder: Path) -> None:
    """Turn it into a checkpoint of pre-training: a head with two rows instead of one."""
    weights = load_file(folder / "model.safetensors")
    row, bias = weights.pop("rank_output.weight"), weights.pop("rank_output.bias")
    weights["itm_score.fc.weight"] = torch.cat([-3 * row, row])
    weights["itm_score.fc.bias"] = torch.cat([bias - 1, bias])
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


def test_the_head_of_pre_training_gives_its_row_for_a_match(
    checkpoints: Checkpoints, world: Dataset, tmp_path: Path
) -> None:
    expected = scorer_of(checkpoints["vilt"], world).pairs(told(TEXTS), some(world))
    folder = Path(shutil.copytree(checkpoints["vilt"], tmp_path / "vilt"))
    ranked_by_matching(folder)
    assert np.allclose(scorer_of(folder, world).pairs(told(TEXTS), some(world)), expected)


def test_no_head_at_all(checkpoints: Checkpoints, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(checkpoints["vilt"], tmp_path / "vilt"))
    weights = load_file(folder / "model.safetensors")
    del weights["rank_output.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(BadInput, match="neither rank_output nor itm_score is there"):
        open_joint(checkpoint_of(folder))


def test_wrong_picture_size(checkpoints: Checkpoints, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(checkpoints["vilt"], tmp_path / "vilt"))
    file = folder / "preprocessor_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"size": 72, "size_divisor": 8}))
    with pytest.raises(BadInput, match="pictures of 72 pixels, the model takes multiples of 16"):
        open_joint(checkpoint_of(folder))


def test_it_travels_light_and_is_saved(
    checkpoints: Checkpoints, world: Dataset, tmp_path: Path
) -> None:
    scorer = scorer_of(checkpoints["vilt"], world)
    expected = scorer.pairs(told(TEXTS), some(world))
    sent = pickle.dumps(scorer)
    assert len(sent) < len(pickle.dumps(world.store)) + 20_000  # the store, but no weights
    assert np.allclose(pickle.loads(sent).pairs(told(TEXTS), some(world)), expected)
    scorer.module.save(tmp_path)
    again = scorer_of(tmp_path, world)
    assert np.allclose(again.pairs(told(TEXTS), some(world)), expected)
    other = scorer.at(world.store)
    assert other.module is scorer.module


def test_bf16_is_close_and_texts_may_be_too_long(checkpoints: Checkpoints, world: Dataset) -> None:
    exact = scorer_of(checkpoints["vilt"], world)
    rough = scorer_of(checkpoints["vilt"], world, precision="bf16")
    a, b = (s.pairs(told(TEXTS), some(world)) for s in (exact, rough))
    assert np.abs(a - b).max() < 0.05
    assert a.dtype == b.dtype == np.float32
    assert exact.over(["a dog", " ".join(["dog"] * 60)]).tolist() == [False, True]
