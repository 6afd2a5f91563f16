"""Make the task of a dataset's kind."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from deixis import registry
from deixis.dataset import Dataset
from deixis.errors import BadInput, unknown
from deixis.seeds import Seeds
from deixis.tasks.task import Task


def make(
    dataset: Dataset,
    name: str = "",
    *,
    seeds: Seeds | None = None,
    presets: Sequence[str] = (),
    **options: Any,
) -> Task:
    """A task of the dataset's kind.

    Args:
        dataset: already selected by split.
        name: what to call it; the dataset's name by default.
        seeds: of the draws.
        presets: short names of base conditions, such as ``"text=whole"`` or ``"black"``.
        options: the kind's own, see the modules of this folder.

    Raises:
        BadInput: the kind has no such preset or option.
    """
    build = registry.find("tasks", "task", dataset.kind)
    known = inspect.signature(build).parameters
    for option in options:
        if option not in known:
            written = option.replace("_", "-")
            raise BadInput(f"--{written} is no option of {dataset.kind} tasks")
    task: Task = build(dataset, name or dataset.name, seeds or Seeds(), **options)
    for preset in presets:
        if preset not in task.about.presets:
            said = f"--{preset.replace('=', ' ')} is no option of {dataset.kind} tasks"
            raise unknown(said, preset, task.about.presets)
        condition = task.about.presets[preset]
        task = task.do(condition) if condition else task
    return task
