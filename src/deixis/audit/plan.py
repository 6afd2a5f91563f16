"""How many items, clusters, workers and how much money a comparison needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.stats.power import (
    Paired,
    clustered_power,
    design_effect,
    effect_found,
    mcnemar_power,
    normal_power,
)
from deixis.units import Measure, stack

EXACT = 20_000
"""Most items for which power is summed or simulated."""

MOST = 10_000_000
"""Most items that are tried to reach a power."""


@dataclass(frozen=True)
class Design:
    """What is planned.

    Attributes:
        paired: what the two conditions differ by.
        per_cluster: items in each cluster, at least 1.
        icc: intraclass correlation of the differences.
        raters: judgments for each item, of people; 0 where none rate.
        most: judgments that one person may give.
        pay: for each judgment.
        fee: the platform's share on top of pay, as a fraction.
    """

    paired: Paired
    per_cluster: float = 1.0
    icc: float = 0.0
    raters: int = 0
    most: int = 200
    pay: float = 0.0
    fee: float = 0.0

    @property
    def deff(self) -> float:
        """How much more items the clusters need."""
        return design_effect(self.per_cluster, self.icc)

    @property
    def size(self) -> int:
        """Whole items in a cluster."""
        return max(1, round(self.per_cluster))


def power(design: Design, items: int, *, simulations: int = 2_000, seed: int = 0) -> float:
    """Power with so many items: exact McNemar where items stand alone, else simulated.

    Beyond `EXACT` items the normal approximation is as good, and is used.

    Args:
        design: effect, discordance, and how items are clustered.
        items: how many.
        simulations: how many studies are simulated, where items come in clusters.
        seed: of these.
    """
    if items > EXACT:
        return normal_power(design.paired, items, design.deff)
    if design.deff == 1:
        return mcnemar_power(design.paired, items)
    clusters = max(2, round(items / design.per_cluster))
    return clustered_power(
        design.paired, clusters, design.size, design.icc, simulations=simulations, seed=seed
    )


def items_needed(design: Design, wanted: float) -> int:
    """The fewest items, to 1 %, that reach a power.

    Starts from the normal approximation and corrects by the power itself.

    Raises:
        BadInput: the effect is 0, or more than ten million items are needed.
    """
    if design.paired.effect == 0 or not 0 < wanted < 1:
        raise BadInput("a power below 1 and an effect above 0 are needed to find the items")
    low = max(2 * design.size, 2)
    high = low
    while power(design, high) < wanted:
        low, high = high, high * 2
        if high > MOST:
            raise BadInput(f"more than {MOST:,} items would be needed for this effect")
    while high - low > max(design.size, 0.01 * high):
        middle = (low + high) // 2
        low, high = (low, middle) if power(design, middle) >= wanted else (middle, high)
    return high


def described(design: Design, items: int) -> dict[str, Any]:
    """The object that ``plan --json`` prints."""
    paired, judgments = design.paired, items * design.raters
    return {
        "schema": "deixis/plan/1",
        "effect": 100 * paired.effect,
        "discordance": paired.discordance,
        "items": items,
        "per_cluster": design.per_cluster,
        "clusters": max(1, round(items / design.per_cluster)),
        "icc": design.icc,
        "design_effect": design.deff,
        "power": power(design, items),
        "power_if_independent": power(replace(design, icc=0.0), items),
        "mde": 100 * effect_found(paired, items, design.deff),
        "judgments": judgments,
        "workers": math.ceil(judgments / design.most) if judgments else 0,
        "cost": judgments * design.pay * (1 + design.fee),
    }


def pilot(measure: Measure, base: Outcomes, other: Outcomes) -> Design:
    """The design that a pilot run shows: effect, discordance, cluster size and ICC.

    Args:
        measure: what is compared.
        base: outcomes of one condition.
        other: outcomes of the other, on the same units.

    Raises:
        BadInput: no item differs.
    """
    values, units = stack(measure, [base, other])
    apart = values[:, 0] - values[:, 1]
    discordance = float(np.abs(apart).mean())
    if discordance == 0:
        raise BadInput("the pilot's conditions differ in no item: nothing can be planned from it")
    _, counts = np.unique(units.clusters, return_counts=True)
    effect = min(abs(float(apart.mean())), discordance)
    return Design(
        Paired(effect, discordance), float(counts.mean()), intraclass(apart, units.clusters)
    )


def intraclass(values: NDArray[np.float64], clusters: NDArray[np.generic]) -> float:
    """Intraclass correlation by one-way analysis of variance, cut off at 0 and .99.

    (between - within) / (between + (m0 - 1)·within), m0 being the adjusted cluster size (Donner and
    Koval, 1980).

    >>> round(intraclass(np.array([1., 1, 0, 0]), np.array([0, 0, 1, 1])), 2)
    0.99
    """
    _, codes, counts = np.unique(clusters, return_inverse=True, return_counts=True)
    n, g = len(values), len(counts)
    if g < 2 or n == g:
        return 0.0
    means = np.bincount(codes, weights=values) / counts
    between = float((counts * (means - values.mean()) ** 2).sum() / (g - 1))
    within = float(((values - means[codes]) ** 2).sum() / (n - g))
    size = (n - (counts**2).sum() / n) / (g - 1)
    total = between + (size - 1) * within
    return float(np.clip((between - within) / total if total > 0 else 0.0, 0.0, 0.99))
