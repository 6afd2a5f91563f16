"""ViLT for pairs: a new head is made and tuned, one that is there plays as transformers has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import ViltForImagesAndTextClassification

from deixis.errors import BadInput
from deixis.players.common.neural import pretrained, tiny
from deixis.players.common.saved import saved
from deixis.players.statement.heads.judge import JudgeLearner, Judging
from deixis.players.statement.vilt import KINDS, has_head, open_pair
from deixis.runs.prepare import build
from deixis.tasks.see import views
from deixis.tasks.task import Task


@pytest.fixture(scope="module")
def single(learnt: Task, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint that matches one picture."""
    folder = tmp_path_factory.mktemp("single") / "vilt"
    return tiny.vilt(folder, [t.sentence for t in learnt.trials])


@pytest.fixture(scope="module")
def paired(single: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that judges pairs."""
    folder = tmp_path_factory.mktemp("paired") / "vilt"
    open_pair(pretrained.find(str(single), "vilt", ["vilt"])).save(folder)
    return folder


def test_new_parts(single: Path) -> None:
    checkpoint = pretrained.find(str(single), "vilt", ["vilt"])
    assert not has_head(checkpoint)
    pair = open_pair(checkpoint)
    own = pair.model.vilt.embeddings.token_type_embeddings.weight
    held = load_file(single / "model.safetensors")
    name = "vilt.embeddings.token_type_embeddings.weight"
    assert len(own) == KINDS
    torch.testing.assert_close(own[:2], held[name][:2])
    torch.testing.assert_close(own[2], held[name][1])
    first = pair.model.classifier[0].weight
    torch.testing.assert_close(first, open_pair(checkpoint).model.classifier[0].weight)
    assert not torch.equal(first, open_pair(checkpoint, 1).model.classifier[0].weight)


def test_the_same_as_transformers(paired: Path, played: Task) -> None:
    player = build(f"vilt:{paired}", played)
    assert isinstance(player, Judging)
    some = views(played)[:3]
    told = player.reply(some).scores
    model = ViltForImagesAndTextClassification.from_pretrained(paired).eval()
    module = player.judge.module
    for view, scores in zip(some, told, strict=True):
        pixels = np.stack([played.store.pixels(p, 64) for p in (view.left, view.right)])
        values = module.transform.normalised(torch.from_numpy(pixels))
        with torch.no_grad():
            logits = model(**module.tokens([view.sentence]), pixel_values=values[None]).logits[0]
        assert scores[0] == pytest.approx(float(logits[1] - logits[0]), abs=1e-4)


def test_tuned_and_kept(single: Path, learnt: Task, played: Task, tmp_path: Path) -> None:
    made = build(f"vilt:{single}", learnt, epochs="1")
    assert isinstance(made, JudgeLearner)
    player = made.fit(learnt.limit(60), dev=learnt.limit(20), seed=0)
    told = player.at(played).reply(views(played)).scores
    player.save(tmp_path / "kept")
    again = saved(str(tmp_path / "kept"), played)
    np.testing.assert_allclose(again.reply(views(played)).scores, told, atol=1e-5)
    for channel in ("sentence", "left", "right"):
        drawn = player.at(played).reply(views(played.do(f"{channel}=shuffle"))).scores
        assert not np.array_equal(told, drawn), channel


def test_refusals(single: Path, learnt: Task, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--tune: expected yes or nothing"):
        build(f"vilt:{single}", learnt, tune="much")
    tensors = load_file(single / "model.safetensors")
    tensors.pop("vilt.pooler.dense.bias")
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in single.iterdir():
        (broken / file.name).write_bytes(file.read_bytes())
    save_file(tensors, broken / "model.safetensors", {"format": "pt"})
    with pytest.raises(BadInput, match=r"vilt.pooler.dense.bias is missing"):
        open_pair(pretrained.find(str(broken), "vilt", ["vilt"]))
