"""The study's tables and figures from what was played."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from deixis.audit.infer import NOT_USED, Contrast, infer
from deixis.audit.rows import gaps
from deixis.plain import number, percent
from deixis.players.guessing.bots.learner import BotsLearner
from deixis.reproduce.cooperation import conditions as of
from deixis.reproduce.cooperation.conditions import ROUNDS, Line
from deixis.reproduce.report import Reproduced, Table
from deixis.runs.play import Run
from deixis.runs.summary import measured
from deixis.units import MEASURES

MEASURE = "percentile_rank"

MARGIN = 0.5
"""Points of percentile rank within which an input counts as not used."""

TABLES = {
    "table_1": ("Table 1: everything replaced, in every round", of.TABLE_1_LINES),
    "table_2": ("Table 2: yes and no exchanged, from a start counted from 0", of.TABLE_2_LINES),
    "figure_1a": ("Figure 1a: words of captions replaced, by probability", of.FIGURE_1A_LINES),
    "figure_1b": (
        "Figure 1b: inputs replaced from a start counted from 0 (probability 0.8)",
        of.FIGURE_1B_LINES,
    ),
    "readers": ("Who gets the random words", of.READERS_LINES),
    "natural": ("Replaced by what occurs", of.NATURAL_LINES),
}
"""Title and lines of each table that the bots' talk gives."""


def told(
    name: str,
    about: str,
    learner: BotsLearner,
    talking: Run,
    reading: Run,
    answers: Sequence[Mapping[str, Any]],
    marked: Sequence[Run] = (),
) -> Reproduced:
    """Tables, figures and numbers.

    Args:
        name: of the preset.
        about: it, in a phrase.
        learner: who was trained.
        talking: the bots' talk under every condition.
        reading: Q-bot on what people said.
        answers: A-bot's to people's questions.
        marked: the bots' talk and Q-bot with marks in play and without, where training had them.
    """
    curves = {"talking": by_round(talking), "reading": by_round(reading)}
    judged = {"talking": judge(talking), "reading": judge(reading)}
    asked = [(title, lines, "talking") for title, lines in TABLES.values()]
    asked.append(("People's dialogs, read by Q-bot", of.PEOPLE_LINES, "reading"))
    tables = [
        made
        for title, lines, who in asked
        for made in (_rounds(title, lines, curves[who]), _gaps(title, lines, judged[who]))
    ]
    tables.append(_answers(answers))
    marks: list[dict[str, Any]] = []
    for (who, lines), run in zip(of.MARKS_LINES.items(), marked, strict=False):
        own, found = by_round(run), judge(run)
        marks += _rows(lines, own, found)
        title = f"{who[0].upper()}{who[1:]}: marks in play, and none"
        tables += [_rounds(title, lines, own), _gaps(title, lines, found)]
    content = {
        "preset": name,
        "about": about,
        "bots": asdict(learner.design),
        "saying": learner.manner.name,
        "dataset": talking.task.name,
        "fingerprint": talking.task.dataset.fingerprint,
        "n": len(talking.task),
        "seeds": len(talking.base),
        "revision": talking.revision,
        "measure": MEASURE,
        "margin": MARGIN,
        **{
            key: _rows(lines, curves["talking"], judged["talking"])
            for key, (_, lines) in TABLES.items()
        },
        "people": _rows(of.PEOPLE_LINES, curves["reading"], judged["reading"]),
        "answers": answers,
        "marks": marks,
    }
    return Reproduced(
        "cooperation",
        content,
        tables,
        {"figure-1a": _figure(content, "figure_1a"), "figure-1b": _figure(content, "figure_1b")},
        notes=(
            "rounds count from 1 (0 is the caption); a start counted from 0 is one less: start 5 "
            "alters rounds 6 to 10",
            f"gaps after round {ROUNDS}, in points; intervals over dialogs; ± is the spread of the "
            "gap between training runs",
        ),
    )


