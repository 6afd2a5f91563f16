"""Features of a ResNet named by ``--eye``: a tiny one, made on the spot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import ResNetConfig, ResNetModel

from deixis.errors import BadInput
from deixis.players.statement.neural.backbone import IMAGENET, Backbone
from deixis.tasks.task import Task


@pytest.fixture(scope="module")
def resnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("resnet")
    torch.manual_seed(0)
    config = ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 12, 16, 20], depths=[1, 1, 1, 1], layer_type="basic"
    )
    ResNetModel(config).save_pretrained(folder)
    return folder


def test_maps_of_one_stage(resnet: Path, played: Task) -> None:
    eye = Backbone.find(str(resnet), 3, 64)
    assert eye.shape(played.store) == (1, 16, 4, 4)
    pictures = [t.left for t in played.trials[:3]]
    seen = eye(played.store, pictures)
    assert seen.dtype == np.float16
    pixels = np.stack([played.store.pixels(p, 64) for p in pictures])
    model = ResNetModel.from_pretrained(resnet).eval()
    with torch.no_grad():
        values = IMAGENET.normalised(torch.from_numpy(pixels))
        wanted = model(values, output_hidden_states=True).hidden_states[3]
    np.testing.assert_allclose(seen, wanted.flatten(1).numpy(), atol=1e-2, rtol=1e-2)
    assert Backbone.find(str(resnet), 4, 64).revision != eye.revision


def test_another_architecture(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "vit"}')
    with pytest.raises(BadInput, match=r"--eye:.* another architecture: expected resnet, got vit"):
        Backbone.find(str(tmp_path), 3, 64)
