"""Optimisers and schedules against torch and formulas."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from deixis.errors import BadInput
from deixis.training.recipe import Adam, Constant, Cosine, Decay, Moment, Recipe


def test_cosine_goes_up_in_a_line_and_down_along_a_cosine() -> None:
    schedule = Cosine(warmup=1 / 30)
    for epoch in (0, 0.25, 0.5, 1):
        assert schedule(Moment(0, epoch / 30)) == pytest.approx(min(epoch, 1))
    for epoch in (1, 8, 15.5, 30):
        expected = 0.5 * (1 + math.cos(math.pi * (epoch - 1) / 29))
        assert schedule(Moment(0, epoch / 30)) == pytest.approx(expected)
    assert Cosine(floor=0.1)(Moment(0, 1.0)) == pytest.approx(0.1)
    assert Cosine()(Moment(0, 0.0)) == 1.0


def test_decay_has_the_published_halving() -> None:
    """Per-step decay from 1e-3 to 5e-5 takes 12,440 steps (Das et al. 2017, released code)."""
    schedule = Decay(0.9997592083, floor=0.05)
    assert schedule(Moment(12_439, 0)) > 0.05
    assert schedule(Moment(12_440, 0)) == pytest.approx(0.05, rel=1e-4)
    assert schedule(Moment(10**6, 0)) == 0.05
    assert Constant()(Moment(7, 0.3)) == 1.0


class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(2, 2)
        self.norm = nn.LayerNorm(2)
        self.head = nn.Linear(2, 2)
        self.frozen = nn.Linear(2, 2).requires_grad_(False)


def test_groups_of_parameters() -> None:
    made = Adam(
        lr=0.1,
        weight_decay=0.2,
        decoupled=True,
        undecayed=("bias", "norm"),
        faster=(("head.", 0.5),),
    )(Small())
    assert isinstance(made, torch.optim.AdamW)
    found = {
        (g["lr"], g["weight_decay"]): sum(p.numel() for p in g["params"]) for g in made.param_groups
    }
    assert found == {(0.1, 0.2): 4, (0.1, 0.0): 2 + 4, (0.5, 0.2): 4, (0.5, 0.0): 2}
    assert not isinstance(Adam()(Small()), torch.optim.AdamW)


def test_nothing_to_train() -> None:
    with pytest.raises(BadInput, match="nothing to train"):
        Adam()(nn.Linear(1, 1).requires_grad_(False))


def test_recipes_that_make_no_sense() -> None:
    with pytest.raises(BadInput, match="at least one epoch"):
        Recipe(0)
    with pytest.raises(BadInput, match="at least one batch"):
        Recipe(1, accumulate=0)
    with pytest.raises(BadInput, match="no precision 'int1'"):
        Recipe(1, precision="int1")


def test_what_must_agree_on_resumption() -> None:
    written = Recipe(3, schedule=Cosine(0.5)).written
    assert written["schedule"] == "Cosine(warmup=0.5, floor=0.0)"
    assert written["optimiser"].startswith("Adam(lr=0.001")
    assert not {"device", "every"} & set(written)
