"""``deixis reproduce cooperation``: train bots, let them talk under every intervention, tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deixis.outcomes import Outcomes
from deixis.players.common.crossfit import CrossFit
from deixis.players.guessing.bots.learner import (
    READERS,
    Bots,
    BotsLearner,
    Talking,
)
from deixis.players.guessing.options import positive
from deixis.players.protocols import Player
from deixis.progress import Progress
from deixis.reproduce.cooperation.answers import LINES as ANSWER_LINES
from deixis.reproduce.cooperation.answers import Asked as Questions
from deixis.reproduce.cooperation.conditions import (
    MARKS,
    PEOPLE_LINES,
    TALKING_LINES,
    conditions,
)
from deixis.reproduce.cooperation.presets import PRESETS, Preset
from deixis.reproduce.cooperation.telling import told
from deixis.reproduce.report import Asked, Reproduced
from deixis.runs.play import Run, check, merge, play, under
from deixis.runs.prepare import prepare
from deixis.tasks.task import Task

CHANGED = (
    "hidden",
    "embedding",
    "epochs",
    "batch",
    "least",
    "rate",
    "gain",
    "stretch",
    "marks",
    "saying",
    "device",
)
"""Options of the bots that may be given."""

NAMES = ("ids", "items", "clusters", "workers", "raters", "groups", "strata")
"""Columns of outcomes that are the same under every condition."""


@dataclass(frozen=True)
class Played:
    """The study's runs, training runs as replicates.

    Attributes:
        talking: the bots talk.
        reading: Q-bot reads what people said.
        right: whether A-bot answers people's questions as people did, by `ANSWER_LINES`, and
            whether the usual answer is theirs.
        marked: with marks in training alone, both again as they are and with marks in play, too.
    """

    talking: Run
    reading: Run
    right: Sequence[NDArray[np.float64]]
    marked: Sequence[Run] = ()


def cooperation(asked: Asked) -> Reproduced:
    """Run the study.

    Raises:
        BadInput: there is no such preset, or its data are absent.
    """
    asked.only("features", "limit", "bots", *CHANGED)
    preset: Preset = asked.chosen(PRESETS, "rooms")
    features = asked.options.get("features")
    changes = dict(preset.changes) | {n: asked.options[n] for n in CHANGED if n in asked.options}
    learner = BotsLearner(asked.options.get("bots", preset.bots), **changes)
    train, test = preset.tasks(asked.data, Path(features) if features else None)
    if "limit" in asked.options:
        test = test.limit(positive("limit", asked.options["limit"]))
    test = replace(test, readers=READERS)
    for line in TALKING_LINES:
        check(test, line.do)
    seeds = asked.seeds or preset.seeds
    questions = Questions.of(test)
    runs = [_run(learner, train, test, questions, seed, asked) for seed in range(seeds)]
    return told(
        asked.preset or "rooms",
        preset.about,
        learner,
        merge([r.talking for r in runs]),
        merge([r.reading for r in runs]),
        questions.rows([r.right for r in runs]),
        [merge(some) for some in zip(*(r.marked for r in runs), strict=True)],
    )


def _run(
    learner: BotsLearner,
    train: Task | None,
    test: Task,
    questions: Questions,
    seed: int,
    asked: Asked,
) -> Played:
    """One training run, and everything played with what it made."""
    folder = asked.out / "training" / f"{asked.preset or 'rooms'}-{seed}" if asked.out else None
    task = test.reseed(test.seeds.replicate(seed))
    doing = _numbered(asked.progress, seed)
    made = prepare(learner, task, train=train, seed=seed, folder=folder, progress=doing)
    talking = play(task, made, conditions(TALKING_LINES), progress=doing)
    alone = replace(task, readers=READERS[:1])
    reading = play(alone, reader(made, alone), conditions(PEOPLE_LINES), progress=doing)
    right = [questions.right(made, under(task, line.do)) for line in ANSWER_LINES]
    right.append(questions.usual(made, task, train))
    marked: list[Run] = []
    if learner.design.marks == "train":
        sane = seated(made, task, lambda bots: bots.marked("both"))
        marked = [
            beside(play(task, sane, progress=doing), talking),
            beside(play(alone, reader(sane, alone), progress=doing), reading),
        ]
    return Played(light(talking), light(reading), right, [light(r) for r in marked])


def light(run: Run) -> Run:
    """The run without what no table needs: five runs of all conditions are held at a time.

    Texts and the best pictures go, and names are held once for all conditions.
    """
    base = run.base[0]

    def lighter(one: Outcomes) -> Outcomes:
        same = {
            n: getattr(base, n) for n in NAMES if np.array_equal(getattr(one, n), getattr(base, n))
        }
        return replace(one, raw=None, top=None, **same)

    return replace(run, outcomes={c: tuple(map(lighter, o)) for c, o in run.outcomes.items()})


def seated(made: Player, task: Task, change: Callable[[Bots], Bots]) -> Player:
    """Bots that talk, or those of each fold, changed and seated anew."""
    if isinstance(made, CrossFit):
        return CrossFit([seated(p, task, change) for p in made.players], made.fold)
    assert isinstance(made, Talking)  # what `BotsLearner` makes
    return change(made.bots).seat(task)


def reader(made: Player, task: Task) -> Player:
    """The questioner of bots that talk, reading what people said."""
    return seated(made, task, lambda bots: replace(bots, talk=False))


def beside(sane: Run, faulty: Run) -> Run:
    """What bots did with marks in play, and as a condition what they did without."""
    return replace(faulty, outcomes={"": sane.base, MARKS: faulty.base})


def _numbered(progress: Progress, seed: int) -> Progress:
    return lambda what, done, total: progress(f"run {seed + 1}: {what}", done, total)
