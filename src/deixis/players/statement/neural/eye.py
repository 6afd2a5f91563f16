"""An eye for boxes: a small convolutional network, pre-trained to name what is where.

It stands where the papers have a ResNet trained on ImageNet: its features are computed once for
each picture and kept, and what is learnt on top of them learns in minutes. `train` makes it anew
from drawn scenes; the weights beside this file are what ``scripts/eye`` wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from deixis.pictures.scene import COLORS, SHAPES, SIDE, SIZES, Thing, draw_scene
from deixis.progress import Progress, quiet
from deixis.seeds import draw
from deixis.training import weights
from deixis.training.loop import Fitted, fit
from deixis.training.randomness import seeded
from deixis.training.recipe import Adam, Cosine, Recipe
from deixis.worlds.scenes.placing import random_scene

STRIDE = 8
"""Pixels between cells of features; no two things of a box have their centres in one cell."""

CELLS = -(-SIDE // STRIDE)
"""Cells across a box."""

FILE = Path(__file__).with_name("eye.safetensors")
"""The pre-trained weights."""

RECIPE = Recipe(epochs=12, optimiser=Adam(lr=4e-3), schedule=Cosine(warmup=0.05), clip_norm=5.0)

_NAMES = (("color", tuple(COLORS)), ("shape", SHAPES), ("size", SIZES))


NAMED = sum(len(values) for _, values in _NAMES) + 3
"""Channels of what it names: colors, shapes, sizes, place in a cell, and whether there is one."""


class Eye(nn.Module):
    """Five convolutions, and what names the thing whose centre is in a cell."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.width = width
        self.trunk = nn.Sequential(
            *_layer(3, 16, 5, 2),
            *_layer(16, 32, 3, 2),
            *_layer(32, 32, 3, 1),
            *_layer(32, width, 3, 2),
            *_layer(width, width, 3, 1),
        )
        self.there = nn.Conv2d(width, 1, 1)
        self.named = nn.ModuleDict({n: nn.Conv2d(width, len(v), 1) for n, v in _NAMES})
        self.place = nn.Conv2d(width, 2, 1)

    def forward(self, boxes: Tensor) -> Tensor:
        """Features of boxes.

        Args:
            boxes: uint8 pixels, shape (n, 3, SIDE, SIDE).

        Returns:
            Shape (n, width, CELLS, CELLS), at least 0.
        """
        found: Tensor = self.trunk(boxes.float() / 127.5 - 1)
        return found

    def name(self, boxes: Tensor) -> Tensor:
        """What is where: chances of names and the centre's place, times that of a centre.

        Args:
            boxes: as in `forward`.

        Returns:
            Shape (n, NAMED, CELLS, CELLS); the last channel is the chance of a centre.
        """
        features = self(boxes)
        there = self.there(features).sigmoid()
        named = [self.named[n](features).softmax(1) for n, _ in _NAMES]
        return torch.cat([torch.cat([*named, self.place(features)], dim=1) * there, there], dim=1)


def _layer(inputs: int, outputs: int, size: int, stride: int) -> list[nn.Module]:
    convolution = nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False)
    return [convolution, nn.BatchNorm2d(outputs), nn.ReLU()]


@cache
def pretrained() -> Eye:
    """The eye that comes with this package, in evaluation mode."""
    tensors, _ = weights.read(FILE)
    eye = Eye()
    weights.load(eye, tensors, FILE)
    return eye.eval().requires_grad_(False)


@dataclass(frozen=True)
class Drawn:
    """Boxes and what is in them.

    Attributes:
        ids: names of the boxes.
        pixels: shape (n, 3, SIDE, SIDE), uint8.
        things: of each box.
    """

    ids: tuple[str, ...]
    pixels: Tensor
    things: tuple[tuple[Thing, ...], ...]


class Boxes(Sequence[Drawn]):
    """Batches of one epoch, drawn when they are asked for."""

    def __init__(self, seed: int, epoch: int, batches: int, size: int) -> None:
        self.seed, self.epoch, self.batches, self.size = seed, epoch, batches, size

    def __len__(self) -> int:
        return self.batches

    def __getitem__(self, number: int) -> Drawn:  # type: ignore[override]
        if not 0 <= number < self.batches:
            raise IndexError(number)
        generator = draw(self.seed, "eye", self.epoch, number)
        things = tuple(_box(generator) for _ in range(self.size))
        pixels = np.stack([draw_scene((box,)) if box else _empty(generator) for box in things])
        ids = tuple(f"{self.epoch}-{number}-{i}" for i in range(self.size))
        return Drawn(ids, torch.from_numpy(pixels).permute(0, 3, 1, 2).contiguous(), things)


def _box(generator: np.random.Generator) -> tuple[Thing, ...]:
    """Scattered things, stacked blocks as in NLVR, or nothing."""
    kind = generator.random()
    if kind < 0.03:
        return ()
    if kind > 0.75:
        heights = (80, 59, 38, 17)[: int(generator.integers(1, 5))]
        colors = generator.choice(list(COLORS), len(heights))
        return tuple(
            Thing(y, 40, 20, "square", str(c)) for y, c in zip(heights, colors, strict=True)
        )
    return random_scene(generator, 1)[0]


def _empty(generator: np.random.Generator) -> NDArray[np.uint8]:
    """A picture that shows no thing: blank, or noise."""
    if generator.random() < 0.5:
        return np.full((SIDE, SIDE, 3), 255, np.uint8)
    return generator.integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)


def loss(eye: Eye, drawn: Drawn) -> tuple[Tensor, dict[str, float]]:
    """Where centres are, and what they are centres of.

    Returns:
        The mean over cells and names; and the share of things named right in everything.
    """
    features = eye(drawn.pixels)
    rows = [(n, t) for n, box in enumerate(drawn.things) for t in box]
    box = torch.tensor([n for n, _ in rows])
    centres = torch.tensor([(t.y + t.size / 2, t.x + t.size / 2) for _, t in rows]) / STRIDE
    y, x = centres.long().T
    there = torch.zeros(len(drawn.things), CELLS, CELLS)
    there[box, y, x] = 1
    total = 10 * binary_cross_entropy_with_logits(eye.there(features)[:, 0], there)
    right = torch.ones(len(rows), dtype=torch.bool)
    for name, values in _NAMES:
        said = eye.named[name](features)[box, :, y, x]
        wanted = torch.tensor([values.index(getattr(t, name)) for _, t in rows])
        total = total + cross_entropy(said, wanted)
        right &= said.argmax(1) == wanted
    inside = eye.place(features)[box, :, y, x] - (centres - centres.floor())
    return total + 4 * inside.square().mean(), {"right": float(right.float().mean())}


def train(
    seed: int = 0,
    recipe: Recipe = RECIPE,
    *,
    batches: int = 60,
    size: int = 48,
    progress: Progress = quiet,
) -> tuple[Eye, Fitted]:
    """Train an eye on drawn boxes.

    Args:
        seed: of weights and scenes.
        recipe: of the loop.
        batches: in an epoch; every epoch draws new ones.
        size: boxes in a batch.
        progress: told of batches.
    """
    with seeded(seed, "weights"):
        eye = Eye()
    fitted = fit(
        eye,
        lambda epoch: Boxes(seed, epoch, batches, size),
        lambda drawn: loss(eye, drawn),
        recipe,
        progress=progress,
        name="training the eye",
    )
    return eye, fitted
