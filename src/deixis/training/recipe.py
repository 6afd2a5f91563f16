"""The numbers of a training, as values that can be printed and compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields

import torch
from torch import nn

from deixis.errors import BadInput, unknown

Optimiser = Callable[[nn.Module], torch.optim.Optimizer]
"""Makes the optimiser of a model. Its ``repr`` is compared when a training is resumed."""

Schedule = Callable[["Moment"], float]
"""The factor of the learning rate at a moment. Its ``repr`` is compared too."""

PRECISIONS = {"float32": "no", "bf16": "bf16", "fp16": "fp16"}
"""Number formats of matrix products, and what accelerate calls them."""


@dataclass(frozen=True, slots=True)
class Moment:
    """How far a training is.

    Attributes:
        step: steps made.
        share: of the whole training, 0 to 1.
    """

    step: int
    share: float


@dataclass(frozen=True, slots=True)
class Constant:
    """The same learning rate throughout."""

    def __call__(self, _: Moment) -> float:
        """1."""
        return 1.0


@dataclass(frozen=True, slots=True)
class Cosine:
    """Up in a line, then down along half a cosine.

    Attributes:
        warmup: share of the training that goes up; one epoch of thirty is 1/30.
        floor: factor at the end.
    """

    warmup: float = 0.0
    floor: float = 0.0

    def __call__(self, moment: Moment) -> float:
        """The factor.

        >>> [round(Cosine(warmup=0.5)(Moment(0, s)), 2) for s in (0.25, 0.5, 0.75, 1)]
        [0.5, 1.0, 0.5, 0.0]
        """
        if moment.share < self.warmup:
            return moment.share / self.warmup
        rest = (moment.share - self.warmup) / max(1 - self.warmup, 1e-12)
        return self.floor + (1 - self.floor) * 0.5 * (1 + math.cos(math.pi * min(rest, 1.0)))


@dataclass(frozen=True, slots=True)
class Decay:
    """Multiplied by `rate` at every step, never below `floor`.

    >>> Decay(0.5, floor=0.2)(Moment(2, 0.1)), Decay(0.5, floor=0.2)(Moment(9, 0.1))
    (0.25, 0.2)
    """

    rate: float
    floor: float = 0.0

    def __call__(self, moment: Moment) -> float:
        """The factor."""
        return float(max(self.rate**moment.step, self.floor))


@dataclass(frozen=True, slots=True)
class Adam:
    """Adam (Kingma and Ba, ICLR 2015), or AdamW (Loshchilov and Hutter, ICLR 2019).

    Attributes:
        lr: the learning rate.
        betas: of the running means.
        eps: added to the root of the second moment.
        weight_decay: on the weights; added to the gradient by Adam, apart from it by AdamW.
        decoupled: AdamW instead of Adam.
        undecayed: parameters whose names hold one of these have no weight decay.
        faster: other learning rates, by how names of parameters begin: ``(("head.", 1e-3),)``.
    """

    lr: float = 1e-3
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    weight_decay: float = 0.0
    decoupled: bool = False
    undecayed: tuple[str, ...] = ()
    faster: tuple[tuple[str, float], ...] = ()

    def __call__(self, model: nn.Module) -> torch.optim.Optimizer:
        """The optimiser of the parameters that need gradients."""
        groups: dict[tuple[float, float], list[nn.Parameter]] = {}
        for name, parameter in model.named_parameters():
            if parameter.requires_grad:
                rate = next((r for start, r in self.faster if name.startswith(start)), self.lr)
                decay = 0.0 if any(u in name for u in self.undecayed) else self.weight_decay
                groups.setdefault((rate, decay), []).append(parameter)
        if not groups:
            raise BadInput("there is nothing to train: no parameter needs a gradient")
        listed = [
            {"params": parameters, "lr": rate, "weight_decay": decay}
            for (rate, decay), parameters in groups.items()
        ]
        kind = torch.optim.AdamW if self.decoupled else torch.optim.Adam
        return kind(listed, lr=self.lr, betas=self.betas, eps=self.eps)


@dataclass(frozen=True)
class Recipe:
    """How to train.

    Attributes:
        epochs: at most so many.
        seed: of everything that the training draws.
        optimiser: makes the optimiser.
        schedule: factor of the learning rate.
        steps: at most so many; None leaves it to epochs.
        accumulate: batches whose mean gradient makes one step.
        clip_norm: longest gradient; longer ones are scaled down to it.
        clip_value: largest element of a gradient; larger ones are cut to it.
        clipped: names of the parameters to clip begin with one of these; empty for all.
        patience: epochs without a better score after which training stops; None never stops.
        growth: patience is multiplied by it whenever the score gets better.
        every: steps between checkpoints within an epoch; 0 for none but at its end.
        device: ``auto``, or a device's name such as ``cpu``, ``cuda`` or ``mps``.
        precision: ``float32``, ``bf16`` or ``fp16`` (mixed: weights stay float32).
    """

    epochs: int
    seed: int = 0
    optimiser: Optimiser = field(default_factory=Adam)
    schedule: Schedule = field(default_factory=Constant)
    steps: int | None = None
    accumulate: int = 1
    clip_norm: float | None = None
    clip_value: float | None = None
    clipped: tuple[str, ...] = ()
    patience: float | None = None
    growth: float = 1.0
    every: int = 0
    device: str = "auto"
    precision: str = "float32"

    def __post_init__(self) -> None:
        """Check ranges."""
        if self.epochs < 1 or self.accumulate < 1:
            raise BadInput(
                f"a training has at least one epoch and accumulates at least one batch, "
                f"got {self.epochs} and {self.accumulate}"
            )
        if self.precision not in PRECISIONS:
            raise unknown(f"there is no precision {self.precision!r}", self.precision, PRECISIONS)

    @property
    def written(self) -> dict[str, str]:
        """What must be the same when a training is resumed, by name."""
        free = ("every", "device")
        return {f.name: repr(getattr(self, f.name)) for f in fields(self) if f.name not in free}
