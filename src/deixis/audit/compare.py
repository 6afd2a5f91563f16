"""Compare runs over the same items: models, conditions, people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any

import numpy as np

from deixis.audit.infer import POWER, UNDECIDED, Contrast, infer, judge
from deixis.audit.rows import Row
from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.runs.summary import averaged
from deixis.stats.tests import holm
from deixis.stats.two_way import Sample, difference
from deixis.units import (
    Measure,
    Units,
    accuracy,
    consistency,
    percentile_rank,
    percentiles,
)

BETTER, WORSE, SAME = "better", "worse", "the same"


@dataclass(frozen=True)
class Side:
    """One of the things compared.

    Attributes:
        name: unique among the sides.
        outcomes: its replicates.
    """

    name: str
    outcomes: tuple[Outcomes, ...]

    @property
    def rated(self) -> bool:
        """Whether people gave its replies."""
        return any((o.raters != "").any() for o in self.outcomes)


@dataclass(frozen=True)
class Comparison:
    """Every pair of sides.

    Attributes:
        measure: what is compared.
        margin: differences within ± this count as the same, in units of the measure.
        sides: name, units, clusters, raters, value and interval of each, and how many of its items
            were left out because another side lacks them.
        pairs: kind ``compare``, `of` being ``a - b``; the verdict speaks of a.
    """

    measure: Measure
    margin: float
    sides: tuple[Mapping[str, Any], ...]
    pairs: tuple[tuple[str, str, Contrast], ...]

    def json(self) -> dict[str, Any]:
        """The object that ``compare --json`` prints."""
        fields = ("value", "low", "high", "p", "p_holm", "mde", "verdict")
        return {
            "schema": "deixis/compare/1",
            "measure": self.measure.name,
            "margin": self.margin * self.measure.scale,
            "runs": list(self.sides),
            "pairs": [
                {"a": a, "b": b, **{f: getattr(c, f) for f in fields}} for a, b, c in self.pairs
            ],
        }


def compare(sides: Sequence[Side], measure: Measure, *, margin: float) -> Comparison:
    """Compare every pair.

    Where no people rated, units are paired and clusters resampled, as in an audit; else both items
    and raters are clusters, intervals are t, and the items are those that all sides have: people
    seldom get to all of them.

    Args:
        sides: at least two.
        measure: what is compared.
        margin: in units of the measure.

    Raises:
        BadInput: fewer than two sides, a name twice, sides of different items without people, or
            of none in common; or people by a measure that is not known for them.
    """
    names = [s.name for s in sides]
    if len(sides) < 2 or len(set(names)) < len(names):
        given = ", ".join(names) or "none"
        raise BadInput(f"expected two runs or more with different names, got {given}")
    sides, left_out = _matched(sides)
    pairs = list(combinations(sides, 2))
    if any(s.rated for s in sides):
        contrasts = _rated(pairs, measure, margin)
    else:
        rows = [Row("compare", f"{a.name} - {b.name}", {a.name: 1, b.name: -1}) for a, b in pairs]
        played = {s.name: s.outcomes for s in sides}
        contrasts = infer(rows, measure, played, margin=margin)
    return Comparison(
        measure,
        margin,
        tuple(_described(s, measure, n) for s, n in zip(sides, left_out, strict=True)),
        tuple((a.name, b.name, _worded(c)) for (a, b), c in zip(pairs, contrasts, strict=True)),
    )


def _matched(sides: Sequence[Side]) -> tuple[list[Side], list[int]]:
    """The sides over the same items, and how many of each had to go for that."""
    if not any(s.rated for s in sides):
        _same_items(sides)
        return list(sides), [0] * len(sides)
    own = [{i for o in s.outcomes for i in o.items.tolist()} for s in sides]
    common = set.intersection(*own)
    if not common:
        raise BadInput(f"{sides[0].name} and {sides[1].name} have no item in common")
    chosen = sorted(common)
    kept = [
        replace(s, outcomes=tuple(o.only(np.isin(o.items, chosen)) for o in s.outcomes))
        for s in sides
    ]
    return kept, [len(items - common) for items in own]


def _same_items(sides: Sequence[Side]) -> None:
    first = set(sides[0].outcomes[0].items.tolist())
    for side in sides[1:]:
        other = set(side.outcomes[0].items.tolist())
        if other != first:
            odd = sorted(first ^ other)
            raise BadInput(
                f"{sides[0].name} and {side.name} are not of the same items: {len(odd)} differ, "
                f"such as {', '.join(odd[:3])}"
            )


def _described(side: Side, measure: Measure, left_out: int) -> dict[str, Any]:
    first = side.outcomes[0]
    value, low, high = averaged(measure, side.outcomes)
    return {
        "name": side.name,
        "condition": first.condition,
        "n": len(np.unique(first.items)),
        "left_out": left_out,
        "clusters": len(np.unique(first.clusters)),
        "raters": len({r for o in side.outcomes for r in o.raters.tolist()} - {""}),
        "value": value,
        "low": low,
        "high": high,
    }


def _rated(pairs: Sequence[tuple[Side, Side]], measure: Measure, margin: float) -> list[Contrast]:
    """Pairs by two-way clusters, with p adjusted over them."""
    if measure.of not in _SAMPLES:
        *known, last = (f.__name__ for f in _SAMPLES)
        raise BadInput(
            f"people are compared by {', '.join(known)} or {last}, not by {measure.name}"
        )
    rows, sample = _SAMPLES[measure.of]
    found = [
        (a, b, difference(sample(_pooled(a, rows)), sample(_pooled(b, rows)))) for a, b in pairs
    ]
    adjusted = holm(np.array([d.p for _, _, d in found]))
    contrasts = []
    for (a, b, d), p in zip(found, adjusted.tolist(), strict=True):
        low, high = d.interval()
        contrast = Contrast(
            "compare",
            f"{a.name} - {b.name}",
            d.value,
            low,
            high,
            d.error,
            p=d.p,
            p_holm=p,
            mde=POWER * d.error,
            low_credit=d.value,
            high_credit=d.value,
        )
        inner = d.interval(0.90)
        contrasts.append(judge(contrast, inner, margin, d.df + 1))
    return contrasts


@dataclass(frozen=True)
class _Replies:
    """Every reply's worth; replicates of a player count as one reply. Shapes (n,)."""

    credit: Any
    ids: Any
    items: Any
    groups: Any
    clusters: Any
    raters: Any


