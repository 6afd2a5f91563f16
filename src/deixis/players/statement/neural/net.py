"""What a model of statements is, and what is certain of one before it is trained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from deixis.players.statement.neural.inputs import Inputs
from deixis.players.statement.neural.looks import Shape
from deixis.players.statement.neural.sentences import Words, embedding
from deixis.training.loop import Loss
from deixis.training.recipe import Recipe

ANSWERS = "answers"
"""The stage in which a model learns from labels alone."""


@dataclass(frozen=True)
class Setting:
    """What a model is built for.

    Attributes:
        words: that it will know.
        shape: of what one view shows: boxes, channels, rows, columns.
        salient: whether the last channel says where centres of things are.
        vectors: a file of word vectors; None where they are learnt.
        width: of the vectors of a model that is read back; 0 for the model's own.
    """

    words: Words
    shape: Shape
    salient: bool = False
    vectors: Path | None = None
    width: int = 0

    def embedding(self, size: int) -> nn.Embedding:
        """Vectors of words: of the file, or learnt ones of this size."""
        return embedding(self.words, self.width or size, self.vectors)


class Net(nn.Module):
    """A model of statements: from a batch to the log-odds of true."""

    def forward(self, inputs: Inputs) -> Tensor:
        """Log-odds of true, shape (n,)."""
        raise NotImplementedError

    def loss(self, inputs: Inputs, stage: str) -> Loss:
        """The mean loss of a batch with labels, in one stage of the training."""
        assert inputs.labels is not None  # a training knows its labels
        return binary_cross_entropy_with_logits(self(inputs), inputs.labels)


@dataclass(frozen=True)
class Preset:
    """A size of a model and how it is trained.

    Attributes:
        make: builds the model for a setting.
        looks: what it sees: ``eye`` or ``named``, perhaps with ``:POOLED``; ``pixels``,
            ``nothing``, or ``backbone:STAGE:SIDE`` (features of the network named by ``--eye``).
        stages: the recipe of each stage of training, by name.
        batch: statements in a batch.
    """

    make: Callable[[Setting], Net]
    looks: str
    stages: Mapping[str, Recipe]
    batch: int = 64


def parameters(net: nn.Module) -> int:
    """How many numbers are learnt."""
    return sum(p.numel() for p in net.parameters() if p.requires_grad)


def mlp(sizes: list[int], activation: type[nn.Module] = nn.ReLU) -> nn.Sequential:
    """Linear layers with an activation between them.

    >>> parameters(mlp([3, 4, 1]))
    21
    """
    layers: list[Any] = []
    for inputs, outputs in pairwise(sizes):
        layers += [nn.Linear(inputs, outputs), activation()]
    return nn.Sequential(*layers[:-1])
