"""Contrastive fine-tuning: in each context, every text should prefer its own picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.protocols import Player
from deixis.players.reference.lessons import (
    GROUPS,
    Context,
    Lesson,
    augmented,
    controlled_contexts,
    lessons,
    random_contexts,
)
from deixis.progress import Progress, quiet
from deixis.seeds import digest, draw
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.training.batches import Batch, cut
from deixis.training.loop import Fitted, fit
from deixis.training.recipe import Adam, Cosine, Recipe
from deixis.trials import Direction

CONTEXTS = ("controlled", "random")
AUGMENT = ("none", "sampled", "all")
VALIDATION = ("disjoint", "shared")


@dataclass(frozen=True)
class Tuning:
    """How a matcher of texts and pictures is fine-tuned.

    Attributes:
        recipe: of the loop; its seed is the training seed.
        k: lessons in a context.
        contexts: ``controlled`` or ``random``, drawn anew every epoch.
        group: what the lessons of a controlled context share: ``parts`` or ``commas``.
        per_step: contexts whose mean loss makes a step.
        augment: ``none``, ``all`` subsets of parts, or one ``sampled`` subset every epoch.
        scale: of cosines at the start (two towers only); None keeps the checkpoint's.
        canvas: side at which pictures are drawn before the model's own resizing; None is the
            model's own.
        select: direction of the dev accuracy by which the best epoch is chosen.
        validation: where no dev task is given: ``disjoint`` keeps all lessons of some figures out
            of training, ``shared`` only the first of each of them, so that training sees the same
            pictures (in black) that it is validated on.
        validated: share of the figures that is validated on.
    """

    recipe: Recipe
    k: int = 10
    contexts: str = "controlled"
    group: str = "parts"
    per_step: int = 1
    augment: str = "none"
    scale: float | None = None
    canvas: int | None = None
    select: Direction = "text-to-picture"
    validation: str = "disjoint"
    validated: float = 0.2

    def __post_init__(self) -> None:
        """Check names."""
        for what, known in (
            ("contexts", CONTEXTS),
            ("group", tuple(GROUPS)),
            ("augment", AUGMENT),
            ("validation", VALIDATION),
        ):
            if getattr(self, what) not in known:
                raise BadInput(
                    f"--{what}: expected one of {', '.join(known)}, got {getattr(self, what)!r}"
                )


PUBLISHED_SCALE = 1 / 0.07
"""What KiloGram's CLIP multiplies cosines by, before and at the start of fine-tuning: its code
makes a new scale instead of taking the pre-trained one, which is 100."""

_CLIP = Tuning(
    Recipe(epochs=200, optimiser=Adam(lr=5e-8, weight_decay=1e-6), patience=50),
    scale=PUBLISHED_SCALE,
    canvas=224,
)
_VILT = Tuning(
    Recipe(
        epochs=30,
        optimiser=Adam(
            lr=1e-4,
            betas=(0.9, 0.98),
            weight_decay=0.01,
            decoupled=True,
            undecayed=("bias", "LayerNorm", "layernorm"),
        ),
        schedule=Cosine(warmup=1 / 30),
        patience=10,
    ),
    canvas=224,
)
_PUBLISHED: dict[str, Any] = {"group": "commas", "validation": "shared", "validated": 240 / 692}
_TINY = Recipe(epochs=30, optimiser=Adam(lr=2e-3, weight_decay=0.01), patience=6)

PRESETS: Mapping[str, Tuning] = {
    # As released with KiloGram (Ji et al., EMNLP 2022); its CLIP code takes rows for columns when
    # it validates, so the best epoch is chosen by picture to text.
    "clip-kilogram": replace(_CLIP, select="picture-to-text", **_PUBLISHED),
    "vilt-kilogram": replace(_VILT, **_PUBLISHED),
    # The same numbers; validated on other pictures, by text to picture, with parts counted.
    "clip-corrected": _CLIP,
    "vilt-corrected": _VILT,
    # For models of a few thousand weights.
    "tiny": Tuning(_TINY, per_step=16, scale=PUBLISHED_SCALE),
}
"""Published and other ways to fine-tune, by name."""


class Matcher(Protocol):
    """A model that compares texts with pictures."""

    @property
    def module(self) -> nn.Module:
        """What is trained."""

    def blocks(self, contexts: Sequence[Context]) -> Tensor:
        """Logits of each context's texts (rows) with its pictures (columns), shape (c, k, k)."""

    def player(self, revision: str | None = None) -> Player:
        """A player with the present weights; `revision` spares hashing them."""


