"""Figures as inline SVG that takes its colors from the page, so that it follows dark mode."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from deixis.plain import number

WIDTH = 640
"""Width of a figure in its own units; the page scales it."""

_ROW, _LEFT, _RIGHT, _TOP, _BOTTOM = 26, 190, 60, 10, 34


@dataclass(frozen=True)
class Bar:
    """One row of a forest plot or bar chart; values in points.

    Attributes:
        label: at its left.
        value: the estimate.
        low: lower end of the interval; NaN for none.
        high: upper end.
        mark: a class of the page's style, such as ``used``.
        link: where its label and its number lead; empty for nowhere.
    """

    label: str
    value: float
    low: float
    high: float
    mark: str = ""
    link: str = ""


@dataclass(frozen=True)
class Line:
    """One curve: points of x, y, low, high."""

    label: str
    points: Sequence[tuple[float, float, float, float]]


def forest(bars: Sequence[Bar], margin: float, title: str) -> str:
    """Estimates with intervals, a line at 0 and a band of ± margin."""
    scale = _scale([v for b in bars for v in (b.value, b.low, b.high)] + [0.0, margin, -margin])
    height = _TOP + _ROW * len(bars) + _BOTTOM
    x = scale.place
    parts = [
        f'<rect class="band" x="{x(-margin):.1f}" y="{_TOP}" '
        f'width="{x(margin) - x(-margin):.1f}" height="{_ROW * len(bars)}"/>',
        _axis(scale, height, "points lost"),
    ]
    for i, bar in enumerate(bars):
        y = _TOP + _ROW * (i + 0.5)
        parts.append(_label(bar, y + 4))
        if math.isfinite(bar.low):
            parts.append(
                f'<line class="interval {bar.mark}" x1="{x(bar.low):.1f}" x2="{x(bar.high):.1f}" '
                f'y1="{y}" y2="{y}"/>'
            )
        parts.append(f'<circle class="{bar.mark}" cx="{x(bar.value):.1f}" cy="{y}" r="5"/>')
        parts.append(_figure(bar, y))
    return _svg(parts, height, title)


def bars(rows: Sequence[Bar], title: str) -> str:
    """Horizontal bars from 0, with intervals."""
    scale = _scale([v for b in rows for v in (b.value, b.low, b.high)] + [0.0])
    height = _TOP + _ROW * len(rows) + _BOTTOM
    x = scale.place
    parts = [_axis(scale, height, "points")]
    for i, bar in enumerate(rows):
        y = _TOP + _ROW * i + 5
        start, end = sorted((x(0.0), x(bar.value)))
        parts.append(
            f"{_label(bar, y + 13)}"
            f'<rect class="bar {bar.mark}" x="{start:.1f}" y="{y}" width="{end - start:.1f}" '
            f'height="{_ROW - 10}"/>'
        )
        if math.isfinite(bar.low):
            parts.append(
                f'<line class="interval" x1="{x(bar.low):.1f}" x2="{x(bar.high):.1f}" '
                f'y1="{y + 8}" y2="{y + 8}"/>'
            )
        parts.append(_figure(bar, y + 9))
    return _svg(parts, height, title)


def curves(lines: Sequence[Line], across: str, up: str, title: str) -> str:
    """Curves with bands; labels stand at their ends."""
    xs = [p[0] for line in lines for p in line.points]
    ys = [v for line in lines for p in line.points for v in p[1:] if math.isfinite(v)]
    height, left, bottom = 280, 50, 240
    low, high = _nice(min(ys), max(ys))
    span = max(max(xs) - min(xs), 1e-9)

    def place(x: float, y: float) -> str:
        across_ = left + (x - min(xs)) / span * (WIDTH - left - 130)
        return f"{across_:.1f},{bottom - (y - low) / (high - low) * (bottom - 20):.1f}"

    parts = []
    for tick in _ticks(low, high):
        y = place(min(xs), tick).partition(",")[2]
        parts.append(
            f'<line class="grid" x1="{left}" x2="{WIDTH - 130}" y1="{y}" y2="{y}"/>'
            f'<text class="tick end" x="{left - 6}" y="{float(y) + 4}">{number(tick, 0)}</text>'
        )
    for tick in sorted(set(xs)):
        at = place(tick, low).partition(",")[0]
        parts.append(f'<text class="tick" x="{at}" y="{bottom + 16}">{tick:g}</text>')
    parts.append(
        f'<text class="tick" x="{(left + WIDTH - 130) / 2}" y="{height - 6}">{across}</text>'
    )
    taken: list[tuple[float, float]] = []
    names = []
    for i, line in enumerate(lines):
        points = sorted(line.points)
        if all(math.isfinite(v) for p in points for v in p):
            edge = [place(p[0], p[3]) for p in points] + [place(p[0], p[2]) for p in points[::-1]]
            parts.append(f'<polygon class="area c{i % 7}" points="{" ".join(edge)}"/>')
        path = " ".join(place(p[0], p[1]) for p in points)
        parts.append(f'<polyline class="curve c{i % 7}" points="{path}"/>')
        right, down = _free(taken, *map(float, place(*points[-1][:2]).split(",")))
        names.append(
            f'<text class="name c{i % 7}" x="{right + 8:.1f}" y="{down + 4:.1f}">'
            f"{escape(line.label)}</text>"
        )
    above = f'<text class="tick start" x="0" y="12">{up}</text>'
    return _svg([above, *parts, *names], height, title)


def _free(taken: list[tuple[float, float]], x: float, y: float) -> tuple[float, float]:
    """Where a name can stand: further down, where another one stands already."""
    while any(abs(x - a) < 80 and abs(y - b) < 12 for a, b in taken):
        y += 12
    taken.append((x, y))
    return x, y


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float

    def place(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return _LEFT + share * (WIDTH - _LEFT - _RIGHT)


def _scale(values: Sequence[float]) -> _Scale:
    finite = [v for v in values if math.isfinite(v)]
    return _Scale(*_nice(min(finite), max(finite)))


def _nice(low: float, high: float) -> tuple[float, float]:
    """Ends that leave some room, never the same."""
    room = max((high - low) * 0.05, 0.5)
    return low - (room if low < 0 else 0), high + room


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between two ends, about five."""
    raw = (high - low) / 5
    step = 10 ** math.floor(math.log10(raw))
    step *= next(m for m in (1, 2, 5, 10) if m * step >= raw)
    first = math.ceil(low / step)
    return [i * step for i in range(first, math.floor(high / step) + 1)]


