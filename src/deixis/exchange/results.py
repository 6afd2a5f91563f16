"""A run's results for other programs and for papers: JSON, LaTeX, and a section of a card."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deixis import registry
from deixis.audit.infer import Contrast, infer
from deixis.audit.rows import gaps
from deixis.plain import number, plain
from deixis.runs.held import Held
from deixis.runs.summary import measured
from deixis.tasks.task import Kind
from deixis.units import MEASURES, Measure


@dataclass(frozen=True)
class Line:
    """One condition.

    Attributes:
        condition: as written; empty for the base.
        value: of the primary measure, in points; after the last round where there are rounds.
        low: lower end of its 95 % interval.
        high: upper end.
        n: trials.
        gap: what it costs against the base; None for the base.
    """

    condition: str
    value: float
    low: float
    high: float
    n: int
    gap: Contrast | None


def measures_of(held: Held) -> tuple[str, ...]:
    """What is measured in a run: all that its kind of task has and its outcomes allow."""
    kind: Kind = registry.find("tasks", "kind", held.spec["task"])
    first = held.outcomes[""][0]
    grouped = bool((first.groups != "").all())
    if grouped and kind.forms:
        # A run's folder does not name the form of its dataset; groups and strata show it.
        form = "winoground" if set(first.strata.tolist()) == {"text", "image"} else "groups"
        return kind.forms[form]
    return tuple(m for m in kind.measures if grouped or m != "consistency")


def lines(held: Held) -> list[Line]:
    """Every condition of a run, the base first, with its gap."""
    measure = MEASURES[measures_of(held)[0]]
    others = [c for c in held.outcomes if c]
    margin = (1.0 if measure.scale == 100 else 0.5) / measure.scale
    found = infer(gaps(others), measure, held.outcomes, margin=margin) if others else []
    by_condition = {c.of: c for c in found}
    return [_line(c, held, measure, by_condition.get(c)) for c in ["", *others]]


def _line(condition: str, held: Held, measure: Measure, gap: Contrast | None) -> Line:
    outcomes = held.outcomes[condition]
    values, intervals = measured([measure.name], outcomes)
    value, ends = values[measure.name], intervals[measure.name]
    if isinstance(value, list):
        value, ends = value[-1], ends[-1]
    scale = measure.scale
    n = len(np.unique(outcomes[0].ids))
    return Line(condition, scale * value, scale * ends[0], scale * ends[1], n, gap)


def as_json(held: Held) -> bytes:
    """Every measure of every condition with its interval, and every gap."""
    conditions = []
    for condition in sorted(held.outcomes):
        values, intervals = measured(measures_of(held), held.outcomes[condition])
        conditions.append({"do": condition, "measures": values, "intervals": intervals})
    found: dict[str, Any] = {
        "schema": "deixis/results/1",
        **{k: held.spec.get(k) for k in ("task", "source", "fingerprint", "player", "revision")},
        "condition": held.spec["condition"],
        "conditions": conditions,
        "contrasts": [dict(line.gap.__dict__) for line in lines(held) if line.gap],
    }
    return (json.dumps(plain(found), indent=1, ensure_ascii=False) + "\n").encode()


def as_latex(held: Held) -> bytes:
    """A table for the package booktabs: score and loss in points, with their 95 % intervals."""
    measure = MEASURES[measures_of(held)[0]]
    title = measure.name.replace("_", " ")
    rows = [
        r"\begin{tabular}{lrlrl}",
        r"\toprule",
        rf"taken away & {title} & 95\,\% & lost & 95\,\% \\",
        r"\midrule",
    ]
    for line in lines(held):
        cells = [_escaped(line.condition) or "nothing", number(line.value)]
        cells.append(_interval(line.low, line.high))
        if line.gap is not None:
            low, high = measure.scale * line.gap.low, measure.scale * line.gap.high
            cells += [number(measure.scale * line.gap.value), _interval(low, high)]
        else:
            cells += ["", ""]
        rows.append(" & ".join(cells) + r" \\")
    return ("\n".join([*rows, r"\bottomrule", r"\end{tabular}"]) + "\n").encode()


def as_card(held: Held) -> bytes:
    """A section of a model card: what the model relies on, and how it was measured."""
    measure = MEASURES[measures_of(held)[0]]
    title = measure.name.replace("_", " ")
    found = lines(held)
    rows = [
        f"## What {held.spec['player']} relies on in {held.spec['source']}",
        "",
        f"| taken away | {title} | 95 % interval | points lost | 95 % interval | verdict |",
        "|---|---|---|---|---|---|",
    ]
    rows += [_card_row(line, measure) for line in found]
    clusters = len(np.unique(held.outcomes[""][0].clusters))
    rows += [
        "",
        f"{found[0].n:,} trials in {clusters:,} clusters; data {held.spec['fingerprint']}, "
        f"revision {held.spec.get('revision', 'unknown')}. Intervals are paired and clustered; "
        "a tie counts as chance.",
    ]
    return ("\n".join(rows) + "\n").encode()


def _card_row(line: Line, measure: Measure) -> str:
    cells: Sequence[str] = (
        f"`{line.condition}`" if line.condition else "nothing",
        number(line.value),
        f"{number(line.low)} to {number(line.high)}",
        "",
        "",
        "",
    )
    if line.gap is not None:
        low, high = measure.scale * line.gap.low, measure.scale * line.gap.high
        lost = number(measure.scale * line.gap.value)
        cells = (*cells[:3], lost, f"{number(low)} to {number(high)}", line.gap.verdict)
    return f"| {' | '.join(cells)} |"


def _interval(low: float, high: float) -> str:
    return f"[{number(low)}, {number(high)}]"


def _escaped(text: str) -> str:
    for sign in ("_", "%", "&", "#"):
        text = text.replace(sign, rf"\{sign}")
    return rf"\texttt{{{text}}}" if text else ""
