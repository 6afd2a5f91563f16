"""Choices: which option answers the prompt about the pictures?

Any benchmark of multiple choice, true and false, retrieval from a few candidates, or of
Winoground's form is of this kind. Options are texts or pictures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from deixis.dataset import Choice, Dataset
from deixis.errors import BadInput, unknown
from deixis.seeds import Seeds
from deixis.tasks.task import ORDER, Channel, Kind, Task
from deixis.trials import NOTHING, ChoiceTrial, ChoiceView, Picture

GROUPS, RETRIEVAL, WINOGROUND = "groups", "retrieval", "winoground"
"""Forms of datasets that are measured in their own way; the extra ``form`` of a dataset."""


def choice(dataset: Dataset, name: str, seeds: Seeds) -> Task:
    """Make one trial of each question.

    Args:
        dataset: of choices, already selected by split.
        name: what the task is called.
        seeds: of the draws.

    Raises:
        BadInput: there are no questions.
    """
    trials = tuple(_trial(dataset, record) for record in dataset.records.values())
    if not trials:
        raise BadInput(f"{name}: there are no questions")
    return Task("choice", name, dataset, trials, seeds=seeds)


def _trial(dataset: Dataset, record: Choice) -> ChoiceTrial:
    picture = dataset.store.picture
    options = tuple(map(picture, record.options)) if record.pictured else record.options
    # Donors have as many pictures and options, where there are any such.
    size = f"{len(record.pictures)} pictures, {len(options)} options"
    grouped = dataset.extras.get("form") in (GROUPS, WINOGROUND)
    return ChoiceTrial(
        id=record.id,
        item=record.id,
        prompt=record.prompt,
        images=tuple(map(picture, record.pictures)),
        options=options,
        answer=record.answer,
        clusters=(record.cluster,),
        group=record.group or record.id if grouped else None,
        stratum=record.stratum or size,
        others=tuple(record.others.items()),
    )


def different(one: ChoiceTrial, other: ChoiceTrial) -> bool:
    """Whether `other` may lend values: of another cluster, about none of the same pictures.

    Prompts may be equal: many benchmarks ask the same of every picture.
    """
    return (
        one.clusters[0] != other.clusters[0]
        and bool(one.images) == bool(other.images)
        and _own(one).isdisjoint(_own(other))
    )


def _own(trial: ChoiceTrial) -> set[str]:
    """Contents of the pictures that a trial is about; wrong candidates may be anybody's."""
    right = trial.options[trial.answer]
    shown = (*trial.images, *((right,) if isinstance(right, Picture) else ()))
    return {p.content or p.source for p in shown}


def label(trial: ChoiceTrial) -> str:
    """What names the right option: its text in lower case, or its picture's content."""
    option = trial.options[trial.answer]
    if isinstance(option, Picture):
        return option.content or option.source
    return option.strip().lower()


def labels(task: Task) -> Sequence[str] | None:
    """The label of each answer, where all trials have the same options; else None."""
    sets = {frozenset(o.strip().lower() if isinstance(o, str) else o.key for o in t.options)
            for t in task.trials}  # fmt: skip
    return [label(t) for t in task.trials] if len(sets) == 1 else None


def chance(task: Task) -> float:
    """Mean credit of a guess; of Winoground's form, of a guess at every question of a group."""
    guesses = task.chances.tolist()
    if task.dataset.extras.get("form") != WINOGROUND:
        return math.fsum(guesses) / len(guesses)
    products: dict[str, float] = {}
    for trial, credit in zip(task.trials, guesses, strict=True):
        products[trial.group] = products.get(trial.group, 1.0) * credit
    return math.fsum(products.values()) / len(products)


def _prompt(view: ChoiceView) -> tuple[str]:
    return (view.prompt,)


def _with_prompt(view: ChoiceView, values: tuple[str, ...]) -> ChoiceView:
    return replace(view, prompt=values[0])


def _reworded(trial: ChoiceTrial, source: str) -> tuple[str]:
    found = dict(trial.others)
    if source not in found:
        raise unknown(f"nobody named {source!r} worded {trial.id} anew", source, found)
    return (found[source],)


def _images(view: ChoiceView) -> tuple[Picture, ...]:
    return view.images


def _with_images(view: ChoiceView, values: tuple[Picture, ...]) -> ChoiceView:
    return replace(view, images=tuple(p for p in values if p != NOTHING))


def _options(kind: type) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    """The options of one type; those of the other keep their places."""

    def get(view: ChoiceView) -> tuple[Any, ...]:
        return tuple(o for o in view.options if isinstance(o, kind))

    def put(view: ChoiceView, values: tuple[Any, ...]) -> ChoiceView:
        new = iter(values)
        options = tuple(next(new) if isinstance(o, kind) else o for o in view.options)
        return replace(view, options=options)

    return get, put


def _no_values(_: Any) -> tuple[Any, ...]:
    return ()


def _unchanged(view: ChoiceView, _: tuple[Any, ...]) -> ChoiceView:
    return view


_CHANNELS = {
    c.name: c
    for c in (
        Channel("prompt", "text", _prompt, _with_prompt, others=_reworded),
        Channel("image", "picture", _images, _with_images),
        Channel("options", "text", *_options(str)),
        Channel("candidates", "image", *_options(Picture)),
        Channel("order", ORDER, _no_values, _unchanged, atoms=("options", "candidates")),
    )
}

CHOICE = Kind(
    "choice",
    _CHANNELS,
    different,
    measures=("accuracy",),
    presets={
        "text=options": "prompt=drop,image=drop",
        "text=question": "image=drop,options=blank",
        "text=question+options": "image=drop",
    },
    forms={
        GROUPS: ("accuracy", "consistency"),
        RETRIEVAL: ("accuracy", "top_5", "top_10"),
        WINOGROUND: ("group_score", "text_score", "image_score", "accuracy"),
    },
    relations={
        "same-answer": lambda one, other: label(one) == label(other),
        "other-answer": lambda one, other: label(one) != label(other),
    },
    chance=chance,
    labels=labels,
)
