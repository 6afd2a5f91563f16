"""What KiloGram's Figures 9 and 10 compare: conditions, states of training, players, tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deixis.dataset import Dataset
from deixis.seeds import Seeds
from deixis.tasks.make import make
from deixis.tasks.task import Task

CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "whole+black": ("parts=drop", "color=drop"),
    "parts+black": ("color=drop",),
    "whole+color": ("parts=drop",),
    "parts+color": (),
}
"""The four conditions as what each takes away, in the order of the figure."""

RICHEST = "parts+color"
"""The condition in which everything is seen, and which augmented training is played in."""

STATES = ("zero-shot", "fine-tuned", "augmented")

HUMAN: Mapping[str, tuple[float, ...]] = {RICHEST: (0.525, 0.838)}
"""Mean accuracy of the two groups of people that the paper finds, where it prints them."""


@dataclass(frozen=True)
class Exam:
    """Games that are played, and who may have learnt from what before.

    Attributes:
        name: as the table shows it.
        split: of the dataset; empty for all of it.
        contexts: as the task takes them.
        per_target: contexts for each target.
        conditions: which are played: only those that the source can show.
        limit: play so many trials of a drawn order; None plays all.
        folds: cross-fit by tangram in so many folds; 0 takes players trained on the design's own
            training split.
    """

    name: str
    split: str
    contexts: str = "controlled"
    per_target: int = 1
    conditions: tuple[str, ...] = tuple(CONDITIONS)
    limit: int | None = None
    folds: int = 0


@dataclass(frozen=True)
class Entrant:
    """A player of the table.

    Attributes:
        name: as the table shows it.
        player: the part's name, such as ``clip``.
        argument: a folder or a name on the hub; empty for a player without.
        untrained: options as it is before any fine-tuning; None if it must be trained.
        trained: options that make a learner of it.
    """

    name: str
    player: str
    argument: str = ""
    untrained: Mapping[str, str] | None = None
    trained: Mapping[str, str] = field(default_factory=dict)

    @property
    def spec(self) -> str:
        """What ``--player`` would say."""
        return f"{self.player}:{self.argument}" if self.argument else self.player

    @property
    def states(self) -> tuple[str, ...]:
        """The states it can be in."""
        return STATES if self.untrained is not None else STATES[1:]


@dataclass(frozen=True)
class Design:
    """The whole of a table.

    Attributes:
        source: of the dataset.
        train: the split to learn from; empty for all of it.
        validation: the split whose published contexts choose the best epoch; None leaves that to
            each learner.
        apart: whether the pictures of the validation are kept out of training; as published only
            its own records are.
        tests: the table's tests.
        curve: the test of Figure 10, made of subsets of parts.
        entrants: the players.
        augment: ``all`` subsets of parts in augmented training, or one ``sampled`` every epoch.
        template: how whole and parts become one text.
        k: candidates in a context.
        seeds: training runs; their product is an ensemble.
        lessons: contexts in training, ``controlled`` or ``random``.
    """

    source: str
    train: str
    validation: str | None
    tests: tuple[Exam, ...]
    curve: Exam
    entrants: tuple[Entrant, ...]
    apart: bool = False
    augment: str = "all"
    template: str = "plain"
    k: int = 10
    seeds: int = 1
    lessons: str = "controlled"

    def games(self, dataset: Dataset, test: Exam) -> Task:
        """The games of a test, with everything to be seen."""
        made = self._make(dataset, test.split, test.contexts, per_target=test.per_target)
        return made.limit(test.limit) if test.limit is not None else made

    def training(self, dataset: Dataset) -> Task:
        """What is learnt from, without the validation's own records, or without its pictures."""
        made = self._make(dataset, self.train, self.lessons)
        if self.validation is None:
            return made
        held = set(dataset.select(self.validation).records)
        if self.apart:
            pictures = {dataset.records[i].picture for i in held}
            held = {i for i, r in made.dataset.records.items() if r.picture in pictures}
        return made.only(set(made.dataset.records) - held)

    def development(self, dataset: Dataset) -> Task | None:
        """What the best epoch is chosen by; None leaves that to each learner."""
        if self.validation is None:
            return None
        return self._make(dataset, self.validation, "published")

    def _make(self, dataset: Dataset, split: str, contexts: str, per_target: int = 1) -> Task:
        own = dataset.select(split) if split else dataset
        name = f"{dataset.name}:{split}" if split else dataset.name
        drawn: dict[str, Any] = (
            {} if contexts == "published" else {"k": self.k, "per_target": per_target}
        )
        return make(own, name, seeds=Seeds(), contexts=contexts, template=self.template, **drawn)
