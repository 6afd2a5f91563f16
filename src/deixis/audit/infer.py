"""From outcomes and rows of weights to contrasts with intervals, tests and verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.audit.rows import CHANCE, Row
from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.stats.clustered import FEWEST, Intervals, Resampled, resample, t_intervals
from deixis.stats.tests import holm, mcnemar, sign_flip
from deixis.units import Measure, stack

Floats = NDArray[np.float64]
Played = Mapping[str, tuple[Outcomes, ...]]
"""Outcomes of each condition, one for each replicate."""

USED, NOT_USED, UNDECIDED = "used", "not used", "undecided"

POWER = float(special.ndtri(0.975) + special.ndtri(0.8))
"""An effect of this many standard errors is found four times in five."""


@dataclass(frozen=True)
class Contrast:
    """One question answered; values in units of the measure.

    Attributes:
        kind: see `deixis.audit.rows.Row`.
        of: the intervention as written, or the channel.
        value: the estimate.
        low: lower end of the 95 % interval; NaN with fewer than ten clusters.
        high: upper end.
        error: cluster-robust standard error.
        p: of no difference, sign-flip by cluster or exact McNemar; NaN with too few clusters.
        p_holm: adjusted over the family of gaps; NaN for descriptive rows.
        mde: the smallest difference that would be found four times in five.
        verdict: used, not used (beyond ± margin), or undecided.
        more_clusters: how many more would bring the smallest findable difference to the margin.
        changed: share of trials with another choice than in the base.
        dose: how much was altered.
        altered: the same over altered trials only: value, low, high.
        low_credit: the value with credit 0 for replies that are not ok.
        high_credit: the value with credit 1 for them.
        between: standard deviation between replicates; NaN for one replicate.
        monte_carlo: standard error due to the draws: `between` over the root of their number.
        absent: how absence was made.
        form: name of a normalisation; empty for raw differences.
        blank: a Shapley value with channels absent by ``blank``: value, low, high.
        note: a warning in words.
    """

    kind: str
    of: str
    value: float
    low: float
    high: float
    error: float
    p: float = math.nan
    p_holm: float = math.nan
    mde: float = math.nan
    verdict: str = ""
    more_clusters: int = 0
    changed: float = math.nan
    dose: Mapping[str, float] | None = None
    altered: Mapping[str, float] | None = None
    low_credit: float = math.nan
    high_credit: float = math.nan
    between: float = math.nan
    monte_carlo: float = math.nan
    absent: str = ""
    form: str = ""
    blank: Mapping[str, float] | None = None
    note: str = ""


@dataclass(frozen=True)
class Table:
    """Units × conditions, averaged over replicates within units.

    Attributes:
        values: shape (u, c).
        clusters: of units, shape (u,).
        workers: who made each unit, or "", shape (u,).
        means: of each replicate, shape (r, c); one row where conditions differ in replicates.
        conditions: names of columns.
    """

    values: Floats
    clusters: NDArray[np.str_]
    workers: NDArray[np.str_]
    means: Floats
    conditions: tuple[str, ...]

    @property
    def second(self) -> NDArray[np.str_] | None:
        """The second cluster: who made the units, where that is known of all."""
        return self.workers if (self.workers != "").all() else None

    def row(self, weights: Mapping[str, float]) -> Floats:
        """Weights of conditions as a vector, shape (c,)."""
        made = np.zeros(len(self.conditions))
        for condition, weight in weights.items():
            made[self.conditions.index(condition)] += weight
        return made

    def weights(self, rows: Sequence[Row]) -> tuple[Floats, Floats]:
        """Rows as a matrix, shape (rows, c), and what is to be added to their estimates.

        A ratio n/d becomes its linearisation around the estimate, (n - r·d) / d, whose mean is 0
        and whose spread is that of the ratio; r is added back.
        """
        means = self.values.mean(axis=0)
        made, added = [], []
        for row in rows:
            over, weights = self.row(row.over) @ means, row.scale * self.row(row.weights)
            if not row.over:
                made.append(weights)
                added.append(0.0)
            elif over == 0:
                made.append(np.zeros_like(weights))
                added.append(math.nan)
            else:
                ratio = weights @ means / over
                made.append((weights - ratio * self.row(row.over)) / over)
                added.append(float(ratio))
        return np.array(made), np.array(added)


def tabulate(measure: Measure, played: Played) -> Table:
    """The matrix of everything played; the last column is the credit of a guess.

    Raises:
        BadInput: conditions were not played on the same units.
    """
    conditions = list(played)
    counts = [len(played[c]) for c in conditions]
    flat = [o for c in conditions for o in played[c]]
    each, units = stack(measure, [*flat, flat[0].guessed()])
    edges = np.cumsum([0, *counts])
    values = np.column_stack(
        [each[:, a:b].mean(axis=1) for a, b in pairwise(edges.tolist())] + [each[:, -1]]
    )
    rows = [values.mean(axis=0)]
    if len(set(counts)) == 1:
        chance = each[:, -1].mean()
        rows = [np.append(each[:, edges[:-1] + r].mean(axis=0), chance) for r in range(counts[0])]
    return Table(values, units.clusters, units.workers, np.array(rows), (*conditions, CHANCE))


def infer(
    rows: Sequence[Row],
    measure: Measure,
    played: Played,
    *,
    margin: float,
    population: str = "items",
    resamples: int = 10_000,
    seed: int = 0,
) -> list[Contrast]:
    """Answer every row.

    Args:
        rows: the questions; p values of gaps are adjusted together, by Holm.
        measure: what is compared.
        played: outcomes of every condition that rows mention.
        margin: differences within ± this are no use, in units of the measure.
        population: ``items``: intervals speak of these players on other items; ``training``: of
            other training runs too, the replicates being one training run each.
        resamples: number of cluster resamples and of sign patterns.
        seed: of both.
    """
    table = tabulate(measure, played)
    weights, added = table.weights(rows)
    drawn = resample(
        table.values, table.clusters, weights, second=table.second, n=resamples, seed=seed
    )
    outer, inner = drawn.intervals(0.95), drawn.intervals(0.90)
    between = _between(table, weights)
    if population == "training":
        outer, inner = (_crossed(outer, between, len(table.means), x) for x in (0.95, 0.90))
    enough = outer.clusters >= FEWEST
    p = _p_values(rows, table, drawn, resamples, seed) if enough else np.full(len(rows), np.nan)
    adjusted = _family(rows, p)
    bounds = _bounds(measure, played, table, weights)
    made = []
    for i, row in enumerate(rows):
        contrast = Contrast(
            row.kind,
            row.of,
            *_shifted(outer, i, added[i]),
            float(outer.errors[i]),
            p=float(p[i]),
            p_holm=float(adjusted[i]),
            mde=POWER * float(outer.errors[i]),
            low_credit=float(bounds[0][i]),
            high_credit=float(bounds[1][i]),
            monte_carlo=float(between[i]) / math.sqrt(len(table.means)),
            between=float(between[i]),
            changed=_changed(row, played),
            absent=row.absent,
            form=row.form,
        )
        _, *ends = _shifted(inner, i, added[i])
        judged = judge(contrast, (ends[0], ends[1]), margin, outer.clusters)
        made.append(_defined(judged, row, table))
    return made


def _shifted(found: Intervals, i: int, by: float) -> tuple[float, float, float]:
    """Estimate, low and high of a row, with the constant that its question adds."""
    return (
        float(found.estimates[i] + by),
        float(found.low[i] + by),
        float(found.high[i] + by),
    )


def _defined(contrast: Contrast, row: Row, table: Table) -> Contrast:
    """No ratio where the interval of what it is divided by holds 0; no verdict on ratios."""
    if not row.form:
        return contrast
    bare = replace(contrast, verdict="", more_clusters=0, mde=math.nan)
    if not row.over:
        return bare
    below = t_intervals(table.values, table.clusters, table.row(row.over)[None])
    if below.low[0] <= 0 <= below.high[0] or math.isnan(contrast.value):
        return Contrast(
            row.kind,
            row.of,
            *(math.nan,) * 4,
            form=row.form,
            note="no ratio: what it is divided by may be 0",
        )
    return bare


def judge(contrast: Contrast, inner: tuple[float, float], margin: float, clusters: int) -> Contrast:
    """Give the verdict.

    Not used: the 90 % interval lies within ± margin (two one-sided tests at 5 %). Used: else, the
    95 % interval excludes 0 and p, adjusted where there is a family, is below .05. Undecided: else;
    or fewer than ten clusters; or the sign depends on what replies that are not ok would have been.

    Args:
        contrast: without a verdict.
        inner: its 90 % interval, in units of the measure.
        margin: differences within ± this are no use, in the same units.
        clusters: that intervals are made from.
    """
    bounds = (contrast.low_credit, contrast.high_credit)
    p = contrast.p if math.isnan(contrast.p_holm) else contrast.p_holm
    if clusters < FEWEST:
        return replace(contrast, verdict=UNDECIDED, note=f"fewer than {FEWEST} clusters")
    if min(bounds) < 0 < max(bounds) and abs(contrast.value) > 1e-12:
        return replace(contrast, verdict=UNDECIDED, note="its sign depends on unread replies")
    if -margin < inner[0] and inner[1] < margin:
        return replace(contrast, verdict=NOT_USED)
    if (contrast.low > 0 or contrast.high < 0) and p < 0.05:
        return replace(contrast, verdict=USED)
    more = math.ceil(clusters * ((contrast.mde / margin) ** 2 - 1)) if margin > 0 else 0
    return replace(contrast, verdict=UNDECIDED, more_clusters=max(more, 1))


def _p_values(
    rows: Sequence[Row], table: Table, drawn: Resampled, resamples: int, seed: int
) -> Floats:
    """Sign-flip by cluster; McNemar where each unit stands alone with credits of 0 and 1.

    Where units share annotators across clusters, p is at least that of the two-way t test.
    """
    sums = drawn.sums
    p = sign_flip(sums.totals, n=resamples, seed=seed)
    if len(sums.sizes) == len(table.values):
        for i, row in enumerate(rows):
            pair = [table.conditions.index(c) for c in row.weights]
            plain = sorted(row.weights.values()) == [-1.0, 1.0] and not row.form
            if plain and np.isin(table.values[:, pair], (0, 1)).all():
                p[i] = mcnemar(table.values[:, pair[0]], table.values[:, pair[1]])
    if table.second is not None:
        df = min(len(sums.sizes), len(np.unique(table.second))) - 1
        t = np.abs(sums.estimates) / np.maximum(drawn.errors, 1e-300)
        p = np.maximum(p, np.where(drawn.errors > 0, 2 * special.stdtr(max(df, 1), -t), 0.0))
    return p


def _family(rows: Sequence[Row], p: Floats) -> Floats:
    """P adjusted over the gaps; NaN for the others."""
    adjusted = np.full(len(p), np.nan)
    gaps = np.array([r.kind in ("gap", "compare") for r in rows])
    if gaps.any() and not np.isnan(p[gaps]).any():
        adjusted[gaps] = holm(p[gaps])
    return adjusted


def _bounds(
    measure: Measure, played: Played, table: Table, weights: Floats
) -> tuple[Floats, Floats]:
    """Each row's value with credit 0, and with credit 1, for replies that are not ok."""
    plain = table.values.mean(axis=0)
    if all(o.status.max(initial=0) == 0 for tries in played.values() for o in tries):
        return weights @ plain, weights @ plain
    bounds = []
    for credit in (0.0, 1.0):
        means = [
            float(np.mean([measure.of(o.filled(credit)).values.mean() for o in played[c]]))
            for c in table.conditions[:-1]
        ]
        bounds.append(weights @ np.array([*means, plain[-1]]))
    return bounds[0], bounds[1]


