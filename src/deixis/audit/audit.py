"""The audit: which of its inputs does a player really use?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from deixis.audit import gradual
from deixis.audit import rows as ask
from deixis.audit.altered import Dosage, dosage, gap_where_altered
from deixis.audit.emap import Emap
from deixis.audit.gradual import Point
from deixis.audit.infer import Contrast, infer
from deixis.audit.rows import Row
from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.runs.play import Run
from deixis.runs.summary import averaged, head, measured, members, results, subsets
from deixis.stats.clustered import FEW, FEWEST
from deixis.tasks.task import Task
from deixis.units import MEASURES, Measure

RETRAINED = "retrained:"
"""Prefix of the pseudo-conditions of players whose training lacked a channel."""

NORMAL = 1.959964
"""Half the width of a 95 % normal interval, in standard errors."""

BLANKED = "shapley by blank"
"""The kind of rows that end up beside the Shapley values of the named absence."""

TEXT_ONLY = "text-only"
"""The pseudo-condition of a player that reads texts only."""

Play = Callable[[Sequence[str]], Run]
"""Plays the base and these conditions."""

Retrain = Callable[[str], Run]
"""Trains without an input, plays the base and the same intervention, and returns that run."""


@dataclass(frozen=True)
class Spec:
    """What to ask.

    Attributes:
        do: conditions, as written; empty for every open channel taken away.
        shapley: whether to play all coalitions.
        absent: ``CHANNEL=OPERATOR`` where the usual absence is not wanted.
        margin: in points; None for the measure's own (1, or .5 for percentile ranks).
        population: ``items`` or ``training``.
        gradual: whether to give the parts one by one.
        resamples: of clusters.
        seed: of resamples.
    """

    do: tuple[str, ...] = ()
    shapley: bool = False
    absent: tuple[str, ...] = ()
    margin: float | None = None
    population: str = "items"
    gradual: bool = False
    resamples: int = 10_000
    seed: int = 0


@dataclass(frozen=True)
class Audit:
    """An audit's answers.

    Attributes:
        run: what was played.
        measure: the primary measure.
        margin: in units of the measure.
        contrasts: every question's answer.
        conditions: what was played, with every measure, also on the dataset's subsets, and dose.
        none: the primary measure with every open channel absent.
        all: the same with all present.
        sham: the gap of an intervention that changes nothing.
        warnings: in words.
        absent: the intervention that takes each open channel away.
        gradual: curves over parts given, where asked for.
    """

    run: Run
    measure: Measure
    margin: float
    contrasts: tuple[Contrast, ...]
    conditions: tuple[Mapping[str, Any], ...]
    none: float
    all: float
    sham: float
    warnings: tuple[str, ...]
    absent: Mapping[str, str]
    gradual: tuple[Point, ...] = ()

    def of(self, kind: str) -> list[Contrast]:
        """The contrasts of one kind, in order."""
        return [c for c in self.contrasts if c.kind == kind]

    def json(self) -> dict[str, Any]:
        """The object that ``audit --json`` prints."""
        return {
            "schema": "deixis/audit/1",
            **head(self.run),
            **results(self.run),
            "measure": self.measure.name,
            "margin": self.margin * self.measure.scale,
            "conditions": list(self.conditions),
            "contrasts": [dict(c.__dict__) for c in self.contrasts],
            "none": self.none,
            "all": self.all,
            "sham": self.sham,
            "absent": dict(self.absent),
            "gradual": [asdict(p) for p in self.gradual],
            "warnings": list(self.warnings),
        }


def audit(
    task: Task,
    play: Play,
    spec: Spec = Spec(),
    *,
    retrain: Retrain | None = None,
    text_only: Play | None = None,
) -> Audit:
    """Play all that is needed and answer all that was asked.

    Args:
        task: with its base condition.
        play: plays conditions with the player that is audited.
        spec: what to ask.
        retrain: where given, trains again without each open channel.
        text_only: where given, plays conditions with a player that reads texts only, for
            multi-modal gain and leakage.

    Raises:
        BadInput: a condition does not fit the task, or nothing is open to be taken away.
    """
    measure = MEASURES[task.about.measures[0]]
    margin = _margin(measure, spec.margin)
    absent = ask.absences(task, spec.absent)
    if not absent and not spec.do:
        raise BadInput(f"{task.name}: the base condition leaves no channel to take away")
    conditions = spec.do or tuple(absent.values())
    asked = _questions(task, spec, conditions, absent)
    nothing = ask.coalition(absent, ())
    wanted = [*ask.needed(asked), *([nothing] if nothing else [])]
    # Trained again for what is asked about, not for other questions of the same audit.
    missing = {c: one for c, one in absent.items() if retrain is not None and one in conditions}
    if text_only is not None:
        blind = ask.without_pictures(task, absent)
        wanted.append(blind)
    run = play([*wanted, *(gradual.conditions(task) if spec.gradual else [])])
    played = dict(run.outcomes)
    if retrain is not None:
        for channel, one in missing.items():
            played[RETRAINED + one] = retrain(one).outcomes[one]
            asked += _needed(channel, one)
    if text_only is not None:
        played[TEXT_ONLY] = text_only([blind]).outcomes[blind]
        asked += ask.gain_and_leakage(blind, TEXT_ONLY)
    contrasts = infer(
        asked,
        measure,
        played,
        margin=margin,
        population=spec.population,
        resamples=spec.resamples,
        seed=spec.seed,
    )
    doses = {c: dosage(task, c) for c in dict.fromkeys(conditions)}
    contrasts = [_with_dose(c, measure, played, task, doses) for c in contrasts]
    return Audit(
        run=run,
        measure=measure,
        margin=margin,
        contrasts=tuple(_folded(contrasts)),
        conditions=tuple(_conditions(task, run.outcomes, doses)),
        none=averaged(measure, played[nothing])[0],
        all=averaged(measure, played[""])[0],
        sham=next(c.value for c in contrasts if c.kind == "sham"),
        warnings=tuple(_warnings(run, contrasts, doses)),
        absent=absent,
        gradual=tuple(gradual.curves(task, played)) if spec.gradual else (),
    )


def with_emap(given: Audit, found: Emap) -> Audit:
    """The audit with the worth of relating texts and pictures added."""
    of = f"additive projection, {found.n} trials"
    error = (found.high - found.low) / (2 * NORMAL)
    contrast = Contrast("emap", of, found.value, found.low, found.high, error)
    return replace(given, contrasts=(*given.contrasts, contrast))


def _questions(
    task: Task, spec: Spec, conditions: Sequence[str], absent: Mapping[str, str]
) -> list[Row]:
    asked = ask.gaps(conditions)
    asked += ask.perceptual(task, conditions) + ask.curves(conditions)
    asked += ask.priors(task, absent)
    if spec.shapley:
        how = ask.way(absent)
        asked += ask.shapley(absent, how) + ask.interactions(absent, how)
        if all(_takes_blank(task, c) for c in absent):
            blanked = ask.shapley(ask.blanks(task), "blank")
            asked += [replace(row, kind=BLANKED) for row in blanked]
    return [*asked, ask.sham(task)]


def _takes_blank(task: Task, channel: str) -> bool:
    try:
        task.do(f"{channel}=blank")
    except BadInput:
        return False
    return True


def _needed(channel: str, intervention: str) -> list[Row]:
    """What training without the channel costs, and what it wins back."""
    key = RETRAINED + intervention
    return [
        Row("needed", channel, {"": 1.0, key: -1.0}),
        Row("redundant", channel, {key: 1.0, intervention: -1.0}),
    ]


def _margin(measure: Measure, points: float | None) -> float:
    if points is None:
        points = 1.0 if measure.scale == 100 else 0.5
    if not 0 < points < math.inf:
        raise BadInput(f"--margin: expected more than 0 points, got {points:g}")
    return points / measure.scale


def _with_dose(
    contrast: Contrast,
    measure: Measure,
    played: Mapping[str, tuple[Outcomes, ...]],
    task: Task,
    doses: Mapping[str, Dosage],
) -> Contrast:
    given = doses.get(contrast.of)
    if given is None or contrast.kind not in ("gap", "perceptual"):
        return contrast
    base, other = played[""][0], played[contrast.of][0]
    altered = gap_where_altered(measure, base, other, task, given)
    return replace(contrast, dose=given.json(), altered=altered)


def _folded(contrasts: Sequence[Contrast]) -> list[Contrast]:
    """Shapley values by ``blank`` put beside those of the named absence; turning signs marked."""
    blank = {c.of: c for c in contrasts if c.kind == BLANKED}
    made = []
    for c in contrasts:
        other = blank.get(c.of) if c.kind == "shapley" else None
        if other is not None:
            beside = {"value": other.value, "low": other.low, "high": other.high}
            turns = c.value * other.value < 0 and max(abs(c.value), abs(other.value)) > 1e-9
            note = "its sign depends on how absence is made" if turns else c.note
            c = replace(c, blank=beside, note=note)
        if c.kind != BLANKED:
            made.append(c)
    return made


def _conditions(
    task: Task, played: Mapping[str, tuple[Outcomes, ...]], doses: Mapping[str, Dosage]
) -> list[dict[str, Any]]:
    named = members(task)
    return [
        {
            "do": condition,
            "measures": measured(task.about.measures, outcomes)[0],
            "subsets": subsets(task, outcomes, named) if condition in ("", *doses) else {},
            "dose": doses[condition].json() if condition in doses else None,
        }
        for condition, outcomes in played.items()
    ]


def _warnings(run: Run, contrasts: Sequence[Contrast], doses: Mapping[str, Dosage]) -> list[str]:
    clusters = len(set(run.base[0].clusters.tolist()))
    said = []
    if clusters < FEWEST:
        said.append(f"{clusters} clusters of {run.task.cluster}: too few for any interval")
    elif clusters < FEW:
        said.append(f"{clusters} clusters of {run.task.cluster}: intervals are rough below {FEW}")
    for condition, given in doses.items():
        if not given.trials:
            said.append(f"{condition} altered nothing")
    odd = {s: n for s, n in head(run)["statuses"].items() if s != "ok"}
    if odd:
        listed = ", ".join(f"{n} {s}" for s, n in odd.items())
        said.append(f"not all replies could be scored: {listed}; they count at chance")
    sham = next(c for c in contrasts if c.kind == "sham")
    if abs(sham.value) > 1e-12:
        said.append(f"the sham row is {sham.value:.4g}, not 0: the player replies at random")
    return said
