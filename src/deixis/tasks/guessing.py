"""Guessing games: which picture of a pool is the dialog about?

The pool is ranked after the caption (round 0) and after every round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from deixis.dataset import Conversation, Dataset
from deixis.errors import BadInput, unknown
from deixis.seeds import Seeds
from deixis.stats.percentile import percentile
from deixis.tasks.pools import PoolOf, pools
from deixis.tasks.task import Channel, Kind, Task
from deixis.trials import Dialog, GuessTrial, GuessView, Picture, Turn


def guessing(dataset: Dataset, name: str, seeds: Seeds, *, pool: str = "all") -> Task:
    """Make guessing games of a dataset's conversations.

    Args:
        dataset: conversations, already selected by split.
        name: what the task is called.
        seeds: draws nothing here.
        pool: ``all`` pictures of the dataset; ``first:N``, the first N pictures and the dialogs
            about them; ``hard:N``, for each target the N - 1 pictures nearest to it, and itself.

    Raises:
        BadInput: the pool cannot be made.
    """
    dataset, pool_of = pools(dataset, pool)
    trials = tuple(_trial(c, pool_of) for c in dataset.records.values())
    if not trials:
        raise BadInput(f"{name}: there are no dialogs")
    return Task("guessing", name, dataset, trials, seeds=seeds, options={"pool": pool})


def told(task: Task) -> dict[str, Any]:
    """The pool's name and size, and how far a player gets that ranks it the same for all dialogs.

    `fixed_ranking` is the mean percentile rank of the best such ranking: pictures by how often they
    are the target where they stand in the pool. It is 50 where all are targets equally often.
    """
    sizes = Counter(len(t.pool.pictures) for t in task.trials)
    made = {"name": task.options["pool"], "size": sizes.most_common(1)[0][0]}
    return {**made, "fixed_ranking": fixed_ranking(task)}


def fixed_ranking(task: Task) -> float:
    """Mean percentile rank of the best fixed ranking, see `told`."""
    wanted = Counter(t.image.key for t in task.trials)
    holders = Counter(id(t.pool) for t in task.trials)
    distinct = {id(t.pool): t.pool for t in task.trials}
    offered: Counter[str] = Counter()
    for key, pool in distinct.items():
        for picture in pool.pictures:
            offered[picture.key] += holders[key]
    rank_of = {key: _ranks(pool.pictures, wanted, offered) for key, pool in distinct.items()}
    ranks = np.array([rank_of[id(t.pool)][t.answer] for t in task.trials])
    sizes = np.array([len(t.pool.pictures) for t in task.trials])
    return float(percentile(ranks, sizes).mean())


def _ranks(
    pictures: tuple[Picture, ...], wanted: Mapping[str, int], offered: Mapping[str, int]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Mid-ranks of pictures by the share of their appearances in which they are the target."""
    shares = np.array([wanted.get(p.key, 0) / offered[p.key] for p in pictures])
    _, codes, counts = np.unique(-shares, return_inverse=True, return_counts=True)
    before = np.cumsum(counts) - counts
    return np.asarray((1 + before + (counts - 1) / 2)[codes])


def different(one: GuessTrial, other: GuessTrial) -> bool:
    """Whether `other` may lend its values: a dialog about another picture, and other words."""
    return one.image.content != other.image.content and one.dialog.caption != other.dialog.caption


def _trial(conversation: Conversation, pool_of: PoolOf) -> GuessTrial:
    pool, answer = pool_of(conversation.picture)
    return GuessTrial(
        id=conversation.id,
        item=conversation.id,
        dialog=conversation.dialog,
        pool=pool,
        answer=answer,
        clusters=(("picture", conversation.picture),),
        others=tuple(conversation.others.items()),
    )


def _view(trial: GuessTrial, reader: str) -> GuessView:
    view = trial.view()
    if reader != "answerer":
        return view
    return replace(view, image=trial.image, before=(trial.image,) * (len(view.dialog.turns) - 1))


def _caption(view: GuessView) -> tuple[str, ...]:
    return (view.dialog.caption,)


def _with_caption(view: GuessView, values: tuple[str, ...]) -> GuessView:
    return replace(view, dialog=Dialog(values[0], view.dialog.turns))


def _turns(field: str) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    def get(view: GuessView) -> tuple[str, ...]:
        return tuple(getattr(t, field) for t in view.dialog.turns)

    def put(view: GuessView, values: tuple[str, ...]) -> GuessView:
        pairs = zip(view.dialog.turns, values, strict=True)
        turns: tuple[Turn, ...] = tuple(replace(t, **{field: v}) for t, v in pairs)
        return replace(view, dialog=Dialog(view.dialog.caption, turns))

    return get, put


def _rounds(view: GuessView) -> tuple[int, ...]:
    return tuple(range(1, 1 + len(view.dialog.turns)))


def _answers_of(trial: GuessTrial, source: str) -> tuple[str, ...]:
    found = dict(trial.others)
    if source not in found:
        raise unknown(f"nobody named {source!r} answered dialog {trial.id} too", source, found)
    return found[source]


def _image(view: GuessView) -> tuple[Picture, ...]:
    return () if view.image is None else (*view.before, view.image)


def _looks(view: GuessView) -> tuple[int, ...]:
    """The rounds in which the picture is looked at."""
    last, shown = len(view.dialog.turns), len(_image(view))
    return tuple(range(last - shown + 1, last + 1))


def _with_image(view: GuessView, values: tuple[Picture, ...]) -> GuessView:
    return replace(view, image=values[-1], before=values[:-1]) if values else view


_CHANNELS = {
    c.name: c
    for c in (
        Channel("caption", "text", _caption, _with_caption, rounds=lambda view: (0,)),
        Channel("question", "text", *_turns("question"), rounds=_rounds),
        Channel("answer", "text", *_turns("answer"), rounds=_rounds, others=_answers_of),
        Channel(
            "image",
            "image",
            _image,
            _with_image,
            rounds=_looks,
            reader="answerer",
        ),
    )
}

GUESSING = Kind(
    "guessing",
    _CHANNELS,
    different,
    measures=("percentile_rank", "recall_at_1", "recall_at_5", "recall_at_10", "median_rank"),
    readers=("guesser", "questioner", "answerer"),
    presets={
        "text=caption": "question=drop,answer=drop",
        "text=caption+dialog": "",
        "text=dialog": "caption=drop",
        "text=questions": "caption=drop,answer=drop",
        "text=answers": "caption=drop,question=drop",
    },
    view=_view,
    whole={"pool": "all"},
    pool=told,
    chance=lambda task: 50.0,
)
