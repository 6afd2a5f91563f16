"""Checkpoints that are there, and the many ways in which they are not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from huggingface_hub.errors import LocalEntryNotFoundError
from safetensors.torch import load_file, save_file
from transformers import CLIPModel

from deixis.errors import BadInput
from deixis.players.common.neural import pretrained

Checkpoints = Mapping[str, Path]


@pytest.fixture
def clip(checkpoints: Checkpoints, tmp_path: Path) -> Path:
    """A copy that may be broken."""
    return Path(shutil.copytree(checkpoints["clip"], tmp_path / "clip"))


def found(folder: Path) -> pretrained.Checkpoint:
    return pretrained.find(str(folder), "clip", ["clip"])


def test_a_folder_is_found_and_its_revision_covers_every_file(clip: Path) -> None:
    first = found(clip)
    assert first.config["model_type"] == "clip"
    assert found(clip).revision == first.revision
    for file in ("config.json", "preprocessor_config.json", "tokenizer.json"):
        text = (clip / file).read_text()
        (clip / file).write_text(text + " ")
        assert found(clip).revision != first.revision
        (clip / file).write_text(text)
    weights = load_file(clip / "model.safetensors")
    weights["logit_scale"] += 1e-3
    save_file(weights, clip / "model.safetensors", {"format": "pt"})
    assert found(clip).revision != first.revision
    (clip / "notes.md").write_text("not part of it")
    assert first.json("absent.json") == {}


def test_loading_prints_nothing(clip: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = pretrained.load_model(found(clip), CLIPModel)
    assert not model.training
    assert next(model.parameters()).dtype is torch.float32
    assert capfd.readouterr() == ("", "")


def test_nothing_named_and_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^clip: expected clip:FOLDER or clip:HUB_NAME$"):
        pretrained.find("", "clip", ["clip"])
    with pytest.raises(BadInput, match=r"no config\.json there, so it is no checkpoint"):
        pretrained.find(str(tmp_path), "clip", ["clip"])


@pytest.mark.parametrize("name", ["some/model", "no hub name at all", "a/b/c/d"])
def test_the_hub_cannot_be_reached_or_has_no_such_name(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(BadInput, match=r"^clip:.*: no such folder, and the hub does not give it: "):
        pretrained.find(name, "clip", ["clip"])


def test_names_on_the_hub(
    checkpoints: Checkpoints, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Safetensors are asked for first, and pickled weights where there are none."""
    asked: list[object] = []
    folder = Path(shutil.copytree(checkpoints["clip"], tmp_path / "hub"))
    weights = folder / "model.safetensors"

    def download(name: str, allow_patterns: object) -> str:
        asked.append(allow_patterns)
        if allow_patterns == "pytorch_model*.bin":
            torch.save(load_file(tmp_path / "kept.safetensors"), folder / "pytorch_model.bin")
        return str(folder)

    monkeypatch.setattr(pretrained, "snapshot_download", download)
    assert pretrained.find("openai/clip", "clip", ["clip"]).name == "openai/clip"
    assert len(asked) == 1
    weights.rename(tmp_path / "kept.safetensors")
    checkpoint = pretrained.find("openai/clip", "clip", ["clip"])
    assert asked[-1] == "pytorch_model*.bin"
    pretrained.load_model(checkpoint, CLIPModel)
    assert set(pretrained.tensors(checkpoint, ["logit_scale", "nothing"])) == {"logit_scale"}


def test_errors_of_the_hub_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def download(*_: object, **__: object) -> str:
        raise LocalEntryNotFoundError("Cannot find it.\nCheck your connection.\n")

    monkeypatch.setattr(pretrained, "snapshot_download", download)
    with pytest.raises(BadInput, match=r"does not give it: Cannot find it$"):
        pretrained.find("openai/clip", "clip", ["clip"])


def test_another_architecture(checkpoints: Checkpoints, clip: Path) -> None:
    with pytest.raises(
        BadInput, match=r"of another architecture: expected siglip or siglip2, got clip$"
    ):
        pretrained.find(str(clip), "siglip", ["siglip", "siglip2"])
    weights = load_file(clip / "model.safetensors")
    del weights["text_projection.weight"]
    save_file(weights, clip / "model.safetensors", {"format": "pt"})
    with pytest.raises(BadInput, match=r"another architecture: text_projection\.weight is missing"):
        pretrained.load_model(found(clip), CLIPModel)
    shutil.copy(checkpoints["vilt"] / "model.safetensors", clip)
    with pytest.raises(BadInput, match=r"weights of another architecture: \S+ is missing"):
        pretrained.load_model(found(clip), CLIPModel)


def test_weights_of_another_size(clip: Path) -> None:
    weights = load_file(clip / "model.safetensors")
    weights["text_projection.weight"] = torch.zeros(5, 5)
    save_file(weights, clip / "model.safetensors", {"format": "pt"})
    with pytest.raises(BadInput, match=r"weights that cannot be read: ") as caught:
        pretrained.load_model(found(clip), CLIPModel)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kept", [0, 100, 5000])
def test_weights_cut_short(clip: Path, kept: int) -> None:
    path = clip / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(BadInput, match=r"clip: weights that cannot be read: ") as caught:
        pretrained.load_model(found(clip), CLIPModel)
    assert "\n" not in str(caught.value)


def test_no_weights(clip: Path) -> None:
    (clip / "model.safetensors").unlink()
    with pytest.raises(BadInput, match=r"no weights there \(model\.safetensors\)"):
        found(clip)


def test_broken_configurations(clip: Path) -> None:
    (clip / "config.json").write_text("{")
    with pytest.raises(BadInput, match=r"config\.json: no JSON: "):
        found(clip)


def test_no_tokenizer(clip: Path) -> None:
    checkpoint = found(clip)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        (clip / file).unlink()
    with pytest.raises(BadInput, match=r"clip: no tokenizer there: ") as caught:
        pretrained.load_tokenizer(checkpoint, 10_000)
    assert "\n" not in str(caught.value)


def test_a_broken_tokenizer(clip: Path) -> None:
    (clip / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInput, match=r"no tokenizer there"):
        pretrained.load_tokenizer(found(clip), 10_000)


def test_the_tokenizer_of_another_model(clip: Path) -> None:
    with pytest.raises(BadInput, match=r"makes \d+ different tokens, the model knows 50$"):
        pretrained.load_tokenizer(found(clip), 50)


def test_saved_and_read_back(clip: Path, tmp_path: Path) -> None:
    from deixis.players.common.neural.towers import CLIP, transform_of

    checkpoint = found(clip)
    model = pretrained.load_model(checkpoint, CLIPModel)
    tokenizer = pretrained.load_tokenizer(checkpoint, 10_000)
    transform = transform_of(checkpoint, CLIP)
    pretrained.save(tmp_path / "again", model, tokenizer, transform)
    again = found(tmp_path / "again")
    assert transform_of(again, CLIP) == transform
    assert again.json("preprocessor_config.json") == json.loads(
        (clip / "preprocessor_config.json").read_text()
    )
    assert (
        load_file(tmp_path / "again" / "model.safetensors").keys()
        == load_file(clip / "model.safetensors").keys()
    )
