"""Who took part: answers to a study's surveys, above all on the languages that people speak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deixis.dataset import Dataset
from deixis.measures.judged import answered
from deixis.measures.section import Options, Section, Table
from deixis.plain import number, percent

LEAST = 2
"""Answers that fewer people gave are not named: they might tell who it was."""


def participants(dataset: Dataset, options: Options) -> Section:
    """The section on participants; empty where there was no survey."""
    surveys: Mapping[str, Mapping[str, Any]] = dataset.extras.get("surveys", {})
    if not surveys:
        return Section()
    questions = list(dict.fromkeys(q for given in surveys.values() for q in given))
    found = {q: summary(list(answered(surveys, q).values())) for q in questions}
    fields = {"participants": {"people": len(surveys), "questions": found}}
    rows = [row for q, one in found.items() for row in _rows(q, one, len(surveys))]
    columns = ["question", "answer", "people", "% of who answered", "level"]
    return Section(fields, [Table(f"{len(surveys)} participants", columns, rows)])


def summary(values: Sequence[Any]) -> dict[str, Any]:
    """What was answered to one question.

    Args:
        values: one for each person: a text, a number, a list of texts, or a list of languages,
            each with how well it is spoken, from 1 to 5.

    >>> summary(["Yes", "Yes", "No"])["answers"]
    {'Yes': 2, 'answers of fewer than 2 people': 1}
    >>> spoken = [[{"language": "Hindi", "level": 4}], [{"language": "Hindi", "level": 5}]]
    >>> summary(spoken)["levels"]
    {'Hindi': 4.5}
    """
    if values and all(isinstance(v, (int, float)) for v in values):
        numbers = np.array(values, np.float64)
        return {
            "people": len(values),
            "mean": float(numbers.mean()),
            "sd": float(numbers.std()),
            "min": float(numbers.min()),
            "max": float(numbers.max()),
        }
    lists = [v if isinstance(v, list) else [v] for v in values]
    named = [[_name(one) for one in own] for own in lists]
    counted = Counter(name for own in named for name in dict.fromkeys(own))
    levels: dict[str, list[float]] = {}
    for own in lists:
        for one in own:
            if isinstance(one, Mapping):
                levels.setdefault(_name(one), []).append(float(one["level"]))
    found: dict[str, Any] = {"people": len(values), "answers": _told(counted)}
    if levels:
        found["levels"] = {n: float(np.mean(levels[n])) for n in found["answers"] if n in levels}
        found["several"] = sum(len(set(own)) > 1 for own in named)
    return found


def _name(one: Any) -> str:
    return str(one["language"] if isinstance(one, Mapping) else one)


def _told(counted: Counter[str]) -> dict[str, int]:
    """How many gave each answer, most frequent first; rare ones together."""
    told = {name: n for name, n in counted.most_common() if n >= LEAST}
    rare = sum(n for n in counted.values() if n < LEAST)
    return {**told, f"answers of fewer than {LEAST} people": rare} if rare else told


def _rows(question: str, one: Mapping[str, Any], people: int) -> list[list[str]]:
    n = one["people"]
    rows = []
    if "mean" in one:
        spread = f"{number(one['mean'], 2)} ± {number(one['sd'], 2)}"
        rows.append([question, f"mean {spread}", str(n), "", ""])
    for name, count in one.get("answers", {}).items():
        level = number(one.get("levels", {}).get(name, float("nan")), 1)
        rows.append([question, name, str(count), percent(count / n), "" if level == "–" else level])
    if "several" in one:
        several = one["several"]
        rows.append([question, "more than one", str(several), percent(several / n), ""])
    if n < people:
        rows.append([question, "left open", str(people - n), "", ""])
    return rows
