"""How much an intervention really altered, and what it cost where it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deixis.outcomes import Outcomes
from deixis.runs.play import under
from deixis.stats.clustered import FEWEST, t_intervals
from deixis.tasks.see import dose
from deixis.tasks.task import Task
from deixis.units import Measure, stack


@dataclass(frozen=True)
class Dosage:
    """What an intervention altered over all trials of a task.

    Attributes:
        trials: share of trials in which anything was altered, 0 to 1.
        values: mean number of altered texts, pictures or rounds in a trial.
        tokens: altered words in all.
        mask: whether each trial was altered, shape (n,).
    """

    trials: float
    values: float
    tokens: int
    mask: NDArray[np.bool_]

    def __str__(self) -> str:
        words = f", {self.tokens:,} words" if self.tokens else ""
        return f"{100 * self.trials:.0f} % of trials{words}"

    def json(self) -> dict[str, float]:
        """As JSON gives it."""
        return {"trials": self.trials, "values": self.values, "tokens": self.tokens}


def dosage(task: Task, condition: str) -> Dosage:
    """Compare every trial before and after, with the first replicate's draws.

    Args:
        task: with its base condition.
        condition: as written, on top of it.
    """
    altered = under(task, condition)
    doses = [dose(altered, task, t, reader) for reader in task.readers for t in task.trials]
    mask = np.asarray(np.array([d.altered for d in doses]).reshape(-1, len(task)).any(axis=0))
    return Dosage(
        trials=float(mask.mean()),
        values=sum(d.values for d in doses) / len(task),
        tokens=sum(d.tokens for d in doses),
        mask=mask,
    )


def gap_where_altered(
    measure: Measure, base: Outcomes, other: Outcomes, task: Task, given: Dosage
) -> Mapping[str, float] | None:
    """The gap over units with an altered trial; None where there is none.

    Args:
        measure: what is compared.
        base: outcomes without the condition.
        other: outcomes under it, on the same units.
        task: what was played.
        given: which trials the condition alters.

    Returns:
        ``value``, and ``low`` and ``high`` of its 95 % interval, in units of the measure, NaN where
        there are too few clusters; ``units``, how many.
    """
    touched = {t.item for t, hit in zip(task.trials, given.mask, strict=True) if hit}
    touched |= {t.group for t, hit in zip(task.trials, given.mask, strict=True) if hit and t.group}
    values, units = stack(measure, [base, other])
    # Units of guessing games are named dialog@round: the dialog is what was altered.
    kept = np.array(
        [str(n).rpartition("@")[0] in touched or str(n) in touched for n in units.names]
    )
    if not kept.any():
        return None
    made = t_intervals(values[kept], units.clusters[kept], np.array([[1.0, -1.0]]))
    low, high = float(made.low[0]), float(made.high[0])
    if made.clusters < FEWEST:
        low = high = float("nan")
    return {"value": float(made.estimates[0]), "low": low, "high": high, "units": made.units}
