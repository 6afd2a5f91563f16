"""Vectors of pictures by tiny encoders made on the spot, written and read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deixis.cli import main
from deixis.datasets.features import store_of
from deixis.errors import BadInput
from deixis.pictures.extract import extract
from deixis.pictures.vectors import VectorStore

transformers = pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoders")
    size = {"image_size": 16, "patch_size": 8, "hidden_size": 12, "intermediate_size": 16}
    layers = {"num_hidden_layers": 1, "num_attention_heads": 2}
    vision = transformers.CLIPVisionConfig(**size, **layers)
    text = transformers.CLIPTextConfig(
        vocab_size=20, hidden_size=8, intermediate_size=8, eos_token_id=2, **layers
    )
    clip = transformers.CLIPConfig(
        text_config=text.to_dict(), vision_config=vision.to_dict(), projection_dim=6
    )
    models = {
        "vit": transformers.ViTModel(transformers.ViTConfig(**size, **layers)),
        "clip": transformers.CLIPModel(clip),
        "resnet": transformers.ResNetModel(
            transformers.ResNetConfig(embedding_size=4, hidden_sizes=[4, 5], depths=[1, 1])
        ),
        "headless": transformers.ViTModel(
            transformers.ViTConfig(**size, **layers), add_pooling_layer=False
        ),
    }
    sizes = {"size": {"height": 16, "width": 16}}
    for name, model in models.items():
        model.save_pretrained(folder / name)
        transformers.ViTImageProcessor(**sizes).save_pretrained(folder / name)
    return folder


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    (folder / "val").mkdir(parents=True)
    draws = np.random.default_rng(0)
    for i in range(5):
        pixels = draws.integers(0, 255, (20, 30, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / "val" / f"COCO_val2014_{i:012}.png")
    return folder


@pytest.mark.parametrize(
    ("name", "width"), [("vit", 12), ("clip", 6), ("resnet", 5), ("headless", 12)]
)
def test_what_is_written_can_be_read(
    name: str, width: int, encoders: Path, photos: Path, tmp_path: Path
) -> None:
    out = tmp_path / "f.h5"
    assert extract(photos, str(encoders / name), out, batch=2) == 5
    store = store_of(["3", "0"], out, "visdial")
    assert isinstance(store, VectorStore)
    assert store.dimensions == width
    made = store.vectors([store.picture("3"), store.picture("0")])
    assert np.linalg.norm(made, axis=1) == pytest.approx([1, 1])
    extract(photos, str(encoders / name), tmp_path / "g.h5", batch=5)
    again = store_of(["3", "0"], tmp_path / "g.h5", "visdial")
    assert isinstance(again, VectorStore)
    assert np.allclose(made, again.vectors([again.picture("3"), again.picture("0")]), atol=1e-5)


def test_the_command(
    encoders: Path, photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(photos), "--model", str(encoders / "vit"), "--out", str(tmp_path / "f.h5")]
    assert main(["features", *arguments]) == 0
    assert "5 pictures" in capsys.readouterr().out
    assert main(["features", str(tmp_path / "none"), *arguments[1:]]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_what_is_wrong_is_named(encoders: Path, photos: Path, tmp_path: Path) -> None:
    out = tmp_path / "f.h5"
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="no pictures there"):
        extract(tmp_path / "empty", str(encoders / "vit"), out)
    with pytest.raises(BadInput, match="no vision encoder"):
        extract(photos, str(tmp_path / "empty"), out)
    (photos / "broken.jpg").write_bytes(b"no picture")
    with pytest.raises(BadInput, match=r"broken\.jpg: not a readable picture"):
        extract(photos, str(encoders / "vit"), out)
    assert not out.exists()
