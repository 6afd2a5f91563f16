"""From the name of a player to a player that may honestly play a task."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args, get_type_hints

from deixis import registry
from deixis.errors import BadInput, unknown
from deixis.players.common.crossfit import CrossFit, deal, folds_of
from deixis.players.common.saved import Lessons, Saved
from deixis.players.protocols import Learner, Player, Telling
from deixis.progress import Progress as Progress
from deixis.progress import quiet as quiet
from deixis.tasks.task import Task

OVERLAPS = ("records", "pictures")
"""What training and test may share."""

FOLDS = 5
"""Into how many folds clusters are dealt where a learner has no training task."""


def build(spec: str, task: Task, **options: Any) -> Player | Learner:
    """The player or learner of a name.

    Args:
        spec: ``NAME[:ARGUMENT]``, split at the first colon.
        task: what it will play.
        options: the player's own.

    Raises:
        BadInput: there is no such player for this kind of task, or it lacks such an option.
    """
    name, _, argument = spec.partition(":")
    builder = registry.find("players", name, task.kind)
    known = options_of(builder)
    for option in options:
        if option not in known:
            written, *others = (f"--{o.replace('_', '-')}" for o in (option, *known))
            raise unknown(f"{written} is no option of the player {name!r}", written, others)
    made: Player | Learner = builder(argument, task, **options)
    return made


def options_of(builder: Any) -> list[str]:
    """Names of a builder's own options; those of a list that several builders share included."""
    # The first two parameters are the argument and the task.
    own = list(inspect.signature(builder).parameters.values())[2:]
    names = [p.name for p in own if p.kind is not p.VAR_KEYWORD]
    if len(names) == len(own):
        return names
    hints = get_type_hints(builder if inspect.isroutine(builder) else builder.__call__)
    (shared,) = get_args(hints[own[-1].name])
    return [*names, *get_type_hints(shared)]


def prepare(
    made: Player | Learner,
    task: Task,
    *,
    train: Task | None = None,
    dev: Task | None = None,
    seed: int = 0,
    folds: int = FOLDS,
    folder: Path | None = None,
    allow: tuple[str, ...] = (),
    progress: Progress = quiet,
) -> Player:
    """A player that has not been trained on what it will play.

    A learner with a training task is fitted on it once; without one it is cross-fitted by the
    task's primary cluster: each trial is played by a player trained on records of other clusters
    only, in contexts drawn from those alone.

    Args:
        made: from `build`.
        task: what will be played.
        train: what a learner learns from.
        dev: what it stops by.
        seed: the training seed.
        folds: into how many folds clusters are dealt where there is no training task.
        folder: where checkpoints may be kept.
        allow: kinds of overlap between training and test to accept: ``pictures``, ``records``.
        progress: told of each fold.

    Raises:
        BadInput: training for a player that does not train, or training and test overlap.
    """
    if not isinstance(made, Learner):
        if train is not None:
            raise BadInput(f"the player {made.name!r} does not train; leave out --train-on")
        if isinstance(made, Saved):
            _refuse_overlap(made.lessons, task, allow)
        return made
    if isinstance(made, Telling):
        made.progress = progress
    if train is not None:
        check_overlap(train, task, allow)
        progress(f"training {made.name}", 0, 1)
        player = made.fit(train, dev=dev, seed=seed, folder=folder)
        progress(f"training {made.name}", 1, 1)
        return player
    return _cross_fit(made, task, seed, folds, folder, progress)


def check_overlap(train: Task, test: Task, allow: tuple[str, ...] = ()) -> None:
    """Refuse records or pictures that stand both in training and in test, unless allowed.

    Raises:
        BadInput: they overlap; the message names one.
    """
    _refuse_overlap(lessons(train), test, allow)


def lessons(train: Task) -> Lessons:
    """What is learnt from a task: its records and pictures."""
    records = frozenset(t.item for t in train.trials)
    return Lessons(train.name, records, frozenset(sources(train)))


def overlap(learnt: Lessons, test: Task, what: Sequence[str] = OVERLAPS) -> str:
    """Which records or pictures of a task were learnt from, in words; empty if none.

    Args:
        learnt: what a player was trained on.
        test: what it would play.
        what: of `OVERLAPS`, what to look for.
    """
    shared = {
        "records": learnt.records & {t.item for t in test.trials},
        "pictures": learnt.pictures & sources(test),
    }
    for kind in what:
        if common := shared[kind]:
            return (
                f"{learnt.source} and {test.name} share {len(common)} {kind}, {min(common)} among "
                "them"
            )
    return ""


def _refuse_overlap(learnt: Lessons, test: Task, allow: tuple[str, ...]) -> None:
    for what in allow:
        if what not in OVERLAPS:
            raise BadInput(f"--allow-overlap: expected {' or '.join(OVERLAPS)}, got {what!r}")
    for what in OVERLAPS:
        if what not in allow and (shared := overlap(learnt, test, [what])):
            raise BadInput(
                f"{shared}; to train and test on them all the same, say --allow-overlap {what}"
            )


def sources(task: Task) -> set[str]:
    """Names of all pictures that the task's trials show."""
    found = set()
    for trial in task.trials:
        view = trial.view()
        for channel in task.channels.values():
            found |= {v.source for v in channel.get(view) if hasattr(v, "source")}
    return found


def _cross_fit(
    learner: Learner,
    task: Task,
    seed: int,
    folds: int,
    folder: Path | None,
    progress: Progress,
) -> CrossFit:
    dealt = deal(task, folds, seed)
    if len(dealt) < 2:
        raise BadInput(
            f"{task.name}: cross-fitting needs at least two of {task.cluster}; "
            "train on other data with --train-on"
        )
    # Every record of a held-out cluster stays out, played or not: a limited task plays few.
    cluster_of = {t.item: t.clusters[0][1] for t in task.only(task.dataset.records).trials}
    players = []
    for number, fold in enumerate(dealt):
        progress(f"training {learner.name}", number, len(dealt))
        held_out = set(fold)
        training = task.only({i for i, c in cluster_of.items() if c not in held_out})
        own = folder / f"fold-{number}" if folder else None
        players.append(learner.fit(training, dev=None, seed=seed, folder=own))
    progress(f"training {learner.name}", len(dealt), len(dealt))
    return CrossFit(players, folds_of(task, dealt))
