"""Which conditions an audit needs, and each of its questions as a row of weights over them.

A gap, a Shapley value, an interaction, a prior and a slope are all sums of weighted conditions;
so one matrix of outcomes and one set of resamples answer them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from deixis.errors import BadInput
from deixis.interventions.condition import Intervention, parse_condition, show
from deixis.tasks.task import ORDER, Task

CHANCE = "<chance>"
"""The pseudo-condition whose value is the credit of a guess."""

MOST = 6
"""Most channels for Shapley values: 2 to this power conditions are played."""

SHAM = "same"
"""The operator that changes nothing."""


@dataclass(frozen=True)
class Row:
    """One question.

    Attributes:
        kind: gap, shapley, interaction, curve, perceptual, prior, needed, redundant, gain, leakage
            or sham.
        of: the intervention as written, or the channel.
        weights: of conditions.
        absent: how absence was made, for kinds where it may vary.
        form: the name of a normalisation; empty for the raw difference.
        over: weights of conditions whose sum the row is divided by; none for the raw difference.
        scale: a constant that the row is multiplied with.
    """

    kind: str
    of: str
    weights: Mapping[str, float]
    absent: str = ""
    form: str = ""
    over: Mapping[str, float] = field(default_factory=dict)
    scale: float = 1.0


def open_channels(task: Task) -> tuple[str, ...]:
    """Atoms that somebody reads and that the base condition leaves alone."""
    touched = {i.channel for i in task.condition}
    for channel in task.channels.values():
        if channel.name in touched and channel.kind != ORDER:
            touched |= set(channel.atoms)
        if channel.reader not in (None, *task.readers):
            touched.add(channel.name)
    return tuple(a for a in task.atoms if a not in touched)


def absences(task: Task, given: Iterable[str] = ()) -> dict[str, str]:
    """The intervention that takes each open channel away.

    Args:
        task: the task.
        given: ``CHANNEL=OPERATOR`` for channels whose own absence is not wanted.

    Raises:
        BadInput: a channel that is not open, or an operator it does not take.
    """
    made = {c: f"{c}={task.channels[c].absent}" for c in open_channels(task)}
    for text in given:
        one = Intervention.parse(text)
        task.operator(one)
        if one.channel not in made:
            raise BadInput(f"--absent {text}: expected one of {', '.join(made)}")
        made[one.channel] = str(one)
    return made


def blanks(task: Task) -> dict[str, str]:
    """The same by the operator ``blank``."""
    return {c: f"{c}=blank" for c in open_channels(task)}


def way(absent: Mapping[str, str]) -> str:
    """The name of how channels are taken away: their operator, or ``mixed``.

    >>> way({"whole": "whole=drop", "parts": "parts=drop"})
    'drop'
    """
    operators = {Intervention.parse(one).operator for one in absent.values()}
    return operators.pop() if len(operators) == 1 else "mixed"


def gaps(conditions: Sequence[str]) -> list[Row]:
    """What each condition costs: base less condition."""
    return [Row("gap", c, {"": 1.0, c: -1.0}) for c in conditions]


def coalition(absent: Mapping[str, str], present: Iterable[str]) -> str:
    """The condition in which only these channels are present.

    >>> coalition({"whole": "whole=drop", "parts": "parts=drop"}, ["parts"])
    'whole=drop'
    """
    kept = set(present)
    return ",".join(one for channel, one in absent.items() if channel not in kept)


def shapley(absent: Mapping[str, str], how: str) -> list[Row]:
    """Exact Shapley values of channels (Shapley, 1953), over all coalitions.

    Args:
        absent: the intervention that takes each channel away.
        how: name of the way of absence.

    Raises:
        BadInput: more than `MOST` channels.
    """
    channels = list(absent)
    n = len(channels)
    if n > MOST:
        raise BadInput(f"Shapley values of {n} channels need {2**n} conditions; at most {MOST}")
    rows = []
    for channel in channels:
        others = [c for c in channels if c != channel]
        weights: dict[str, float] = {}
        for size in range(n):
            share = math.factorial(size) * math.factorial(n - size - 1) / math.factorial(n)
            for members in combinations(others, size):
                for sign, present in ((1, (*members, channel)), (-1, members)):
                    condition = coalition(absent, present)
                    weights[condition] = weights.get(condition, 0.0) + sign * share
        rows.append(Row("shapley", channel, weights, how))
    return rows


def interactions(absent: Mapping[str, str], how: str) -> list[Row]:
    """Loss of two channels together beyond the sum of their losses apart.

    gap(a, b) - gap(a) - gap(b): positive where either can stand in for the other, negative where
    each is of use only with the other.
    """
    rows = []
    for a, b in combinations(absent, 2):
        both = f"{absent[a]},{absent[b]}"
        weights = {"": -1.0, both: -1.0, absent[a]: 1.0, absent[b]: 1.0}
        rows.append(Row("interaction", f"{a}*{b}", weights, how))
    return rows


def priors(task: Task, absent: Mapping[str, str]) -> list[Row]:
    """What texts alone, and pictures alone, are worth above chance."""
    texts = _texts(task, absent)
    pictures = [c for c in absent if c not in texts]
    if not texts or not pictures:
        return []
    return [
        Row("prior", name, {coalition(absent, kept): 1.0, CHANCE: -1.0})
        for name, kept in (("text", texts), ("picture", pictures))
    ]


def perceptual(task: Task, conditions: Sequence[str]) -> list[Row]:
    """Perceptual scores (Gat, Schwartz and Schwing, 2021): gaps under ``shuffle``.

    The raw gap first; then divided by the unaltered score (model-normalised), and by what is to be
    won over the best guess, 1 - majority (task-normalised).
    """
    rows = []
    for condition in conditions:
        one, *more = parse_condition(condition)
        if one.operator == "shuffle" and not more:
            weights = {"": 1.0, condition: -1.0}
            rows.append(Row("perceptual", condition, weights))
            rows.append(
                Row("perceptual", condition, weights, form="model-normalised", over={"": 1.0})
            )
            if task.kind != "guessing" and task.best_guess < 1:
                scale = 1 / (1 - task.best_guess)
                rows.append(
                    Row("perceptual", condition, weights, form="task-normalised", scale=scale)
                )
    return rows


def without_pictures(task: Task, absent: Mapping[str, str]) -> str:
    """The condition in which only texts are left."""
    return coalition(absent, _texts(task, absent))


def gain_and_leakage(blind: str, key: str) -> list[Row]:
    """Multi-modal gain and leakage (MMStar: Chen et al., 2024).

    Gain: the score with pictures less that without. Leakage: the score without pictures less that
    of a text-only player, which has seen no multi-modal training data; the paper's max(0, ·) is
    left to the reader of the interval.

    Args:
        blind: the condition without pictures.
        key: the pseudo-condition of the text-only player, who gets no pictures either.
    """
    return [
        Row("gain", "picture", {"": 1.0, blind: -1.0}),
        Row("leakage", "picture", {blind: 1.0, key: -1.0}),
    ]


def _texts(task: Task, absent: Mapping[str, str]) -> list[str]:
    return [c for c in absent if task.channels[c].kind in ("text", "names")]


def curves(conditions: Sequence[str]) -> list[Row]:
    """Slopes of loss over dose, where one operator is given at several doses.

    The row is the least-squares slope through the doses and the unaltered 0; its points are the
    gaps themselves.
    """
    families: dict[str, list[tuple[float, str]]] = {}
    for condition in conditions:
        found = dose_of(condition)
        if found is not None:
            family, dose = found
            families.setdefault(family, []).append((dose, condition))
    rows = []
    for family, points in families.items():
        doses = [0.0, *(d for d, _ in points)]
        mean = sum(doses) / len(doses)
        spread = sum((d - mean) ** 2 for d in doses)
        if len(points) > 1 and spread > 0:
            weights = {"": mean / spread}
            weights |= {c: -(d - mean) / spread for d, c in points}
            rows.append(Row("curve", family, weights))
    return rows


def sham(task: Task) -> Row:
    """Identity through the same path: whatever is not 0 here is noise of the player."""
    channel = open_channels(task)[0] if open_channels(task) else task.atoms[0]
    condition = f"{channel}={SHAM}"
    return Row("sham", condition, {"": 1.0, condition: -1.0})


def needed(rows: Iterable[Row]) -> list[str]:
    """Conditions to play besides the base, in order of first mention."""
    mentioned = (c for r in rows for c, w in r.weights.items() if w)
    return [c for c in dict.fromkeys(mentioned) if c not in ("", CHANCE)]


def dose_of(condition: str) -> tuple[str, float] | None:
    """What a condition is a dose of, and the dose; None where it is none.

    >>> dose_of("answer=words:0.8@5"), dose_of("color=drop")
    (('answer=words@5', 0.8), None)
    """
    one, *more = parse_condition(condition)
    number, _, rest = one.argument.partition(":")
    if more or not number.replace(".", "", 1).isdigit():
        return None
    return show((replace(one, argument=rest),)), float(number)
