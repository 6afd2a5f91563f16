"""Figures as files, by Matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from deixis.errors import BadInput
from deixis.measures.section import Figure

STYLE: Any = {
    "svg.hashsalt": "deixis",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
"""The salt makes equal figures equal files."""


def draw_figure(figure: Figure, path: Path) -> None:
    """Draw one figure into a file, whole or not at all.

    Raises:
        BadInput: there is no such kind of figure.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    if figure.kind not in KINDS:
        raise BadInput(f"{figure.name}: there is no figure of kind {figure.kind!r}")
    partial = path.with_name(f"{path.name}.partial")
    made: Any = FigureCanvasSVG
    with mpl.rc_context(STYLE):
        canvas = Canvas(figsize=(6.4, 4.0), layout="constrained")
        axes = canvas.subplots()
        KINDS[figure.kind](axes, figure)
        axes.set(title=figure.title, xlabel=figure.across, ylabel=figure.up)
        made(canvas).print_svg(str(partial), metadata={"Date": None})
    partial.replace(path)


def _ranked(axes: Any, figure: Figure) -> None:
    for values, low, high in figure.series.values():
        places = np.arange(len(values))
        axes.vlines(places, low, high, color="0.7", linewidth=0.8)
        axes.plot(places, values, ".", markersize=3, color="C0")


def _scatter(axes: Any, figure: Figure) -> None:
    for name, (xs, ys) in figure.series.items():
        axes.scatter(xs, ys, s=9, alpha=0.7, label=name)
    _legend(axes, figure)


def _bars(axes: Any, figure: Figure) -> None:
    width = 0.8 / max(len(figure.series), 1)
    for i, (name, (xs, ys)) in enumerate(figure.series.items()):
        places = np.arange(len(xs)) + (i - (len(figure.series) - 1) / 2) * width
        axes.bar(places, ys, width, label=name)
        axes.set_xticks(np.arange(len(xs)), [str(x) for x in xs])
        if max((len(str(x)) for x in xs), default=0) > 4:
            axes.tick_params(axis="x", rotation=60)
    _legend(axes, figure)


def _lines(axes: Any, figure: Figure) -> None:
    for name, (xs, ys) in figure.series.items():
        axes.plot(xs, ys, label=name)
    _legend(axes, figure)


def _legend(axes: Any, figure: Figure) -> None:
    if len(figure.series) > 1:
        axes.legend(frameon=False)


KINDS: dict[str, Callable[[Any, Figure], None]] = {
    "ranked": _ranked,
    "scatter": _scatter,
    "bars": _bars,
    "lines": _lines,
}
