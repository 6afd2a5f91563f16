"""Answering games: which of a hundred answers did a person give to this question about a picture?

One trial for each round whose options and human answer are known; the rounds before it are those of
people. Ranks of the human answer are what VisDial measures answerers by; where people judged all
options of a round, so is their discounted gain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deixis.dataset import Conversation, Dataset
from deixis.errors import BadInput
from deixis.seeds import Seeds
from deixis.stats.ranking import reciprocal
from deixis.tasks.guessing import GUESSING
from deixis.tasks.task import ORDER, Channel, Kind, Task
from deixis.trials import AnswerTrial, AnswerView, Dialog, Picture, Turn

DENSE = "dense"
"""The form of datasets in which people judged all options of some rounds."""


def answering(dataset: Dataset, name: str, seeds: Seeds) -> Task:
    """Make a trial of each round that has options.

    Args:
        dataset: conversations; its extras hold ``options`` and ``dense`` by record, see
            `deixis.datasets.visdial_answers`.
        name: what the task is called.
        seeds: of the draws.

    Raises:
        BadInput: no round has options.
    """
    trials: list[AnswerTrial] = []
    rounds = 0
    for one in dataset.records.values():
        rounds += len(one.dialog.turns)
        trials += _trials(dataset, one)
    if not trials:
        raise BadInput(f"{name}: no round has options to choose from")
    without = rounds - len(trials)
    dropped = {"rounds without options": without} if without else {}
    return Task("answering", name, dataset, tuple(trials), dropped, seeds=seeds)


def _trials(dataset: Dataset, one: Conversation) -> Iterator[AnswerTrial]:
    judged, relevance = dataset.extras["dense"].get(one.id, (0, ()))
    for number, turn in enumerate(one.dialog.turns, start=1):
        options = dataset.extras["options"].get((one.id, number))
        if options is None:
            continue
        texts, right = options
        if number == judged and len(relevance) != len(texts):
            raise BadInput(
                f"{dataset.name}: round {number} of dialog {one.id} has {len(texts)} options and "
                f"{len(relevance)} relevances"
            )
        before = one.dialog.turns[: number - 1]
        yield AnswerTrial(
            id=f"{one.id}@{number}",
            item=one.id,
            dialog=Dialog(one.dialog.caption, (*before, Turn(turn.question, ""))),
            image=dataset.store.picture(one.picture),
            options=texts,
            answer=right,
            clusters=(("picture", one.picture),),
            relevance=tuple(relevance) if number == judged else (),
            # Donors have as many rounds before the question.
            stratum=f"round {number}",
            others=tuple(one.others.items()),
        )


def different(one: AnswerTrial, other: AnswerTrial) -> bool:
    """Whether `other` may lend its values: a dialog about another picture."""
    return one.clusters[0] != other.clusters[0] and one.image != other.image


def chance(task: Task) -> float:
    """Mean expected reciprocal rank of a guess."""
    import numpy as np

    sizes = np.array([len(t.options) for t in task.trials], np.int64)
    return float(reciprocal((sizes + 1) / 2, sizes).mean())


def _answers(view: AnswerView) -> tuple[str, ...]:
    return tuple(t.answer for t in view.dialog.turns[:-1])


def _with_answers(view: AnswerView, values: tuple[str, ...]) -> AnswerView:
    *before, last = view.dialog.turns
    turns = (*(replace(t, answer=v) for t, v in zip(before, values, strict=True)), last)
    return replace(view, dialog=Dialog(view.dialog.caption, turns))


def _before(view: AnswerView) -> tuple[int, ...]:
    return tuple(range(1, len(view.dialog.turns)))


def _options(view: AnswerView) -> tuple[str, ...]:
    return view.options


def _with_options(view: AnswerView, values: tuple[str, ...]) -> AnswerView:
    return replace(view, options=values)


def _pictures(view: AnswerView) -> tuple[Picture, ...]:
    return (*view.before, view.image)


def _with_pictures(view: AnswerView, values: tuple[Picture, ...]) -> AnswerView:
    return replace(view, image=values[-1], before=values[:-1])


_SHARED = GUESSING.channels

_CHANNELS = {
    c.name: c
    for c in (
        _SHARED["caption"],
        _SHARED["question"],
        replace(_SHARED["answer"], get=_answers, put=_with_answers, rounds=_before),
        replace(
            _SHARED["image"],
            get=_pictures,
            put=_with_pictures,
            rounds=_SHARED["question"].rounds,
            reader=None,
        ),
        Channel("options", "text", _options, _with_options),
        Channel("order", ORDER, lambda view: (), lambda view, _: view, atoms=("options",)),
    )
}

_MEASURES = ("mrr", "accuracy", "top_5", "top_10", "mean_rank")

ANSWERING = Kind(
    "answering",
    _CHANNELS,
    different,
    measures=_MEASURES,
    presets={"text=questions": "caption=drop,answer=drop"},
    forms={DENSE: (*_MEASURES, "ndcg")},
    chance=chance,
)
