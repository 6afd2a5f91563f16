"""What a player says to views, one row for each trial, rater and round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.trials import View

Floats = NDArray[np.float64]

STATUSES = ("ok", "unreadable", "refused", "missing", "length")
"""What became of a reply; `length` is one cut off by the length limit."""

TOP = 20
"""How many of a pool's best are kept by name."""


@dataclass(frozen=True)
class Replies:
    """Replies as columns; n rows.

    Attributes:
        ids: the views' ids.
        status: index into `STATUSES`, shape (n,).
        scores: of each option in shown order, higher is better, shape (n, k); NaN beyond a row's
            own options and in rows that are not ok. None for pools.
        graded: whether scores say more than a choice; a chosen option scores 1, the others 0.
        raters: who replied, where there are several; else None.
        rounds: after which round, shape (n,); None where a task has no rounds.
        ranks: mid-rank of the target in a pool, from 1, shape (n,).
        ties: how many of the pool score as the target does, itself included, shape (n,).
        sizes: of the pool, shape (n,).
        top: positions in the pool of its best, best first, shape (n, TOP); -1 beyond its size.
        raw: the reply as text.
        seconds: how long it took, shape (n,).
        cut: whether a text was longer than the player takes and lost its end, shape (n,); None
            where a player takes any length.
    """

    ids: tuple[str, ...]
    status: NDArray[np.uint8]
    scores: Floats | None = None
    graded: bool = True
    raters: tuple[str, ...] | None = None
    rounds: NDArray[np.int64] | None = None
    ranks: Floats | None = None
    ties: NDArray[np.int64] | None = None
    sizes: NDArray[np.int64] | None = None
    top: NDArray[np.int64] | None = None
    raw: tuple[str | None, ...] | None = None
    seconds: Floats | None = None
    cut: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        """Check that every column has a row for each id."""
        for column in fields(self):
            value = getattr(self, column.name)
            if column.name != "graded" and value is not None and len(value) != len(self.ids):
                raise BadInput(f"replies: {len(self.ids)} ids but {len(value)} {column.name}")

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def scored(cls, views: Sequence[View], scores: Sequence[Sequence[float] | Floats]) -> Replies:
        """A score for each option of each view.

        Args:
            views: what was asked.
            scores: one row for each view, as long as it has options, in shown order.

        Raises:
            BadInput: the shape is wrong or a score is not a number.
        """
        widest = max((v.k for v in views), default=0)
        if len(scores) != len(views):
            raise BadInput(f"expected scores of {len(views)} trials, got {len(scores)}")
        table = np.full((len(views), widest), np.nan)
        for i, (view, row) in enumerate(zip(views, scores, strict=True)):
            if len(row) != view.k or np.isnan(row).any():
                raise BadInput(f"expected {view.k} scores for trial {view.id}, got {list(row)}")
            table[i, : view.k] = row
        return cls(tuple(v.id for v in views), np.zeros(len(views), np.uint8), table)

    @classmethod
    def chosen(
        cls, views: Sequence[View], choices: Sequence[int | None], status: str = "unreadable"
    ) -> Replies:
        """One chosen option for each view.

        Args:
            views: what was asked.
            choices: position of the choice in shown order; None where there is none.
            status: what None means.

        Raises:
            BadInput: a choice is out of range.
        """
        widest = max((v.k for v in views), default=0)
        table = np.full((len(views), widest), np.nan)
        codes = np.zeros(len(views), np.uint8)
        for i, (view, choice) in enumerate(zip(views, choices, strict=True)):
            if choice is None:
                codes[i] = STATUSES.index(status)
            elif 0 <= choice < view.k:
                table[i, : view.k] = 0
                table[i, choice] = 1
            else:
                raise BadInput(f"trial {view.id} has {view.k} options, got choice {choice}")
        return cls(tuple(v.id for v in views), codes, table, graded=False)


def concatenate(parts: Sequence[Replies]) -> Replies:
    """Rows of several replies one after the other; score tables are widened with NaN.

    Raises:
        BadInput: a column is held by some of them only.
    """
    if len(parts) == 1:
        return parts[0]
    columns: dict[str, object] = {"graded": all(p.graded for p in parts)}
    for column in fields(Replies):
        if column.name == "graded":
            continue
        values = [getattr(p, column.name) for p in parts]
        if all(v is None for v in values):
            continue
        if any(v is None for v in values):
            raise BadInput(f"replies: only some parts hold {column.name}")
        if isinstance(values[0], tuple):
            columns[column.name] = tuple(x for v in values for x in v)
        else:
            columns[column.name] = np.concatenate(_widened(values))
    return Replies(**columns)  # type: ignore[arg-type]


def _widened(values: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    if values[0].ndim == 1 or len({v.shape[1] for v in values}) == 1:
        return values
    widest = max(v.shape[1] for v in values)
    return [np.pad(v, ((0, 0), (0, widest - v.shape[1])), constant_values=np.nan) for v in values]
