"""Models that are opened on use and travel light."""

from __future__ import annotations

import pickle
from functools import partial

import torch
from torch import nn

from deixis.players.common.neural.kept import Kept


def opened(width: int) -> nn.Linear:
    return nn.Linear(width, 1)


def test_opened_once_and_on_use() -> None:
    kept = Kept("r", opener=partial(opened, 3))
    assert kept.__dict__["_model"] is None
    model = kept.on(torch.device("cpu"))
    assert kept.on(torch.device("cpu")) is model
    assert not model.training


def test_a_path_travels_as_a_path_and_a_model_as_a_model() -> None:
    kept = Kept("r", opener=partial(opened, 30_000))
    kept.on(torch.device("cpu"))
    sent = pickle.dumps(kept)
    assert len(sent) < 1000
    assert pickle.loads(sent).on(torch.device("cpu")).in_features == 30_000
    model = opened(2)
    other = pickle.loads(pickle.dumps(Kept("r", model=model)))
    assert torch.equal(other.on(torch.device("cpu")).weight, model.weight)


def test_number_formats() -> None:
    kept = Kept("r", opener=partial(opened, 2))
    assert kept.on(torch.device("cpu"), torch.bfloat16).weight.dtype is torch.bfloat16
