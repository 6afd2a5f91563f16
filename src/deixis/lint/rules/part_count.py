"""What counting parts scores in reference games: random contexts against controlled ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.lint.finding import Finding, LintOptions
from deixis.plain import percent
from deixis.seeds import Seeds
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.trials import ReferenceTrial

MARGIN = 0.02
"""Above chance by more than this, a shortcut is a warning."""


def part_count(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """One finding for each way of drawing contexts, in which candidates are painted by parts."""
    for contexts in ("random", "controlled"):
        try:
            task = make(
                dataset, dataset.name, seeds=Seeds(contexts=options.seed), contexts=contexts
            )
        except BadInput as error:
            yield Finding("part-count", "note", f"no {contexts} contexts to look at: {error}")
            continue
        score, given = counted(task)
        beyond = score > task.chance + MARGIN
        yield Finding(
            "part-count",
            "warning" if beyond else "note",
            f"{contexts} contexts: counting parts scores {percent(score)} % "
            f"(chance {percent(task.chance)} %) where candidates are painted by their parts",
            "draw contexts in which all candidates have the same number of parts" if beyond else "",
            (),
            {
                "contexts": contexts,
                "score": score,
                "chance": task.chance,
                "trials": len(task),
                "given_away": given,
            },
        )


def counted(task: Task) -> tuple[float, float]:
    """Mean credit of choosing a candidate with as many parts, and how often it is the only one."""
    alike = np.array([_alike(trial) for trial in task.trials], np.float64)
    return float((1 / alike).mean()), float((alike == 1).mean())


def _alike(trial: ReferenceTrial) -> int:
    """Candidates with as many parts as the target, itself included."""
    counts = [len(text.parts) for text in trial.texts]
    return counts.count(counts[trial.answer])
