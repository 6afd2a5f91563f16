"""Statements: is the sentence true of the pair of pictures?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from deixis.dataset import Dataset, Statement, Store
from deixis.errors import BadInput
from deixis.pictures.scene import is_tower
from deixis.pictures.scenestore import SceneStore
from deixis.seeds import Seeds
from deixis.tasks.task import Channel, Kind, Task
from deixis.trials import NOTHING as NOTHING
from deixis.trials import Clusters, Picture, StatementTrial, StatementView

PERMUTATIONS = ("first", "all")


def statement(dataset: Dataset, name: str, seeds: Seeds, *, permutations: str = "first") -> Task:
    """Make one trial of each statement, or of each way in which its pictures are drawn.

    Args:
        dataset: statements, already selected by split.
        name: what the task is called.
        seeds: of the draws.
        permutations: ``first``, or ``all`` where the source draws a pair in several ways: then
            trials are named by their left picture, and a group is consistent only if all of its
            drawings are judged right.

    Raises:
        BadInput: the option is unknown, or there are no statements.
    """
    if permutations not in PERMUTATIONS:
        raise BadInput(f"--permutations: expected first or all, got {permutations!r}")
    trials = []
    for record in dataset.records.values():
        shown = record.pictures if permutations == "all" else record.pictures[:1]
        trials += [_trial(dataset, record, *pair, number=permutations == "all") for pair in shown]
    if not trials:
        raise BadInput(f"{name}: there are no statements")
    return Task(
        kind="statement",
        name=name,
        dataset=dataset,
        trials=tuple(trials),
        seeds=seeds,
        options={"permutations": permutations},
    )


def _trial(
    dataset: Dataset, record: Statement, left: str, right: str, *, number: bool
) -> StatementTrial:
    clusters: Clusters = (("set", record.set), ("pair", record.pair))
    if record.writer is not None:
        clusters += (("worker", record.writer),)
    return StatementTrial(
        id=left if number else record.id,
        item=record.id,
        sentence=record.sentence,
        left=dataset.store.picture(left),
        right=dataset.store.picture(right) if right else NOTHING,
        label=record.label,
        clusters=clusters,
        group=record.group,
        stratum=record.synset or _kind(dataset.store, left),
    )


def _kind(store: Store, name: str) -> str:
    """Donors of stacked blocks are stacks, donors of scattered things are scattered things."""
    if not isinstance(store, SceneStore):
        return ""
    return "tower" if is_tower(store.scene(name)) else "scatter"


def different(one: StatementTrial, other: StatementTrial) -> bool:
    """Whether `other` may lend values: another set, another sentence, none of the pictures."""
    return (
        one.clusters[0] != other.clusters[0]
        and one.sentence != other.sentence
        and _contents(one).isdisjoint(_contents(other))
    )


def _contents(trial: StatementTrial) -> set[str]:
    return {p.content or p.source for p in (trial.left, trial.right) if p is not NOTHING}


def _one(side: str) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    def get(view: StatementView) -> tuple[Picture, ...]:
        picture = getattr(view, side)
        return () if picture == NOTHING else (picture,)

    def put(view: StatementView, pictures: tuple[Picture, ...]) -> StatementView:
        changed: dict[str, Any] = dict(zip((side,), pictures, strict=False))
        return replace(view, **changed)

    return get, put


def _other(side: str) -> Callable[[StatementTrial, np.random.Generator], tuple[Picture, ...]]:
    def partners(trial: StatementTrial, _: np.random.Generator) -> tuple[Picture, ...]:
        if NOTHING in (trial.left, trial.right):
            raise BadInput("there is one picture only, so nothing to swap it with")
        return (getattr(trial, side),)

    return partners


def _sentence(view: StatementView) -> tuple[str]:
    return (view.sentence,)


def _with_sentence(view: StatementView, values: tuple[str, ...]) -> StatementView:
    return replace(view, sentence=values[0])


def _both(view: StatementView) -> tuple[Picture, ...]:
    return tuple(p for p in (view.left, view.right) if p != NOTHING)


def _with_both(view: StatementView, pictures: tuple[Picture, ...]) -> StatementView:
    return replace(view, left=pictures[0], right=[*pictures, NOTHING][1])


def _exchanged(trial: StatementTrial, generator: np.random.Generator) -> tuple[Picture, ...]:
    return (*_other("right")(trial, generator), *_other("left")(trial, generator))


_CHANNELS = {
    c.name: c
    for c in (
        Channel("sentence", "text", _sentence, _with_sentence),
        Channel("left", "image", *_one("left"), partners=_other("right")),
        Channel("right", "image", *_one("right"), partners=_other("left")),
        Channel("image", "image", _both, _with_both, atoms=("left", "right"), partners=_exchanged),
    )
}

STATEMENT = Kind(
    "statement",
    _CHANNELS,
    different,
    measures=("accuracy", "consistency"),
    labels=lambda task: [t.answer for t in task.trials],
)
