"""Whether people are right more often under one condition than under another, and over time.

The published study (Ji et al., EMNLP 2022) fits a mixed logit with crossed random effects of
people and targets. Here the same question is asked with fixed effects only and with errors that
allow for both kinds of clusters, and once more without a model, by a bootstrap of both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.measures.conditions_told import (
    by_condition_table,
    effects_table,
    figures,
    modes_table,
)
from deixis.measures.judged import Judged
from deixis.measures.mixture import mixtures
from deixis.measures.people import Worker
from deixis.measures.section import Options, Section
from deixis.stats.clustered_logit import Fit, clustered_logit
from deixis.stats.crossed import crossed_means
from deixis.stats.rates import wilson
from deixis.stats.tests import holm

Floats = NDArray[np.float64]

QUICK = 2.0
"""Seconds; sooner nobody has read and looked (the published rule)."""

FAILED, SOON = "of a worker who failed a catch trial", f"made within {QUICK:g} s"
CATCH = "a catch trial itself"

BINS = 5


@dataclass(frozen=True)
class Kept:
    """Judgments that count, and what was left out.

    Attributes:
        judgments: in their order.
        left_out: judgments by rule; each counts under the first rule that it meets.
        workers: workers who lost a judgment, by rule.
    """

    judgments: Sequence[Judged]
    left_out: Mapping[str, int]
    workers: Mapping[str, int]


def kept(judgments: Sequence[Judged], *, exclude: bool = True) -> Kept:
    """Apply the rules of exclusion: rejected claims, catch trials, who failed one, too soon.

    Args:
        judgments: all.
        exclude: whether workers who failed and judgments that came too soon are left out; catch
            trials themselves and rejected claims never count.

    >>> a = Judged("1", "w", "i", "c", True, seconds=1.0)
    >>> kept([a]).left_out, len(kept([a], exclude=False).judgments)
    ({'made within 2 s': 1}, 1)
    """
    failed = {j.worker for j in judgments if j.catch and not j.right}
    left_out: Counter[str] = Counter()
    who: dict[str, set[str]] = {}
    found = []
    for one in judgments:
        why = one.void or (CATCH if one.catch else "")
        if not why and exclude:
            # NaN is not sooner than anything.
            why = FAILED if one.worker in failed else SOON if one.seconds <= QUICK else ""
        if why:
            left_out[why] += 1
            who.setdefault(why, set()).add(one.worker)
        else:
            found.append(one)
    return Kept(found, dict(left_out), {why: len(names) for why, names in who.items()})


def effects(judgments: Sequence[Judged], reference: str) -> dict[str, Any]:
    """Log-odds of being right under each condition against the reference, and what they mean.

    Returns:
        ``undefined`` with the reason, or ``conditions``: log-odds, its error, interval, odds ratio,
        p and Holm's p, of each condition but the reference; ``steady`` names those under which all
        judgments were right, or all wrong: their log-odds are infinite.
    """
    steady = _steady(judgments)
    if reference in steady:
        why = f"under {reference}, the reference, all judgments were right or all wrong"
        return {"reference": reference, "undefined": why}
    used = [j for j in judgments if j.condition not in steady]
    names = sorted({j.condition for j in used} - {reference})
    if not names:
        return {"reference": reference, "undefined": "there is no other condition to compare"}
    own = np.array([j.condition for j in used])
    design = np.column_stack([np.ones(len(own)), *(own == name for name in names)])
    made = _fitted(design, used)
    if isinstance(made, str):
        return {"reference": reference, "undefined": made}
    low, high = made.interval()
    adjusted = holm(made.p[1:])
    return {
        "reference": reference,
        "df": made.df,
        "steady": steady,
        "conditions": {
            name: {
                "log_odds": made.coefficients[i],
                "error": made.errors[i],
                "interval": [low[i], high[i]],
                "odds_ratio": math.exp(made.coefficients[i]),
                "p": made.p[i],
                "p_holm": adjusted[i - 1],
            }
            for i, name in enumerate(names, start=1)
        },
    }


def over(judgments: Sequence[Judged], what: str) -> dict[str, Any]:
    """How being right changes with the trial's number or the logarithm of the response time.

    The regression has an own level for each condition, so that conditions that take longer or come
    later are not mistaken for time.

    Args:
        judgments: those that count.
        what: ``trial`` (log-odds for each ten trials) or ``seconds`` (for each doubling).
    """
    known = [j for j in judgments if (j.trial > 0 if what == "trial" else j.seconds > 0)]
    bins = _binned([j.trial if what == "trial" else j.seconds for j in known], known)
    # Where all are right whatever the time, a condition's own level takes up all there is.
    steady = _steady(known)
    known = [j for j in known if j.condition not in steady]
    values = np.array([j.trial / 10 if what == "trial" else math.log2(j.seconds) for j in known])
    if len(known) < 2 or np.ptp(values) == 0:
        lacking = "trial numbers" if what == "trial" else "times"
        return {"undefined": f"{lacking} are not known, or all the same", "bins": bins}
    own = np.array([j.condition for j in known])
    levels = [own == name for name in np.unique(own)]
    made = _fitted(np.column_stack([values - values.mean(), *levels]), known)
    if isinstance(made, str):
        return {"undefined": made, "bins": bins}
    low, high = made.interval()
    return {
        "log_odds": made.coefficients[0],
        "error": made.errors[0],
        "interval": [low[0], high[0]],
        "p": made.p[0],
        "steady": steady,
        "per": "ten trials" if what == "trial" else "doubling of the time",
        "bins": bins,
    }


def by_condition(
    judgments: Sequence[Judged], reference: str, *, resamples: int, seed: int
) -> dict[str, Any]:
    """Accuracy under each condition and its difference from the reference, by the bootstrap.

    Args:
        judgments: of all conditions.
        reference: the condition that others are compared with.
        resamples: how many, of workers and groups of items; 0 for no intervals.
        seed: of these.

    Returns:
        By condition, numbers of judgments, workers and items, accuracies as fractions with their
        95 % intervals, and mean and standard deviation over workers.
    """
    right = np.array([float(j.right) for j in judgments])
    own = np.array([j.condition for j in judgments])
    workers = np.array([j.worker for j in judgments])
    drawn: Mapping[str, Floats] = {}
    if resamples:
        groups = np.array([j.group for j in judgments])
        drawn = crossed_means(right, workers, groups, own, n=resamples, seed=seed)
    found = {}
    for name in sorted(set(own.tolist())):
        mask = own == name
        accuracy = float(right[mask].mean())
        shares = [right[mask & (workers == w)].mean() for w in np.unique(workers[mask])]
        one: dict[str, Any] = {
            "n": int(mask.sum()),
            "workers": len(shares),
            "items": len({j.item for j in judgments if j.condition == name}),
            "accuracy": accuracy,
            "interval": _interval(drawn.get(name), accuracy, len(shares)),
            "worker_mean": float(np.mean(shares)),
            "worker_sd": float(np.std(shares)),
        }
        if name != reference:
            gap = drawn[name] - drawn[reference] if drawn else None
            one["difference"] = accuracy - float(right[own == reference].mean())
            one["difference_interval"] = _interval(gap)
        found[name] = one
    return found


def conditions(dataset: Dataset, options: Options) -> Section:
    """The section on people's judgments under conditions.

    Raises:
        BadInput: the reference is no condition of theirs.
    """
    everything: list[Judged] = list(dataset.records.values())
    if not everything:
        return Section()
    told: dict[str, Any] = {}
    used = kept(everything)
    if not used.judgments:
        return Section(notes=[f"{dataset.name}: no judgment is left to measure"])
    reference = options.reference or used.judgments[0].condition
    if reference not in {j.condition for j in used.judgments}:
        known = ", ".join(sorted({j.condition for j in used.judgments}))
        raise BadInput(f"--reference: {dataset.name} has no condition {reference!r} ({known})")
    how: dict[str, Any] = {"resamples": options.resamples, "seed": options.seed}
    for name, rows in (("kept", used), ("everybody", kept(everything, exclude=False))):
        told[name] = {
            "judgments": len(rows.judgments),
            "workers": len({j.worker for j in rows.judgments}),
            "conditions": by_condition(rows.judgments, reference, **how),
            "logit": effects(rows.judgments, reference),
            "over_trial": over(rows.judgments, "trial"),
            "over_seconds": over(rows.judgments, "seconds"),
        }
    modes = _modes(used.judgments, options.seed)
    fields = {
        "people_by_condition": told,
        "exclusions": {
            why: {"judgments": n, "workers": used.workers[why]} for why, n in used.left_out.items()
        },
        "mixtures_by_condition": {
            name: {kind: [m.fields() for m in fitted] for kind, fitted in by_kind.items()}
            for name, by_kind in modes.items()
        },
    }
    notes = [f"left out: {n:,} judgments, {why} ({used.workers[why]} workers)"
             for why, n in used.left_out.items()]  # fmt: skip
    for what, said in (("logit", "logit"), ("over_trial", "trials"), ("over_seconds", "times")):
        one = told["kept"][what]
        if "undefined" in one:
            notes.append(f"{said}: {one['undefined']}")
        elif one["steady"]:
            notes.append(f"{said}: all right or all wrong under {', '.join(one['steady'])}")
    tables = [*(by_condition_table(who, told[who], reference) for who in told), effects_table(told),
              modes_table(modes)]  # fmt: skip
    return Section(fields, [t for t in tables if t.rows], figures(told["kept"]), notes)


def _fitted(design: Floats, judgments: Sequence[Judged]) -> Fit | str:
    """The fit, or why there is none."""
    right = np.array([float(j.right) for j in judgments])
    workers = np.array([j.worker for j in judgments])
    groups = np.array([j.group for j in judgments])
    try:
        return clustered_logit(np.asarray(design, np.float64), right, workers, groups)
    except BadInput as error:
        return str(error)


def _interval(drawn: Floats | None, mean: float = 0.5, workers: int = 0) -> list[float] | None:
    """The middle 95 %; where all were right or wrong Wilson's on the workers, never of width 0."""
    if drawn is None or not np.isfinite(drawn).any():
        return None
    if mean in (0.0, 1.0):
        return list(wilson(mean * workers, workers))
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return [float(low), float(high)]


