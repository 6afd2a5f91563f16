"""A log of somebody else's run, read into the columns of outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.replies import STATUSES
from deixis.seeds import Seeds


@dataclass(frozen=True, slots=True)
class How:
    """How to read a log.

    Attributes:
        metric: which score counts, where a log holds several; empty for its first known one.
        cluster: the field that says what items share, such as their picture; empty for none.
    """

    metric: str = ""
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One scored reply.

    Attributes:
        id: of the item.
        credit: 0 to 1.
        where: for errors.
        status: of `deixis.replies.STATUSES`.
        options: how many there were; 0 where that is not known.
        cluster: what the item shares with others; empty for itself.
        content: a hash of the item, where the log has one: equal ids must have equal hashes.
        epoch: which repetition.
        raw: the reply.
    """

    id: str
    credit: float
    where: str
    status: str = "ok"
    options: int = 0
    cluster: str = ""
    content: str = ""
    epoch: int = 0
    raw: str = ""


@dataclass(frozen=True)
class Log:
    """A log.

    Attributes:
        path: of the file.
        tool: who wrote it.
        model: whom it is of; empty where the log does not say.
        dataset: what was asked; empty where the log does not say.
        metric: the score that was read.
        outcomes: one for each epoch.
        contents: hashes of items by id, where there are any.
    """

    path: Path
    tool: str
    model: str
    dataset: str
    metric: str
    outcomes: tuple[Outcomes, ...]
    contents: Mapping[str, str] = field(default_factory=dict)


def gather(
    path: Path, samples: Iterable[Sample], *, tool: str, model: str, dataset: str, metric: str
) -> Log:
    """Samples as a log.

    Args:
        path: of the file that they come from.
        samples: of all epochs, in any order.
        tool: that wrote the file.
        model: that was asked.
        dataset: that was asked about.
        metric: whose credits the samples have.

    Raises:
        BadInput: there are none, an item stands twice in an epoch, or a credit is not within 0
            to 1.
    """
    epochs: dict[int, list[Sample]] = {}
    seen: dict[tuple[str, int], str] = {}
    contents: dict[str, str] = {}
    for sample in samples:
        key = (sample.id, sample.epoch)
        if key in seen:
            raise BadInput(
                f"{sample.where}: {sample.id!r} stands there twice, before at {seen[key]}"
            )
        if not 0 <= sample.credit <= 1:
            raise BadInput(f"{sample.where}: expected a score of 0 to 1, got {sample.credit:g}")
        seen[key] = sample.where
        epochs.setdefault(sample.epoch, []).append(sample)
        if sample.content:
            contents[sample.id] = sample.content
    if not epochs:
        raise BadInput(f"{path}: holds no samples")
    outcomes = tuple(_outcomes(epochs[e]) for e in sorted(epochs))
    return Log(path, tool, model, dataset, metric, outcomes, contents)


def _outcomes(samples: Sequence[Sample]) -> Outcomes:
    """Columns in the order of ids, so that logs of the same items fit together."""
    ordered = sorted(samples, key=lambda s: s.id)
    n = len(ordered)
    ids = np.array([s.id for s in ordered])
    status = np.array([STATUSES.index(s.status) for s in ordered], np.uint8)
    sizes = np.array([s.options for s in ordered], np.int64)
    guess = np.where(sizes > 0, 1 / np.maximum(sizes, 1), 0.0)
    credit = np.where(status == 0, [s.credit for s in ordered], guess)
    nothing, empty = np.full(n, np.nan), np.full(n, "")
    return Outcomes(
        ids=ids,
        items=ids,
        clusters=np.array([s.cluster or s.id for s in ordered]),
        workers=empty,
        raters=empty,
        groups=empty,
        strata=empty,
        status=status,
        credit=credit,
        guess=guess,
        rank=nothing,
        ties=np.ones(n, np.int64),
        sizes=sizes,
        probability=nothing,
        choice=np.full(n, -1),
        rounds=np.zeros(n, np.int64),
        condition="",
        seeds=Seeds(),
        raw=np.array([s.raw for s in ordered], object),
    )


def same_items(logs: Sequence[Log]) -> None:
    """Refuse logs of different items.

    Raises:
        BadInput: the ids differ, or one id stands for two different items; some are named.
    """
    first = logs[0]
    own = set(first.outcomes[0].ids.tolist())
    for other in logs[1:]:
        ids = set(other.outcomes[0].ids.tolist())
        if ids != own:
            odd = sorted(own ^ ids)
            raise BadInput(
                f"{first.path} and {other.path} are not of the same items: {len(odd)} differ, "
                f"such as {', '.join(odd[:3])}"
            )
        altered = sorted(i for i, c in first.contents.items() if other.contents.get(i, c) != c)
        if altered:
            raise BadInput(
                f"{first.path} and {other.path} mean different items by the same ids: "
                f"{len(altered)} differ, such as {', '.join(altered[:3])}"
            )


def number(value: Any) -> float | None:
    """A score as a number: booleans and numbers; None for anything else.

    >>> number(True), number(0.5), number("C")
    (1.0, 0.5, None)
    """
    return float(value) if isinstance(value, (bool, int, float)) and value == value else None
