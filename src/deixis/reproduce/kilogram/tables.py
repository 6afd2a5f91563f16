"""Figures 9 and 10 as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deixis.plain import percent
from deixis.reproduce.kilogram.design import CONDITIONS, HUMAN
from deixis.reproduce.kilogram.numbers import Cell, Point
from deixis.reproduce.report import Table


def bars(cells: Sequence[Cell]) -> Table:
    """A row for each test, player and state; a column for each condition."""
    by = {(c.test, c.player, c.state, c.condition): c for c in cells}
    heads = list(dict.fromkeys(key[:3] for key in by))
    rows = [
        [" ".join(head), *(_written(by.get((*head, condition))) for condition in CONDITIONS)]
        for head in heads
    ]
    for number, group in enumerate(("low", "high")):
        known = [HUMAN[c][number] if c in HUMAN else None for c in CONDITIONS]
        rows.append([f"people, {group} group", *(percent(v) if v else "" for v in known)])
    return Table(
        "Figure 9: accuracy in %, text to picture, ± half the 95 % interval",
        ["", *CONDITIONS],
        rows,
    )


def _written(one: Cell | None) -> str:
    if one is None:
        return ""
    half = 50 * (one.high - one.low)
    return f"{percent(one.accuracy)} ± {half:.1f}" if np.isfinite(half) else percent(one.accuracy)


def curves(points: Sequence[Point]) -> Table:
    """A row for each player and number of parts in all; a column for each number included."""
    by = {(p.player, p.full, p.included): p for p in points}
    most = max((p.included for p in points), default=0)
    rows = [
        [
            f"{player}, of {full} parts (n = {_most(points, player, full)})",
            *(
                percent(by[player, full, i].probability[0]) if (player, full, i) in by else ""
                for i in range(most + 1)
            ),
        ]
        for player, full in dict.fromkeys((p.player, p.full) for p in points)
    ]
    return Table(
        "Figure 10: probability of the target in %, by number of parts included",
        ["", *map(str, range(most + 1))],
        rows,
    )


def _most(points: Sequence[Point], player: str, full: int) -> int:
    """Annotations behind a curve; a number of parts may lack some whose context had no filling."""
    return max(p.n for p in points if (p.player, p.full) == (player, full))
