"""How much each further part helps: the curves of KiloGram's Figure 10 (Ji et al., 2022)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.runs.summary import averaged
from deixis.tasks.task import Task
from deixis.units import MEASURES


@dataclass(frozen=True)
class Point:
    """One point of a curve.

    Attributes:
        total: how many parts the description has.
        given: how many of them are given, the first ones, alone colored.
        n: trials.
        accuracy: mean, low, high.
        probability: of the target: mean, low, high; NaN for players that only choose.
    """

    total: int
    given: int
    n: int
    accuracy: tuple[float, float, float]
    probability: tuple[float, float, float]


def conditions(task: Task) -> list[str]:
    """The conditions to play: 0, 1, 2 … parts given, and their colors.

    Raises:
        BadInput: the task has no parts.
    """
    if "parts" not in task.atoms:
        raise BadInput(f"{task.name}: gradual parts need a task with parts")
    most = max(_totals(task))
    return [f"parts=keep:{n},color=keep:{n}" for n in range(most)]


def curves(task: Task, played: Mapping[str, Sequence[Outcomes]]) -> list[Point]:
    """Accuracy and probability of the target by parts given, split by parts in all.

    Args:
        task: the task.
        played: outcomes of `conditions` and of the base.
    """
    totals = np.array(_totals(task))
    points = []
    for total in sorted(set(totals.tolist()) - {0}):
        kept = totals == total
        for given in range(total + 1):
            condition = f"parts=keep:{given},color=keep:{given}" if given < total else ""
            some = [o.only(kept) for o in played[condition]]
            points.append(
                Point(
                    total,
                    given,
                    int(kept.sum()),
                    averaged(MEASURES["accuracy"], some),
                    _probability(some),
                )
            )
    return points


def _probability(some: Sequence[Outcomes]) -> tuple[float, float, float]:
    if any(np.isnan(o.probability).any() for o in some):
        return math.nan, math.nan, math.nan
    return averaged(MEASURES["probability"], some)


def _totals(task: Task) -> list[int]:
    channel = task.channels["parts"]
    return [len(channel.get(t.view())[0]) for t in task.trials]
