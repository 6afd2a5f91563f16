"""Options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from deixis.errors import BadInput
from deixis.seeds import Seeds
from deixis.sources import Source, load
from deixis.tasks.make import make
from deixis.tasks.task import Task

Switch = Annotated[bool, Parameter(negative="")]
"""A flag without a negative form."""

Several = Annotated[tuple[str, ...], Parameter(negative="", consume_multiple=False)]
"""An option that may be repeated."""


@Parameter(name="*")
@dataclass(frozen=True)
class TaskOptions:
    """How a task is made from a source; options that a kind of task lacks are errors.

    Attributes:
        data: The dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        contexts: Reference games: controlled, published or random.
        k: Reference games: candidates in a context.
        context_seed: Seed of contexts and of the order of parts.
        per_target: Reference games: contexts for each target.
        template: Reference games: how whole and parts become one text, plain or published.
        direction: Reference games: text-to-picture or picture-to-text.
        text: Which texts the base condition keeps, such as whole or parts.
        black: Reference games: whether the base condition takes the colors away.
        permutations: Statements: first, or all drawings of the same pair of pictures.
        pool: Guessing games: all pictures, first:N, or hard:N (the nearest to each target).
        features: A file with a vector of each picture, where the dataset brings none.
        limit: Play the first N trials of a drawn order only.
    """

    data: Path | None = None
    contexts: str | None = None
    k: int | None = None
    context_seed: int = 0
    per_target: int | None = None
    template: str | None = None
    direction: str | None = None
    text: str | None = None
    black: Annotated[bool | None, Parameter(negative="--color")] = None
    permutations: str | None = None
    pool: str | None = None
    features: Path | None = None
    limit: int | None = None

    def task(self, source: str) -> Task:
        """Load the source and make its task."""
        return self._make(
            source, self._given("contexts", "k", "per_target", "permutations", "pool")
        )

    def training(self, source: str) -> Task:
        """The task to train on: the same base condition, contexts drawn by the default rules."""
        return self._make(source, {}, limited=False)

    def _make(self, source: str, own: dict[str, Any], limited: bool = True) -> Task:
        parsed = Source.parse(source)
        dataset = load(parsed, self.data, **self._given("features"))
        presets = [f"text={self.text}"] if self.text is not None else []
        if self.black is not None:
            presets.append("black" if self.black else "color")
        task = make(
            dataset,
            dataset.name + str(parsed).removeprefix(parsed.name)
            if parsed.is_table
            else str(parsed),
            seeds=Seeds(contexts=self.context_seed),
            presets=presets,
            **own,
            **self._given("template", "direction"),
        )
        if limited and self.limit is not None:
            if self.limit < 1:
                raise BadInput(f"--limit: expected at least 1, got {self.limit}")
            task = task.limit(self.limit)
        return task

    def _given(self, *names: str) -> dict[str, Any]:
        return {n: getattr(self, n) for n in names if getattr(self, n) is not None}


@Parameter(name="*")
@dataclass(frozen=True)
class PlayOptions:
    """How a task is played.

    Attributes:
        train_on: Where a learner learns, NAME:SPLIT[+SPLIT]; without it, it is cross-fitted.
        allow_overlap: Accept that training and test share this: records or pictures.
        seeds: How often each condition is played, with the next seeds of order and operators.
        engine: local, or process:N.
        out: The run's folder; a run that is there is gone on with.
    """

    train_on: str | None = None
    allow_overlap: Several = ()
    seeds: int = 1
    engine: str = "local"
    out: Path | None = None
