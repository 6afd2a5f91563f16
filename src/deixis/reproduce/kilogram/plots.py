"""Figures 9 and 10, drawn."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from deixis.reproduce.kilogram.design import CONDITIONS, HUMAN, STATES
from deixis.reproduce.kilogram.numbers import Cell, Point

_COLORS = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377")
"""One for each player (Paul Tol's bright scheme, safe for color blindness)."""

_SHADES = {"zero-shot": 0.3, "fine-tuned": 0.65, "augmented": 1.0}


def bars(cells: Sequence[Cell], chance: float) -> Figure:
    """Figure 9: accuracy by condition, a panel for each test."""
    tests = list(dict.fromkeys(c.test for c in cells))
    figure = Figure(figsize=(10, 2.9 * len(tests)), layout="constrained")
    panels = figure.subplots(len(tests), 1, squeeze=False)[:, 0]
    for axes, test in zip(panels, tests, strict=True):
        _panel(axes, [c for c in cells if c.test == test], chance)
        axes.set_title(test, loc="left", fontsize=10)
    panels[0].legend(fontsize=7, ncols=3, frameon=False, loc="upper left")
    return figure


def _panel(axes: Axes, cells: Sequence[Cell], chance: float) -> None:
    players = list(dict.fromkeys(c.player for c in cells))
    kinds = [(p, s) for p in players for s in STATES if any(_is(c, p, s) for c in cells)]
    width = 0.8 / len(kinds)
    for number, (player, state) in enumerate(kinds):
        own = [c for c in cells if _is(c, player, state)]
        places = [list(CONDITIONS).index(c.condition) - 0.4 + width * (number + 0.5) for c in own]
        heights = [100 * c.accuracy for c in own]
        ends = [
            [100 * (c.accuracy - c.low) for c in own],
            [100 * (c.high - c.accuracy) for c in own],
        ]
        color = _COLORS[players.index(player) % len(_COLORS)]
        axes.bar(
            places, heights, width, color=color, alpha=_SHADES[state], label=f"{player}, {state}"
        )
        axes.errorbar(places, heights, yerr=ends, fmt="none", ecolor="black", elinewidth=0.7)
    axes.axhline(100 * chance, color="gray", linewidth=0.8, linestyle=":")
    shown = [c for c in CONDITIONS if any(cell.condition == c for cell in cells)]
    for condition in [c for c in HUMAN if c in shown]:
        place = list(CONDITIONS).index(condition)
        for group, level in zip(("lower", "higher"), HUMAN[condition], strict=True):
            axes.plot([place - 0.45, place + 0.45], [100 * level] * 2, color="black", linewidth=1)
            axes.annotate(f"people, {group} group", (place - 0.45, 100 * level + 1), fontsize=7)
    axes.set_xticks(range(len(shown)), shown)
    axes.set_xlim(-0.5, len(CONDITIONS) - 0.5)
    axes.set_ylabel("accuracy, %")
    axes.set_ylim(0, 100)


def _is(cell: Cell, player: str, state: str) -> bool:
    return (cell.player, cell.state) == (player, state)


def curves(points: Sequence[Point], chance: float) -> Figure:
    """Figure 10: probability of the target by parts that are seen, a panel for each player."""
    players = list(dict.fromkeys(p.player for p in points))
    figure = Figure(figsize=(3.6 * len(players), 3.2), layout="constrained")
    panels = figure.subplots(1, len(players), squeeze=False, sharey=True)[0]
    for axes, player in zip(panels, players, strict=True):
        own = [p for p in points if p.player == player]
        for number, full in enumerate(sorted({p.full for p in own})):
            line = [p for p in own if p.full == full]
            means = [p.probability[0] for p in line]
            axes.errorbar(
                [p.included for p in line],
                means,
                yerr=[
                    [m - p.probability[1] for m, p in zip(means, line, strict=True)],
                    [p.probability[2] - m for m, p in zip(means, line, strict=True)],
                ],
                color=_COLORS[number % len(_COLORS)],
                marker="o",
                markersize=3,
                capsize=2,
                linewidth=1,
                label=f"of {full} parts",
            )
        axes.axhline(chance, color="gray", linewidth=0.8, linestyle=":")
        axes.set_title(player, fontsize=10)
        axes.set_xlabel("parts included")
    panels[0].set_ylabel("probability of the target")
    panels[0].legend(fontsize=7, frameon=False)
    return figure