def _steady(judgments: Sequence[Judged]) -> list[str]:
    """Conditions under which all judgments were right, or all wrong."""
    met: dict[str, set[bool]] = {}
    for one in judgments:
        met.setdefault(one.condition, set()).add(one.right)
    return sorted(name for name, said in met.items() if len(said) == 1)


def _binned(numbers: Sequence[float], judgments: Sequence[Judged]) -> list[dict[str, float]]:
    """Accuracy in fifths of the judgments, by ascending value; equal values stay together."""
    if not numbers:
        return []
    values = np.array(numbers, np.float64)
    right = np.array([float(j.right) for j in judgments])
    edges = np.unique(np.quantile(values, np.linspace(0, 1, BINS + 1)))
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, max(len(edges) - 2, 0))
    return [
        {
            "from": float(values[place == b].min()),
            "to": float(values[place == b].max()),
            "middle": float(np.median(values[place == b])),
            "n": int((place == b).sum()),
            "accuracy": float(right[place == b].mean()),
        }
        for b in np.unique(place)
    ]


def _modes(judgments: Sequence[Judged], seed: int) -> dict[str, dict[str, Any]]:
    """Mixtures of workers' accuracies under each condition."""
    found = {}
    for name in sorted({j.condition for j in judgments}):
        counted: dict[str, list[int]] = {}
        for one in judgments:
            if one.condition == name:
                row = counted.setdefault(one.worker, [0, 0])
                row[0] += one.right
                row[1] += 1
        workers = [Worker(who, right, n) for who, (right, n) in sorted(counted.items())]
        found[name] = {k: mixtures(workers, k, seed) for k in ("gaussian", "binomial")}
    return found