_Rows = Callable[[Outcomes], tuple[Outcomes, Any]]
"""Rows that count, and what each is worth."""


def _credits(outcomes: Outcomes) -> tuple[Outcomes, Any]:
    return outcomes, outcomes.credit


def _pooled(side: Side, rows: _Rows) -> _Replies:
    names = [f.name for f in fields(_Replies)][1:]
    kept, values = zip(*(rows(o) for o in side.outcomes), strict=True)
    if side.rated:
        columns = [np.concatenate([getattr(o, f) for o in kept]) for f in names]
        return _Replies(np.concatenate(values), *columns)
    return _Replies(np.mean(values, axis=0), *(getattr(kept[0], f) for f in names))


def _single(replies: _Replies) -> Sample:
    """Units are items, whose value is the mean of their replies."""
    return Sample(replies.credit, replies.items, replies.clusters, replies.raters)


def _grouped(replies: _Replies) -> Sample:
    """Units are groups, whose value is the product of their trials' mean credits.

    The product is made a mean by its derivative (the delta method): each reply has the group's
    value, and what its own departure from the trial's mean moves that value by.
    """
    _, trials, counts = np.unique(replies.ids, return_inverse=True, return_counts=True)
    means = np.bincount(trials, weights=replies.credit) / counts
    _, group_of = np.unique(replies.groups, return_inverse=True)
    of_trial = np.zeros(len(counts), np.int64)
    of_trial[trials] = group_of
    others = np.ones(len(counts))
    members = [np.flatnonzero(of_trial == g) for g in range(group_of.max() + 1)]
    values = np.array([means[m].prod() for m in members])
    for inside in members:
        for t in inside:
            others[t] = means[inside[inside != t]].prod()
    share = np.bincount(group_of)[group_of] / counts[trials]
    moved = others[trials] * share * (replies.credit - means[trials])
    return Sample(values[group_of] + moved, replies.groups, replies.clusters, replies.raters)


_SAMPLES: Mapping[Callable[[Outcomes], Units], tuple[_Rows, Callable[[_Replies], Sample]]] = {
    accuracy: (_credits, _single),
    consistency: (_credits, _grouped),
    percentile_rank: (percentiles, _single),
}


def _worded(contrast: Contrast) -> Contrast:
    words = {"used": BETTER if contrast.value > 0 else WORSE, "not used": SAME}
    return replace(contrast, verdict=words.get(contrast.verdict, UNDECIDED))
