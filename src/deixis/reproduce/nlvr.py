"""Tables 6 and 11 of Suhr et al. (ACL 2019): every baseline on NLVR2 and on NLVR.

The paper's protocol: three runs; mean and standard deviation on train and dev; the run that is
best on dev plays the test. What there is to learn from differs, and is said: neither corpus'
training file is at hand, so NLVR learns from the thousand training examples that upstream shows
(models that see pixels and sentences learn from the world `towers` first, once for all three runs,
as the papers' runs share one backbone), and NLVR2 from four fifths of dev.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.crossfit import deal
from deixis.players.protocols import Learner, Player, Teachable, Telling
from deixis.reproduce.nlvr_published import TABLE_6, TABLE_11, Row
from deixis.reproduce.report import Asked, Reproduced, Table
from deixis.runs.prepare import build
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.units import MEASURES
from deixis.writing import write_json

MEASURED = ("accuracy", "consistency")
DASH = "–"


@dataclass(frozen=True)
class System:
    """A row of a table.

    Attributes:
        label: as the paper writes it.
        player: as it is built.
        options: of the player.
    """

    label: str
    player: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Preset:
    """How much is done.

    Attributes:
        nlvr: rows of Table 11.
        nlvr2: rows of Table 6.
        runs: trainings of each system that draws.
        limit: trials of each split; 0 for all.
    """

    nlvr: tuple[System, ...]
    nlvr2: tuple[System, ...]
    runs: int = 3
    limit: int = 0


def _systems(sentences: str, **options: str) -> tuple[System, ...]:
    first = {"before": "towers", "sentences": sentences, "epochs": "12", **options}
    return (
        System("MAJORITY", "majority"),
        System("TEXT", "rnn", options),
        System("IMAGE", "cnn", options),
        System("CNN+RNN", "cnn-rnn", first),
        System("NMN", "nmn", first),
        System("MAXENT", "maxent"),
        System("MAXENT-EYE", "maxent:eye"),
        System("N2NMN-CLONING", "n2nmn:cloning", first),
        System("N2NMN-TUNE", "n2nmn:tuning", first),
        System("N2NMN-RL", "n2nmn:reinforcement", first),
        System("FiLM", "film", first),
        System("MAC", "mac", first),
    )


def _blind(**options: str) -> tuple[System, ...]:
    return System("MAJORITY", "majority"), System("TEXT", "rnn", options)


PRESETS = {
    "small": Preset(_systems("1000"), _blind()),
    "tiny": Preset(_systems("12", epochs="1"), _blind(epochs="1"), runs=2, limit=60),
}


def nlvr(asked: Asked) -> Reproduced:
    """Make both tables.

    The option ``systems`` names rows, with commas, instead of all.

    Raises:
        BadInput: there is no such preset, option, row, or data.
    """
    asked.only("systems")
    preset: Preset = asked.chosen(PRESETS, "small")
    wanted = _wanted(asked.options.get("systems", ""), preset)
    strips = _splits(asked, "nlvr", ("train-sample", "dev", "test"), preset.limit)
    halves = _halves(_task(asked, "nlvr2:dev", preset.limit))
    pairs = (*halves, _task(asked, "nlvr2:test1", preset.limit))
    both = [
        ("table-11", "NLVR", strips, preset.nlvr, TABLE_11),
        ("table-6", "NLVR2", pairs, preset.nlvr2, TABLE_6),
    ]
    runs = asked.seeds or preset.runs
    made = []
    for name, corpus, tasks, systems, published in both:
        chosen = [s for s in systems if not wanted or s.label in wanted]
        rows = [_row(asked, s, tasks, runs, corpus.lower()) for s in chosen]
        made.append(_table(name, corpus, tasks, rows, published))
    return Reproduced(
        name="nlvr",
        content={
            "preset": asked.preset or "small",
            "runs": runs,
            "tables": [content for content, _ in made],
        },
        tables=[table for _, table in made],
        notes=[
            "accuracy/consistency in per cent; mean ± std over runs on train and dev, and the run "
            "that is best on dev on the test, as in the paper",
            "published figures with a question mark could not be checked; – is not reported, or "
            "cannot be played here: NLVR2's photographs are not part of the data",
            *(f"{c}: learnt from {t[0].name}, stopped by {t[1].name}" for _, c, t, *_ in both),
            *_lessons_before(preset.nlvr),
        ],
    )


def _lessons_before(systems: Sequence[System]) -> list[str]:
    """What systems learn first, and how long they learn."""
    labels: dict[str, list[str]] = {}
    for one in systems:
        if world := one.options.get("before"):
            first = f"{one.options['sentences']} sentences of {world} first, once for all runs"
            labels.setdefault(f"{first}, epochs: {one.options['epochs']}", []).append(one.label)
    return [f"{', '.join(some)}: {what}" for what, some in labels.items()]


def _wanted(written: str, preset: Preset) -> set[str]:
    wanted = set(written.split(",")) if written else set()
    known = {s.label for s in preset.nlvr} | {s.label for s in preset.nlvr2}
    if not wanted <= known:
        raise BadInput(f"--systems: expected some of {', '.join(sorted(known))}, got {written!r}")
    return wanted


def _task(asked: Asked, source: str, limit: int) -> Task:
    task = make(load(source, asked.data), source)
    return task.limit(limit) if limit else task


def _splits(asked: Asked, name: str, splits: Sequence[str], limit: int) -> tuple[Task, ...]:
    return tuple(_task(asked, f"{name}:{s}", limit) for s in splits)


def _halves(task: Task) -> tuple[Task, Task]:
    """Four fifths to learn from and one to stop by, by sets."""
    out = set(deal(task, 5, 0)[0])
    parts = []
    for inside, name in ((False, "four fifths"), (True, "one fifth")):
        trials = tuple(t for t in task.trials if (t.clusters[0][1] in out) == inside)
        kept = task.only({t.item for t in trials})
        parts.append(Task(kept.kind, f"{name} of {task.name}", kept.dataset, kept.trials))
    return parts[0], parts[1]


Scores = dict[str, list[float]]
"""Accuracy and consistency of each run, fractions."""


def _row(
    asked: Asked, system: System, tasks: tuple[Task, ...], runs: int, folder: str
) -> dict[str, Any]:
    """A system's row; with ``--out`` it is kept as soon as it is made, and not made twice.

    Raises:
        BadInput: another row is kept there.
    """
    about = {
        "player": system.player,
        "options": dict(system.options),
        "runs": runs,
        "tasks": [[t.name, len(t), t.dataset.fingerprint] for t in tasks],
    }
    file = asked.out / folder / system.label / "row.json" if asked.out else None
    if file and file.is_file():
        kept: dict[str, Any] = json.loads(file.read_text("utf-8"))
        if kept["about"] != about:
            raise BadInput(f"{file}: a row of another run; expected one of {about}")
        return dict(kept["row"])
    start = process_time()
    row = _made(asked, system, tasks, runs, folder)
    if file:
        content = {"about": about, "row": row, "seconds": round(process_time() - start, 1)}
        file.parent.mkdir(parents=True, exist_ok=True)
        write_json(file, content)
    return row


def _made(
    asked: Asked, system: System, tasks: tuple[Task, ...], runs: int, folder: str
) -> dict[str, Any]:
    """All runs of one system; the test is played by the run that is best on dev."""
    train, dev, test = tasks
    made = build(system.player, train, **system.options)
    assert isinstance(made, Learner)  # every system of the tables learns
    if isinstance(made, Telling):
        made.progress = asked.progress
    place: Path | None = asked.out / folder / system.label if asked.out else None
    if isinstance(made, Teachable):
        made = made.taught(train, folder=place)
    found: dict[str, Scores] = {"train": _none(), "dev": _none()}
    best: tuple[float, Player | None, int] = (-1.0, None, 0)
    for run in range(runs if made.stochastic else 1):
        player = made.fit(train, dev=dev, seed=run, folder=place and place / str(run))
        for name, task in (("train", train), ("dev", dev)):
            for measure, value in _scores(task, player).items():
                found[name][measure].append(value)
        if found["dev"]["accuracy"][-1] > best[0]:
            best = (found["dev"]["accuracy"][-1], player, run)
        asked.progress(f"{system.label} on {test.name}", run + 1, runs)
    assert best[1] is not None  # there is one run at least
    return {
        "system": system.label,
        "player": system.player,
        "best_run": best[2],
        **found,
        "test": _scores(test, best[1]),
    }


def _none() -> Scores:
    return {m: [] for m in MEASURED}


def _scores(task: Task, player: Any) -> dict[str, float]:
    bound = player.at(task) if hasattr(player, "at") else player
    outcomes = score(task, bound.reply(views(task)))
    return {m: float(MEASURES[m].of(outcomes).values.mean()) for m in MEASURED}


def _table(
    name: str,
    corpus: str,
    tasks: tuple[Task, ...],
    rows: Sequence[Mapping[str, Any]],
    published: Mapping[str, Row],
) -> tuple[dict[str, Any], Table]:
    """A table as content and for people: ours and published, side by side."""
    by_label = {row["system"]: row for row in rows}
    lines = []
    for label in dict.fromkeys([*by_label, *published]):
        row = by_label.get(label)
        ours = [DASH] * 3
        if row:
            ours = [_spread(row["train"]), _spread(row["dev"]), _pair(row["test"])]
        theirs = published.get(label, (DASH,) * 3)
        lines.append([label, *(cell for pair in zip(ours, theirs, strict=True) for cell in pair)])
    columns = ["", "train", "paper", "dev", "paper", "Test-P", "paper"]
    content = {
        "name": name,
        "corpus": corpus,
        "splits": [t.name for t in tasks],
        "n": [len(t) for t in tasks],
        "rows": list(rows),
        "published": {label: list(row) for label, row in published.items()},
    }
    return content, Table(f"{corpus} ({name.replace('-', ' ')})", columns, lines)


def _spread(scores: Scores) -> str:
    """Mean ± standard deviation over runs, of accuracy and consistency."""
    cells = []
    for measure in MEASURED:
        values = 100 * np.array(scores[measure])
        spread = f"±{values.std(ddof=1):.1f}" if len(values) > 1 else ""
        cells.append(f"{values.mean():.1f}{spread}")
    return "/".join(cells)


def _pair(scores: Mapping[str, float]) -> str:
    return "/".join(f"{100 * scores[m]:.1f}" for m in MEASURED)
