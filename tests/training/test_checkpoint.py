"""Checkpoints that are broken, or of something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from deixis.errors import BadInput
from deixis.training import checkpoint, weights


def parts(width: int = 3, agreed: dict[str, str] | None = None) -> dict[str, Any]:
    model = nn.Linear(2, width)
    optimiser = torch.optim.Adam(model.parameters(), amsgrad=True)
    return {"model": model, "optimiser": optimiser, "scaler": None, "agreed": agreed or {}}


def stepped(given: dict[str, Any]) -> dict[str, Any]:
    given["optimiser"].zero_grad()
    given["model"](torch.ones(1, 2)).sum().backward()
    given["optimiser"].step()
    return given


def test_everything_comes_back(tmp_path: Path) -> None:
    state = checkpoint.State(epoch=2, position=7, step=31, loss=0.1 + 0.2, patience=5.5)
    given = stepped(parts())
    checkpoint.save(tmp_path, state, **given)
    other = parts()
    assert checkpoint.resume(tmp_path, **other) == state
    for a, b in zip(given["model"].parameters(), other["model"].parameters(), strict=True):
        assert torch.equal(a, b)
    held, found = (p["optimiser"].state_dict()["state"] for p in (given, other))
    assert all(torch.equal(held[i][n], found[i][n]) for i in held for n in held[i])
    stepped(given), stepped(other)
    assert torch.equal(given["model"].weight, other["model"].weight)


def test_numbers_that_are_no_tensors_come_back(tmp_path: Path) -> None:
    """LBFGS keeps counts as plain numbers."""
    given = parts()
    given["optimiser"] = torch.optim.Adagrad(given["model"].parameters())
    index = next(iter(given["optimiser"].state))
    given["optimiser"].state[index]["count"] = 7
    checkpoint.save(tmp_path, checkpoint.State(), **given)
    other = parts()
    other["optimiser"] = torch.optim.Adagrad(other["model"].parameters())
    checkpoint.resume(tmp_path, **other)
    assert other["optimiser"].state_dict()["state"][0]["count"] == 7


def test_a_scaler_comes_back(tmp_path: Path) -> None:
    given, other = parts(), parts()
    given["scaler"] = torch.amp.GradScaler("cpu", init_scale=64.0)
    other["scaler"] = torch.amp.GradScaler("cpu")
    checkpoint.save(tmp_path, checkpoint.State(), **given)
    checkpoint.resume(tmp_path, **other)
    assert other["scaler"].get_scale() == 64.0


def test_no_checkpoint_is_a_fresh_start(tmp_path: Path) -> None:
    assert checkpoint.resume(tmp_path / "nothing", **parts()) is None


def test_broken_or_foreign_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / checkpoint.NAME
    checkpoint.save(tmp_path, checkpoint.State(), **parts())
    with pytest.raises(BadInput, match=r"another architecture: weight has shape \[3, 2\]"):
        checkpoint.resume(tmp_path, **parts(width=4))
    with pytest.raises(BadInput, match="seed was nothing there and is 1 now"):
        checkpoint.resume(tmp_path, **parts(agreed={"seed": "1"}))
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(BadInput, match="one cut short"):
        checkpoint.resume(tmp_path, **parts())
    weights.write(path, {"a": torch.ones(1)})
    with pytest.raises(BadInput, match="not the checkpoint of a training"):
        checkpoint.resume(tmp_path, **parts())