def _between(table: Table, weights: Floats) -> Floats:
    """Standard deviation of each row's value over replicates; NaN for one replicate."""
    if len(table.means) < 2:
        return np.full(len(weights), np.nan)
    each = table.means @ weights.T
    return np.asarray(each.std(axis=0, ddof=1))


def _crossed(made: Intervals, between: Floats, runs: int, level: float) -> Intervals:
    """T intervals whose variance is that of items plus that of training runs.

    Degrees of freedom are those of the fewer, less one: careful where runs are few.

    Raises:
        BadInput: fewer than two runs.
    """
    if runs < 2:
        raise BadInput("--population training needs at least two training runs: --seeds 3")
    errors = np.sqrt(made.errors**2 + between**2 / runs)
    half = special.stdtrit(min(made.clusters, runs) - 1, (1 + level) / 2) * errors
    return replace(made, errors=errors, low=made.estimates - half, high=made.estimates + half)


def _changed(row: Row, played: Played) -> float:
    """Share of trials whose choice is another than in the base, for rows with one condition."""
    others = [c for c in row.weights if c not in ("", CHANCE)]
    if len(others) != 1 or "" not in row.weights:
        return math.nan
    pairs = zip(played[""], played[others[0]], strict=True)
    return float(np.mean([np.mean(a.choice != b.choice) for a, b in pairs]))
