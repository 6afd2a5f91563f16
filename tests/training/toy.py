"""A small training that draws at random everywhere, for tests of the loop.

Run as a program it trains in a folder and kills itself: ``python toy.py FOLDER STEP WHERE``.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from deixis.training import weights
from deixis.training.batches import Batch, shuffled
from deixis.training.loop import Fitted, fit
from deixis.training.randomness import seeded
from deixis.training.recipe import Adam, Cosine, Recipe

EXAMPLES = 22
RECIPE = Recipe(
    epochs=5,
    seed=3,
    optimiser=Adam(lr=0.05, weight_decay=0.01, decoupled=True),
    schedule=Cosine(warmup=0.2),
    accumulate=2,
    clip_norm=1.0,
    every=2,
    device="cpu",
)


def examples() -> list[tuple[str, Tensor, Tensor]]:
    """Points near a line."""
    with seeded(0, "toy examples"):
        inputs = torch.randn(EXAMPLES, 4)
        targets = inputs @ torch.tensor([1.0, -2.0, 0.5, 0.0]) + 0.1 * torch.randn(EXAMPLES)
    return [(f"e{i}", inputs[i], targets[i]) for i in range(EXAMPLES)]


def network() -> nn.Module:
    """With dropout, so that the order of draws matters, and with buffers."""
    with seeded(1, "toy weights"):
        return nn.Sequential(
            nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Dropout(0.3), nn.Linear(8, 1)
        )


def batches(size: int = 4) -> Callable[[int], list[Batch[Any]]]:
    """Of the examples, in a new order every epoch."""
    return shuffled(examples(), size, seed=RECIPE.seed, name=lambda e: e[0])


def step_of(model: nn.Module) -> Callable[[Batch[Any]], Tensor]:
    """Squared error, with inputs jittered."""

    def step(batch: Batch[Any]) -> Tensor:
        inputs = torch.stack([x for _, x, _ in batch.items])
        targets = torch.stack([y for _, _, y in batch.items])
        noisy = inputs + 0.05 * torch.randn_like(inputs)
        return ((model(noisy)[:, 0] - targets) ** 2).mean()

    return step


def score_of(model: nn.Module) -> Callable[[], float]:
    """Minus the squared error on all examples."""
    inputs = torch.stack([x for _, x, _ in examples()])
    targets = torch.stack([y for _, _, y in examples()])
    return lambda: -float(((model(inputs)[:, 0] - targets) ** 2).mean())


def train(folder: Path | None, recipe: Recipe = RECIPE, **more: Any) -> tuple[nn.Module, Fitted]:
    """The toy, trained."""
    model = network()
    given = {"score": score_of(model)} | more
    step = given.pop("step", step_of(model))
    return model, fit(model, batches(), step, recipe, folder=folder, **given)


def main(folder: Path, last: int, where: str) -> None:
    """Train until step `last`, then be killed: in the step, or while a file is being written."""
    model = network()
    plain, made = step_of(model), 0
    rename = Path.replace

    def step(batch: Batch[Any]) -> Tensor:
        nonlocal made
        made += 1
        if where == "step" and made == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(batch)

    def replace(path: Path, target: Path) -> Path:
        if where == "write" and made >= last:
            os.kill(os.getpid(), signal.SIGKILL)
        return rename(path, target)

    Path.replace = replace  # type: ignore[method-assign]
    fit(model, batches(), step, RECIPE, score=score_of(model), folder=folder)
    print(weights.fingerprint(model.state_dict()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
