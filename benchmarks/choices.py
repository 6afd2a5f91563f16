"""What one number of a listener is worth on KiloGram's dense split, by folds of its tangrams.

Usage: python benchmarks/choices.py linear|aligned FIELD VALUE… where values are Python's, such as
`python benchmarks/choices.py linear measured 1.0 2.0 4.0`. The numbers in `Choices` were chosen so,
one after the other; the published contexts of val had no say in it.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import deixis
from deixis.outcomes import Outcomes
from deixis.runs.prepare import build, prepare
from deixis.runs.summary import averaged
from deixis.tasks.task import Task
from deixis.units import MEASURES

CONDITIONS = {"parts+color": "", "whole+black": "parts=drop,color=drop"}


def by_folds(task: Task, name: str, field: str, value: object) -> Outcomes:
    """Credits of a listener that never learnt from the tangrams it is asked about."""
    learner = build(name, task)
    learner.choices = replace(learner.choices, **{field: value})  # type: ignore[union-attr]
    return deixis.play(task, prepare(learner, task), []).base[0]


def main() -> None:
    """Print one line for each value and condition."""
    name, field, *values = sys.argv[1:]
    data = Path(os.environ.get("DEIXIS_DATA", "data"))
    dense = deixis.make(deixis.load("kilogram:dense", data), "kilogram:dense")
    for text in values:
        for title, condition in CONDITIONS.items():
            task = dense.do(condition) if condition else dense
            found = by_folds(task, name, field, ast.literal_eval(text))
            mean, low, high = averaged(MEASURES["accuracy"], [found])
            said = {"player": name, field: text, "condition": title}
            print(json.dumps({**said, "accuracy": mean, "low": low, "high": high}), flush=True)


if __name__ == "__main__":
    main()
