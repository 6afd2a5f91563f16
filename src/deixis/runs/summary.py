"""What ``play`` says of the base condition of a run, as one object."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from deixis.interventions.condition import show
from deixis.outcomes import Outcomes
from deixis.runs.play import Run
from deixis.stats.rates import median, rate
from deixis.tasks.task import Task
from deixis.units import MEASURES, Measure, by_rater, stack


def head(run: Run) -> dict[str, Any]:
    """What a run was: the fields that ``play`` and ``audit`` begin with."""
    task, base = run.task, run.base
    statuses: dict[str, int] = {}
    for outcomes in base:
        for status, n in outcomes.statuses.items():
            statuses[status] = statuses.get(status, 0) + n
    cut = sum(int(o.cut.sum()) for o in base if o.cut is not None)
    return {
        "task": task.kind,
        "dataset": task.name,
        "fingerprint": task.dataset.fingerprint,
        "player": run.player,
        "revision": run.revision,
        "condition": show(task.condition),
        "n": len(task),
        "clusters": len(np.unique(base[0].clusters)),
        "chance": task.chance,
        "dropped": dict(task.dropped),
        "statuses": statuses,
        "cut": cut,
        "seeds": {**asdict(task.seeds), "replicates": len(base)},
    }


def summary(run: Run) -> dict[str, Any]:
    """The object that ``play --json`` prints."""
    return {
        "schema": "deixis/play/1",
        **head(run),
        **results(run),
        "subsets": subsets(run.task, run.base, members(run.task)),
        **_raters(run),
    }


def results(run: Run) -> dict[str, Any]:
    """The task's measures of the base condition, with intervals, and those of the primary one."""
    task = run.task
    values, intervals = measured(task.about.measures, run.base)
    _, low, high = averaged(MEASURES[task.about.measures[0]], run.base)
    pool = {"pool": task.about.pool(task)} if task.about.pool else {}
    ends = {"intervals": intervals, "ci_low": low, "ci_high": high}
    return {**pool, **values, **_groups(run), **ends}


def members(task: Task) -> dict[str, Collection[str]]:
    """Record ids of the dataset's named subsets; some are found only now."""
    named = task.dataset.extras.get("subsets", {})
    return {name: ids() if callable(ids) else ids for name, ids in named.items()}


def subsets(
    task: Task, outcomes: Sequence[Outcomes], named: Mapping[str, Collection[str]]
) -> dict[str, dict[str, float]]:
    """The primary measure on each named subset of records, from `members`, that was played."""
    measure = MEASURES[task.about.measures[0]]
    said = {}
    for name, ids in named.items():
        inside = np.isin(outcomes[0].items, list(ids))
        if inside.any():
            mean, low, high = averaged(measure, [o.only(inside) for o in outcomes])
            n = len(np.unique(outcomes[0].ids[inside]))
            said[name] = {"n": n, measure.name: mean, "low": low, "high": high}
    return said


def _groups(run: Run) -> dict[str, int]:
    grouped = "consistency" in run.task.about.measures
    return {"groups": len(np.unique(run.base[0].groups))} if grouped else {}


def _raters(run: Run, least: int = 100) -> dict[str, Any]:
    """What raters achieved, where there are several: replies that are not ok count as wrong."""
    raters = by_rater(run.base[0].filled(0))
    if len(raters.names) < 2:
        return {}
    mean, deviation, counted = raters.mean(least)
    return {
        "human_mean": 100 * mean,
        "human_std": 100 * deviation,
        "raters": {"n": len(raters.names), "counted": counted, "least": least},
    }


def measured(
    names: Sequence[str], outcomes: Sequence[Outcomes]
) -> tuple[dict[str, float | list[float]], dict[str, list[Any]]]:
    """Each measure's value and interval, averaged over replicates within units.

    Measures of dialogs give a list, one value after each round, the caption's round 0 first.
    """
    values: dict[str, float | list[float]] = {}
    intervals: dict[str, list[Any]] = {}
    for name in names:
        measure = MEASURES[name]
        if measure.by_round:
            rounds = np.unique(outcomes[0].rounds).tolist()
            each = [averaged(measure, [o.at(r) for o in outcomes]) for r in rounds]
            values[name] = [mean for mean, _, _ in each]
            intervals[name] = [[low, high] for _, low, high in each]
        else:
            mean, low, high = averaged(measure, outcomes)
            values[name], intervals[name] = mean, [low, high]
    return values, intervals


def averaged(measure: Measure, outcomes: Sequence[Outcomes]) -> tuple[float, float, float]:
    """A measure's centre with its interval, which does not leave the measure's own range."""
    table, units = stack(measure, outcomes)
    values, clusters = table.mean(axis=1), units.clusters
    if not len(values):  # nobody judged any of these
        return float("nan"), float("nan"), float("nan")
    if measure.centre == "median":
        return median(values, clusters)
    top = 100 / measure.scale
    mean, low, high = rate(values, clusters, top=top)
    return mean, max(low, 0.0), min(high, top)
