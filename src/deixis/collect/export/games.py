"""Games that people played, as a run: the same cells that models leave behind.

People are raters of one player; each choice is put into the trial's own order, then into the order
of the run's seed, as any file of replies is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, exists, select

from deixis.collect.pools.games import GamePool, under
from deixis.collect.store.tables import answers, claims, sessions, steps, workers
from deixis.collect.trial_types.choose_target import QUICK
from deixis.outcomes import score
from deixis.replies import Replies
from deixis.runs.cell import Cell
from deixis.runs.folder import RunFolder
from deixis.tasks.task import Task
from deixis.trials import opaque

PLAYER = "people"


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody chose in one game.

    Attributes:
        trial: id of the trial.
        rater: who chose.
        choice: place in the trial's own order.
        right: whether it is the one that is meant.
        seconds: how long it took, by the browser's clock.
    """

    trial: str
    rater: str
    choice: int
    right: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What is left out; nothing by default.

    Attributes:
        catch: people who failed a catch trial.
        seconds: choices that took no longer.
    """

    catch: bool = False
    seconds: float = 0.0


PUBLISHED = Exclusions(catch=True, seconds=QUICK)
"""What KiloGram's human study left out (Ji et al., EMNLP 2022)."""


def choices(c: Connection, study: int, mode: str, exclude: Exclusions) -> dict[str, list[Choice]]:
    """Choices in earnest by arm; those of rejected claims are left out."""
    joined = (
        answers.join(steps, steps.c.id == answers.c.step_id)
        .join(sessions, sessions.c.id == answers.c.session_id)
        .join(workers, workers.c.id == sessions.c.worker_id)
        .join(claims, claims.c.id == steps.c.claim_id)
    )
    query = (
        select(steps.c.key, sessions.c.arm, workers.c.name, answers.c.detail, answers.c.right)
        .select_from(joined)
        .where(
            sessions.c.study_id == study,
            sessions.c.mode == mode,
            answers.c.final,
            steps.c.type == "choose_target",
            steps.c.key.like("main/%"),
            claims.c.state.not_in(("rejected", "returned")),
        )
        .order_by(answers.c.id)
    )
    if exclude.catch:
        query = query.where(~_failed())
    found: dict[str, list[Choice]] = {}
    for key, arm, rater, detail, right in c.execute(query):
        seconds = detail["seconds"]
        if seconds > exclude.seconds:
            trial = key.removeprefix("main/")
            found.setdefault(arm, []).append(Choice(trial, rater, detail["choice"], right, seconds))
    return found


def _failed() -> Any:
    other, step = answers.alias(), steps.alias()
    return exists().where(
        other.c.session_id == sessions.c.id,
        other.c.step_id == step.c.id,
        step.c.key.like("catch/%"),
        other.c.final,
        ~other.c.right,
    )


def write_run(
    folder: Path, pool: GamePool, found: Mapping[str, Sequence[Choice]], revision: str
) -> dict[str, dict[str, int]]:
    """Write the run's folder: a cell for each arm that somebody played.

    Trials that nobody has played under an arm are not in its cell; what is missing is what was not
    asked yet, not a reply that failed.

    Args:
        folder: of the run; must not exist.
        pool: of the study.
        found: choices by arm.
        revision: hash of the study.

    Returns:
        Trials, choices and raters of each arm.
    """
    base = "" if "" in pool.arms.values() else next(iter(pool.arms.values()))
    run = RunFolder(folder)
    run.open(
        {
            "task": pool.task.kind,
            "source": pool.task.name,
            "fingerprint": pool.fingerprint,
            "options": dict(pool.task.options),
            "condition": base,
            "contexts_seed": pool.task.seeds.contexts,
            "trials": len(pool.task),
            "player": PLAYER,
        }
    )
    counts = {}
    try:
        for arm, condition in pool.arms.items():
            chosen = found.get(arm, [])
            if chosen:
                task = under(played(pool.task, chosen), condition)
                outcomes = score(task, replies(task, chosen))
                run.write(Cell(PLAYER, revision, outcomes.condition, task.seeds), outcomes)
            counts[arm] = {
                "trials": len({one.trial for one in chosen}),
                "choices": len(chosen),
                "raters": len({one.rater for one in chosen}),
            }
    finally:
        run.close()
    return counts


def played(task: Task, chosen: Sequence[Choice]) -> Task:
    """The task with the trials that somebody has played."""
    seen = {one.trial for one in chosen}
    return replace(task, trials=tuple(t for t in task.trials if t.id in seen))


def replies(task: Task, chosen: Sequence[Choice]) -> Replies:
    """Choices as replies to the task's views, one row for each trial and rater."""
    places = {t.id: i for i, t in enumerate(task.trials)}
    widest = max(t.k for t in task.trials)
    table = np.full((len(chosen), widest), np.nan)
    for row, one in zip(table, chosen, strict=True):
        order = task.order(places[one.trial])
        row[: len(order)] = order == one.choice
    return Replies(
        ids=tuple(opaque(one.trial) for one in chosen),
        status=np.zeros(len(chosen), np.uint8),
        scores=table,
        graded=False,
        raters=tuple(one.rater for one in chosen),
        seconds=np.array([one.seconds for one in chosen]),
    )
