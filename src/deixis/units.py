"""Measures: one value for each unit of inference, and the units × conditions matrix of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.outcomes import Outcomes, recall
from deixis.stats.percentile import percentile

Floats = NDArray[np.float64]
Names = NDArray[np.str_]


@dataclass(frozen=True)
class Units:
    """A measure's values, one for each unit.

    Attributes:
        names: of units, sorted, shape (u,).
        values: shape (u,).
        clusters: the primary cluster of each unit, shape (u,).
    """

    names: Names
    values: Floats
    clusters: Names


@dataclass(frozen=True)
class Measure:
    """One value for each unit of inference.

    Attributes:
        name: such as ``accuracy``.
        of: the values of outcomes.
        scale: what a point is: 100 for fractions, 1 for values on a scale of 0 to 100.
        by_round: whether it can be taken after every round of a dialog; its units are those after
            the last round.
        centre: what is told of all units, their ``mean`` or their ``median``.
    """

    name: str
    of: Callable[[Outcomes], Units]
    scale: float = 100.0
    by_round: bool = False
    centre: Literal["mean", "median"] = "mean"


def accuracy(outcomes: Outcomes) -> Units:
    """Mean credit of each item over its trials and raters."""
    return _means(outcomes.items, outcomes.credit, outcomes.clusters)


def probability(outcomes: Outcomes) -> Units:
    """Mean probability of the answer of each item."""
    return _means(outcomes.items, outcomes.probability, outcomes.clusters)


def consistency(outcomes: Outcomes) -> Units:
    """Product of the credits of each group: the probability that all of it is right."""
    names, first, codes = np.unique(outcomes.groups, return_index=True, return_inverse=True)
    values = np.ones(len(names))
    np.multiply.at(values, codes, outcomes.credit)
    return Units(names, values, outcomes.clusters[first])


def percentile_rank(outcomes: Outcomes) -> Units:
    """100 · (N - rank) / (N - 1) after the last round; 50 for a guess."""
    last = _last(outcomes)
    rank, _ = _places(last)
    return _means(_at_round(last), percentile(rank, last.sizes), last.clusters)


def recall_at(k: int) -> Callable[[Outcomes], Units]:
    """Expected share of targets among the best k after the last round."""

    def of(outcomes: Outcomes) -> Units:
        last = _last(outcomes)
        return _means(_at_round(last), recall(*_places(last), k), last.clusters)

    return of


def target_rank(outcomes: Outcomes) -> Units:
    """Mid-rank of the target after the last round, from 1."""
    last = _last(outcomes)
    return _means(_at_round(last), _places(last)[0], last.clusters)


def _last(outcomes: Outcomes) -> Outcomes:
    return outcomes.at(int(outcomes.rounds.max(initial=0)))


def _at_round(outcomes: Outcomes) -> Names:
    """Units of dialogs are named ``dialog@round``."""
    return np.array([f"{i}@{r}" for i, r in zip(outcomes.items, outcomes.rounds, strict=True)])


def _places(outcomes: Outcomes) -> tuple[Floats, NDArray[np.int64]]:
    """Ranks and ties; those of a guess where a reply is not ok."""
    unread = np.isnan(outcomes.rank)
    rank = np.where(unread, (outcomes.sizes + 1) / 2, outcomes.rank)
    return rank, np.where(unread, outcomes.sizes, outcomes.ties)


def stack(measure: Measure, outcomes: Sequence[Outcomes]) -> tuple[Floats, Names, Names]:
    """The units × conditions matrix of several outcomes of the same trials.

    Returns:
        Values of shape (u, c), clusters and names of units, each of shape (u,).

    Raises:
        BadInput: the outcomes are of different units.
    """
    units = [measure.of(o) for o in outcomes]
    for other in units[1:]:
        if len(other.names) != len(units[0].names) or (other.names != units[0].names).any():
            odd = sorted(set(other.names.tolist()) ^ set(units[0].names.tolist()))
            raise BadInput(f"not the same items: {len(odd)} differ, {odd[0]} among them")
    return np.column_stack([u.values for u in units]), units[0].clusters, units[0].names


def _means(names: Names, values: Floats, clusters: Names) -> Units:
    unique, first, codes = np.unique(names, return_index=True, return_inverse=True)
    totals = np.bincount(codes, weights=values)
    return Units(unique, totals / np.bincount(codes), clusters[first])


MEASURES: Mapping[str, Measure] = {
    m.name: m
    for m in (
        Measure("accuracy", accuracy),
        Measure("probability", probability),
        Measure("consistency", consistency),
        Measure("percentile_rank", percentile_rank, scale=1.0, by_round=True),
        Measure("recall_at_1", recall_at(1), by_round=True),
        Measure("recall_at_5", recall_at(5), by_round=True),
        Measure("recall_at_10", recall_at(10), by_round=True),
        Measure("median_rank", target_rank, scale=1.0, by_round=True, centre="median"),
    )
}