def _axis(scale: _Scale, height: int, name: str) -> str:
    base = height - _BOTTOM
    parts = [
        f'<line class="{"zero" if t == 0 else "grid"}" x1="{scale.place(t):.1f}" '
        f'x2="{scale.place(t):.1f}" y1="{_TOP}" y2="{base}"/>'
        f'<text class="tick" x="{scale.place(t):.1f}" y="{base + 14}">{t:g}</text>'
        for t in _ticks(scale.low, scale.high)
    ]
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    return "".join(parts) + f'<text class="tick" x="{middle}" y="{height - 4}">{name}</text>'


def _label(bar: Bar, y: float) -> str:
    text = f'<text class="label" x="{_LEFT - 10}" y="{y}">{escape(bar.label)}</text>'
    return _linked(bar, text)


def _figure(bar: Bar, y: float) -> str:
    text = f'<text class="figure" x="{WIDTH - 4}" y="{y + 4}">{number(bar.value)}</text>'
    return _linked(bar, text)


def _linked(bar: Bar, text: str) -> str:
    return f'<a href="{escape(bar.link, quote=True)}">{text}</a>' if bar.link else text


def _svg(parts: Sequence[str], height: int, title: str) -> str:
    inside = "".join(parts)
    role = "group" if "<a " in inside else "img"  # links in a picture would not be found
    label = escape(title, quote=True)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="{role}" aria-label="{label}">'
        f"<title>{escape(title)}</title>{inside}</svg>"
    )


def palette() -> Mapping[str, str]:
    """Colors of curves in light mode, by class; dark mode lightens them."""
    colors = ("#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#be123c", "#0f766e", "#a16207")
    return {f"c{i}": color for i, color in enumerate(colors)}