def by_round(run: Run) -> dict[str, Mapping[str, Any]]:
    """Mean percentile rank after the caption and after each round, with intervals, by condition."""
    made: dict[str, Mapping[str, Any]] = {}
    for condition, outcomes in run.outcomes.items():
        values, intervals = measured([MEASURE], outcomes)
        made[condition] = {"values": values[MEASURE], "intervals": intervals[MEASURE]}
    return made


def judge(run: Run) -> dict[str, Contrast]:
    """The gap of every condition after the last round."""
    rows = gaps([c for c in run.outcomes if c])
    found = infer(rows, MEASURES[MEASURE], run.outcomes, margin=MARGIN)
    return {c.of: c for c in found}


def _rows(
    lines: Sequence[Line], curves: Mapping[str, Any], judged: Mapping[str, Contrast]
) -> list[dict[str, Any]]:
    made = []
    for line in lines:
        row: dict[str, Any] = {"name": line.name, "do": line.do, **curves[line.do]}
        if line.published:
            row["published"] = list(line.published)
        if line.do:
            one = judged[line.do]
            row |= {
                "gap": one.value,
                "low": one.low,
                "high": one.high,
                "p_holm": one.p_holm,
                "between": one.between,
                "verdict": one.verdict,
                "published_gap": line.gap,
            }
        made.append(row)
    return made


def _rounds(title: str, lines: Sequence[Line], curves: Mapping[str, Any]) -> Table:
    """Means after the caption and each round, published ones below."""
    rows = []
    for line in lines:
        rows.append([line.name, *(number(v) for v in curves[line.do]["values"])])
        if line.published:
            printed = [number(v) if math.isfinite(v) else "" for v in line.published]
            rows.append(["  published", "", *printed])
    return Table(title, ["", "caption", *(f"{r}" for r in range(1, ROUNDS + 1))], rows)


def _gaps(title: str, lines: Sequence[Line], judged: Mapping[str, Contrast]) -> Table:
    """What each line costs after the last round."""
    rows = [
        [line.name, *_gap(judged[line.do]), "" if line.gap is None else f"{line.gap:g}"]
        for line in lines
        if line.do
    ]
    name = title.partition(":")[0]
    columns = ["", "points", "95 % interval", "± of runs", "verdict", "published"]
    return Table(f"{name}: gaps after round {ROUNDS}", columns, rows)


def _gap(one: Contrast) -> list[str]:
    interval = f"{number(one.low)} to {number(one.high)}" if math.isfinite(one.low) else ""
    between = "" if math.isnan(one.between) else number(one.between, 2)
    limit = f" beyond ±{MARGIN:g}" if one.verdict == NOT_USED else ""
    return [number(one.value), interval, between, one.verdict + limit]


def _answers(rows: Sequence[Mapping[str, Any]]) -> Table:
    """How often A-bot answers people's questions as people did."""
    made = [
        [
            row["name"],
            percent(row["right"]),
            f"{percent(row['low'])} to {percent(row['high'])}",
            "" if math.isnan(row["between"]) else percent(row["between"], 2),
        ]
        for row in rows
    ]
    title = "Answers that people gave, to questions they answered in more than one way"
    return Table(title, ["A-bot sees", "%", "95 % interval", "± of runs"], made)


def _figure(content: Mapping[str, Any], name: str) -> Callable[[], Any]:
    def draw() -> Any:
        from matplotlib.figure import Figure as Drawing

        figure = Drawing(figsize=(5, 3.4), layout="constrained")
        axes = figure.subplots()
        for row in content[name]:
            values = np.array(row["values"])
            low, high = np.array(row["intervals"]).T
            rounds = np.arange(len(values))
            axes.plot(rounds, values, label=row["name"])
            axes.fill_between(rounds, low, high, alpha=0.15, linewidth=0)
        axes.set_xlabel("round (0 is the caption)")
        axes.set_ylabel("mean percentile rank")
        axes.legend(fontsize=7)
        return figure

    return draw
