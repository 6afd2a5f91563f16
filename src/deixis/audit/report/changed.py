"""The trials that an intervention changed most, before and after."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from deixis.audit.audit import Audit
from deixis.audit.infer import USED
from deixis.outcomes import Outcomes
from deixis.runs.play import under
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import Picture

SIZE = 88
"""Side of a picture in pixels."""


@dataclass(frozen=True)
class Shown:
    """A picture as the page shows it.

    Attributes:
        data: a data URI.
        target: whether it is the answer.
        chosen: whether the player chose it.
    """

    data: str
    target: bool
    chosen: bool


@dataclass(frozen=True)
class Face:
    """One side of a changed trial: its texts by channel, its pictures, and the credit."""

    texts: Mapping[str, str]
    pictures: Sequence[Shown]
    credit: float


@dataclass(frozen=True)
class Change:
    """A trial before and after an intervention."""

    trial: str
    condition: str
    before: Face
    after: Face


def changes(audit: Audit, most: int = 10) -> list[Change]:
    """The most changed trials of the gaps that count, an equal number of each.

    Trials are ordered by the loss of credit, then of the answer's probability.
    """
    gaps = [c.of for c in audit.of("gap") if c.verdict == USED] or [c.of for c in audit.of("gap")]
    ranked = {c: _ranked(audit, c) for c in gaps}
    picked: list[tuple[str, int]] = []
    for place in range(most):
        picked += [(c, rows[place]) for c, rows in ranked.items() if place < len(rows)]
    return [_change(audit, c, row) for c, row in picked[:most]]


def _ranked(audit: Audit, condition: str) -> list[int]:
    """Rows of outcomes that lost, most first."""
    base, other = (audit.run.outcomes[c][0] for c in ("", condition))
    lost = base.credit - other.credit
    fell = np.nan_to_num(base.probability - other.probability)
    order = np.lexsort((-fell, -lost))
    return [int(i) for i in order if lost[i] > 0 or fell[i] > 0]


def _change(audit: Audit, condition: str, row: int) -> Change:
    base, other = (audit.run.outcomes[c][0] for c in ("", condition))
    task = audit.run.task
    position = next(i for i, t in enumerate(task.trials) if t.id == base.ids[row])
    return Change(
        str(base.ids[row]),
        condition,
        _face(task, position, base, row),
        _face(under(task, condition), position, other, row),
    )


def _face(task: Task, position: int, outcomes: Outcomes, row: int) -> Face:
    trial = task.trials[position]
    view = see(task, trial, task.about.readers[-1])
    texts, pictures = _contents(task, view)
    order = task.order(position).tolist() if trial.shuffled else None
    choice = int(outcomes.choice[row])
    several = order is not None and len(pictures) == len(order)
    shown = [
        Shown(
            picture_uri(task, p),
            several and order is not None and order[i] == trial.answer,
            several and order is not None and order[i] == choice,
        )
        for i, p in enumerate(pictures)
    ]
    return Face(texts, shown, float(outcomes.credit[row]))


def _contents(task: Task, view: Any) -> tuple[dict[str, str], list[Picture]]:
    """The texts of a view by channel, and its pictures once."""
    texts: dict[str, str] = {}
    pictures: list[Picture] = []
    seen: set[Any] = set()
    for name in task.atoms:
        channel = task.channels[name]
        if channel.get in seen:
            continue
        seen.add(channel.get)
        values = channel.get(view)
        if all(isinstance(v, Picture) for v in values):
            pictures += values
        else:
            texts[name] = " · ".join(v if isinstance(v, str) else ", ".join(v) for v in values)
    return texts, pictures


def picture_uri(task: Task, picture: Picture, size: int = SIZE) -> str:
    """A picture's pixels as a data URI."""
    pixels = Image.fromarray(task.store.pixels(picture, size))
    few = pixels.getcolors(4096)
    kept = pixels.quantize(min(len(few), 32)) if few else pixels
    target = io.BytesIO()
    kept.save(target, "PNG" if few else "JPEG", optimize=True)
    kind = "png" if few else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(target.getvalue()).decode()}"
