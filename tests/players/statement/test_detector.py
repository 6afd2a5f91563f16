"""A detector of transformers, tiny, made on the spot."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
import torch
from transformers import YolosConfig, YolosForObjectDetection

from deixis.errors import BadInput
from deixis.players.statement.detections import detections
from deixis.players.statement.detector import Detector, found
from deixis.tasks.task import Task


def test_both_kinds_of_logits() -> None:
    names = {0: "Dog", 1: "cat"}
    nothing_last = torch.tensor([[[9.0, 0, 0], [0, 0, 9.0], [0, 9.0, 0], [1, 1.1, 1]]])
    assert found(nothing_last, names, 0.5) == [{"dog": 1, "cat": 1}]
    each_its_own = torch.tensor([[[3.0, -3], [-3, -3.0], [-3, 0.1]]])
    assert found(each_its_own, names, 0.5) == [{"dog": 1, "cat": 1}]


def test_counts_what_the_network_says(played: Task, tmp_path: Path) -> None:
    torch.manual_seed(0)
    config = YolosConfig(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        image_size=[32, 32],
        patch_size=16,
        num_detection_tokens=5,
        id2label={0: "circle", 1: "square"},
        label2id={"circle": 0, "square": 1},
    )
    YolosForObjectDetection(config).save_pretrained(tmp_path)
    size = {"shortest_edge": 32, "longest_edge": 53}
    (tmp_path / "preprocessor_config.json").write_text(json.dumps({"size": size}))
    seen = detections(str(tmp_path))
    assert isinstance(seen, Detector)
    seen.least = 0.0
    pictures = [played.trials[0].left, played.trials[0].right, played.trials[0].left]
    counts = seen.counts(played.store, pictures)
    assert all(sum(c.values()) == 5 for c in counts), "every query counts"
    assert counts[0] == counts[2]
    again = pickle.loads(pickle.dumps(seen))
    assert again.counts(played.store, pictures) == counts


def test_another_architecture(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(BadInput, match="another architecture: expected detr or yolos"):
        detections(str(tmp_path))