@dataclass
class Tuner:
    """A learner: a pre-trained matcher and how to fine-tune it.

    Attributes:
        name: as the user named it.
        matcher: makes the matcher for a task, from the training seed.
        tuning: how.
        progress: told of batches.
    """

    name: str
    matcher: Callable[[Task, int], Matcher]
    tuning: Tuning
    quick: bool = False
    stochastic: bool = True
    progress: Progress = field(default=quiet, repr=False)

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Player:
        """Fine-tune on a task's lessons as its condition shows them.

        Raises:
            BadInput: no context can be filled.
        """
        return self.fitted(task, dev=dev, seed=seed, folder=folder)[0]

    def fitted(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> tuple[Player, Fitted]:
        """As `fit`, with what became of the training."""
        tuning = self.tuning
        if dev is None:
            task, dev = divide(task, tuning, seed)
        matcher = self.matcher(task, seed)
        recipe = replace(tuning.recipe, seed=seed)
        fitted = fit(
            matcher.module,
            batches(lessons(task), tuning, seed),
            lambda batch: contrastive(matcher.blocks(batch.items)),
            recipe,
            score=dev_score(matcher, dev, tuning.select),
            folder=folder,
            about=f"{self.name} on {task.name} {self._lessons(task)}",
            progress=self.progress,
            name=f"training {self.name}",
        )
        return matcher.player(), fitted

    def _lessons(self, task: Task) -> str:
        written = replace(self.tuning, recipe=Recipe(1))
        items = digest(*(t.item for t in task.trials))
        return f"{task.dataset.fingerprint} {items:x} {task.condition} {written}"


def contrastive(blocks: Tensor) -> Tensor:
    """Mean of the cross-entropies of rows and of columns, where the diagonal is right.

    Args:
        blocks: logits of c contexts, shape (c, k, k).

    >>> round(float(contrastive(torch.zeros(1, 10, 10)).exp()), 3)
    10.0
    """
    c, k, _ = blocks.shape
    right = torch.arange(k, device=blocks.device).repeat(c)
    rows = cross_entropy(blocks.reshape(c * k, k), right)
    columns = cross_entropy(blocks.transpose(1, 2).reshape(c * k, k), right)
    return (rows + columns) / 2


def batches(
    given: Sequence[Lesson], tuning: Tuning, seed: int
) -> Callable[[int], list[Batch[Context]]]:
    """Contexts of an epoch, a few to a batch, as the loop takes them.

    Raises:
        BadInput: (from the function) no context can be filled.
    """

    def epoch(number: int) -> list[Batch[Context]]:
        own = augmented(given, tuning.augment, seed, number)
        generator = draw(seed, "contexts", number)
        if tuning.contexts == "random":
            made = random_contexts(own, tuning.k, generator)
        else:
            made = controlled_contexts(own, tuning.k, generator, GROUPS[tuning.group])
        if not made:
            raise BadInput(f"no context of {tuning.k} can be filled from {len(own)} lessons")
        return cut(made, tuning.per_step, name=lambda c: "/".join(lesson.id for lesson in c))

    return epoch


def divide(task: Task, tuning: Tuning, seed: int) -> tuple[Task, Task]:
    """Training and validation parts of a task without a dev task, see `Tuning`.

    Raises:
        BadInput: there are too few figures to validate on.
    """
    first: dict[str, str] = {}
    figure_of = {t.item: t.clusters[0][1] for t in task.trials}
    for item, figure in figure_of.items():
        first.setdefault(figure, item)
    order = sorted(first, key=lambda f: digest(seed, "validation", f))
    k = int(task.options["k"])
    number = max(round(tuning.validated * len(first)), k + 2)
    chosen = set(order[:number])
    if len(first) - number < tuning.k:
        raise BadInput(
            f"{task.name}: {len(first)} figures are too few to train on some and validate on others"
        )
    if tuning.validation == "shared":
        held = {first[f] for f in chosen}
        return task.only(set(figure_of) - held), task.only(held)
    held = {i for i, f in figure_of.items() if f in chosen}
    return task.only(set(figure_of) - held), task.only(held)


def dev_score(matcher: Matcher, dev: Task, direction: Direction) -> Callable[[], float]:
    """The accuracy on a dev task in one direction, with the matcher's present weights."""
    turned = tuple(replace(t, direction=direction) for t in dev.trials)
    task = replace(dev, trials=turned)
    seen = views(task)

    def accuracy() -> float:
        player: Any = matcher.player(revision="in training")
        return float(score(task, player.reply(seen)).credit.mean())

    return accuracy
