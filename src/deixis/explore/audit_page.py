"""The audit of a run as a page: every number leads to the trials behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import numpy as np
from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from deixis.audit.report.figures import Bar, Line, bars, curves, forest
from deixis.audit.report.html import OTHERS
from deixis.audit.rows import coalition, dose_of
from deixis.explore.opened import Opened, opened_of
from deixis.plain import number, p_value
from deixis.units import MEASURES
from deixis.web.pages import page as render

router = APIRouter(include_in_schema=False)

Held = Mapping[str, Any]
"""A contrast, as audit.json holds it."""


@router.get("/audit")
def audit(request: Request) -> Response:
    """The audit, or how to get one."""
    opened = opened_of(request)
    if opened.audit is None:
        return render(request, "no_audit.html", opened=opened)
    held = opened.audit
    measure = MEASURES[held["measure"]]
    contrasts: list[Held] = held["contrasts"]
    groups = [(title, _of(contrasts, kind)) for kind, title in OTHERS.items()]
    return render(
        request,
        "audit.html",
        opened=opened,
        audit=held,
        scale=measure.scale,
        gaps=_of(contrasts, "gap"),
        shapley=_of(contrasts, "shapley"),
        groups=[(title, rows) for title, rows in groups if rows],
        forest=_forest(opened, held, measure.scale),
        bars=_bars(opened, held, measure.scale),
        doses=_doses(held, measure.scale),
        rounds=_rounds(held),
        gradual=_gradual(held),
        needed={c["of"]: c for c in _of(contrasts, "needed")},
        redundant={c["of"]: c for c in _of(contrasts, "redundant")},
        channel={one: name for name, one in held["absent"].items()},
        trials=lambda c, **more: behind(opened, c, **more),
        number=lambda v, places=1: "–" if v is None else number(v, places),
        p_value=lambda v: p_value(math.nan if v is None else v),
    )


def behind(opened: Opened, contrast: Held, **more: str) -> str:
    """The link from a number to the trials that it comes from; empty where there are none."""
    label = track_of(opened, contrast)
    if not label:
        return ""
    return "/?" + urlencode({"under": label, "order": "effect", **more})


def track_of(opened: Opened, contrast: Held) -> str:
    """The label of the track whose trials a contrast is about; empty for none."""
    # audit.json does not keep the order of channels, which is that of a condition's parts.
    parts = sorted(condition_of(opened, contrast).split(","))
    retrained = contrast["kind"] == "needed"
    for track in opened.tracks:
        same = sorted(track.condition.split(",")) == parts
        if track.main and same and bool(track.trained) == retrained:
            return track.label
    return ""


def condition_of(opened: Opened, contrast: Held) -> str:
    """The condition that a contrast compares with all inputs; the strongest of several."""
    assert opened.audit is not None
    absent: Mapping[str, str] = opened.audit["absent"]
    kind, of = contrast["kind"], str(contrast["of"])
    channels = opened.task.channels
    texts = [c for c in absent if c in channels and channels[c].kind in ("text", "names")]
    if kind == "interaction":
        return ",".join(absent.get(c, c) for c in of.split("*"))
    if kind == "prior":
        return coalition(absent, texts if of == "text" else set(absent) - set(texts))
    if kind in ("gain", "leakage"):
        return coalition(absent, texts)
    if kind == "curve":
        doses = {t.condition: dose_of(t.condition) for t in opened.tracks if t.condition and t.main}
        own = {c: d[1] for c, d in doses.items() if d is not None and d[0] == of}
        return max(own, key=lambda c: own[c], default=of)
    return absent.get(of, of)


def _of(contrasts: Sequence[Held], kind: str) -> list[Held]:
    return [c for c in contrasts if c["kind"] == kind]


def _nan(value: float | None) -> float:
    return math.nan if value is None else value


def _rows(opened: Opened, contrasts: Sequence[Held], scale: float) -> list[Bar]:
    return [
        Bar(
            f"{c['of']} ({c['absent']})" if c["absent"] else c["of"],
            scale * _nan(c["value"]),
            scale * _nan(c["low"]),
            scale * _nan(c["high"]),
            c["verdict"].replace(" ", "-"),
            behind(opened, c),
        )
        for c in contrasts
        if c["value"] is not None
    ]


def _forest(opened: Opened, held: Held, scale: float) -> Markup:
    rows = _rows(opened, _of(held["contrasts"], "gap"), scale)
    return Markup(forest(rows, held["margin"], "points lost")) if rows else Markup()


def _bars(opened: Opened, held: Held, scale: float) -> Markup:
    rows = _rows(opened, _of(held["contrasts"], "shapley"), scale)
    return Markup(bars(rows, "Shapley values")) if rows else Markup()


def _primary(held: Held, entry: Held) -> float:
    value = entry["measures"][held["measure"]]
    return _nan(value[-1] if isinstance(value, list) else value)


def _doses(held: Held, scale: float) -> Markup:
    """The measure over dose, one curve for each family of conditions."""
    families: dict[str, list[tuple[float, float, float, float]]] = {}
    gap = math.nan
    base = next(e for e in held["conditions"] if not e["do"])
    for entry in held["conditions"]:
        found = dose_of(entry["do"]) if entry["do"] else None
        if found is not None:
            start = [(0.0, scale * _primary(held, base), gap, gap)]
            points = families.setdefault(found[0], start)
            points.append((found[1], scale * _primary(held, entry), gap, gap))
    lines = [Line(name, points) for name, points in families.items() if len(points) > 2]
    return Markup(curves(lines, "dose", held["measure"], "curves over dose")) if lines else Markup()


def _rounds(held: Held) -> Markup:
    """The measure after each round, one curve for each condition; for dialogs."""
    lines = []
    asked = {"", *(c["of"] for c in _of(held["contrasts"], "gap"))}
    for entry in held["conditions"]:
        values = entry["measures"][held["measure"]]
        if entry["do"] in asked and isinstance(values, list) and len(values) > 1:
            gap = math.nan
            points = [(float(i), _nan(v), gap, gap) for i, v in enumerate(values)]
            lines.append(Line(entry["do"] or "as it is", points))
    if not lines:
        return Markup()
    return Markup(curves(lines[:7], "round", held["measure"], "curves over rounds"))


def _gradual(held: Held) -> Markup:
    totals: dict[int, list[tuple[float, float, float, float]]] = {}
    for p in held.get("gradual", []):
        mean, low, high = (100 * _nan(v) for v in p["accuracy"])
        if np.isfinite(low):
            totals.setdefault(p["total"], []).append((float(p["given"]), mean, low, high))
    lines = [Line(f"of {total} parts", points) for total, points in totals.items()]
    return Markup(curves(lines, "parts given", "accuracy", "parts given")) if lines else Markup()
