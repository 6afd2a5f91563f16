"""Render an audit's report."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Sequence
from functools import partial
from importlib.resources import files

import jinja2
import numpy as np

from deixis import __version__
from deixis.audit.audit import Audit
from deixis.audit.infer import NOT_USED, UNDECIDED, USED, Contrast
from deixis.audit.report.changed import changes
from deixis.audit.report.figures import Bar, Line, bars, curves, forest, palette
from deixis.audit.rows import dose_of
from deixis.audit.wording import words
from deixis.plain import number, p_value, plain
from deixis.runs.summary import averaged


def render(audit: Audit) -> str:
    """The whole page."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string((files(__package__) / "report.html.j2").read_text("utf-8"))
    scale = audit.measure.scale
    return template.render(
        audit=audit,
        task=audit.run.task,
        scale=scale,
        clusters=len(np.unique(audit.run.base[0].clusters)),
        summary=summary(audit),
        forest=forest(_bars(audit.of("gap"), scale), audit.margin * scale, "points lost"),
        shapley=_shapley(audit),
        doses=_doses(audit),
        gradual=_gradual(audit),
        groups=[(title, audit.of(kind)) for kind, title in OTHERS.items() if audit.of(kind)],
        changes=changes(audit),
        number=number,
        p_value=p_value,
        words=partial(words, audit=audit),
        needed={c.of: c for c in audit.of("needed")},
        redundant={c.of: c for c in audit.of("redundant")},
        channel={one: name for name, one in audit.absent.items()},
        palette=palette(),
        versions={
            "deixis": __version__,
            "Python": platform.python_version(),
            "NumPy": np.__version__,
        },
        spec=json.dumps(plain(audit.json()), indent=1, ensure_ascii=False),
    )


OTHERS = {
    "interaction": "Lost together, beyond the sum of the losses apart",
    "prior": "One kind of input alone, above chance",
    "perceptual": "Perceptual scores: the input of another trial",
    "curve": "Slopes: points lost from dose 0 to 1",
    "gain": "Multi-modal gain: with pictures against without",
    "leakage": "Multi-modal leakage: without pictures against a text-only player",
    "emap": "Relating text and picture, against adding them up",
    "sham": "Sham: an intervention that changes nothing",
}
"""Kinds of contrasts that get a table of their own, with its title."""


def summary(audit: Audit) -> str:
    """The verdicts in one sentence or two."""
    channels = {one: name for name, one in audit.absent.items()}
    by_verdict: dict[str, list[str]] = {}
    for gap in audit.of("gap"):
        what = channels.get(gap.of, f"what {gap.of} takes away")
        by_verdict.setdefault(gap.verdict, []).append(what)
    said = []
    points = audit.margin * audit.measure.scale
    for verdict, phrase in (
        (USED, "uses {}"),
        (NOT_USED, f"does not use {{}} beyond ±{points:g} points"),
        (UNDECIDED, "leaves it undecided whether it uses {}"),
    ):
        if verdict in by_verdict:
            said.append(phrase.format(_listed(by_verdict[verdict])))
    return f"{audit.run.player} " + "; it ".join(said) + "."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _bars(contrasts: Sequence[Contrast], scale: float) -> list[Bar]:
    return [
        Bar(
            f"{c.of} ({c.absent})" if c.absent else c.of,
            scale * c.value,
            scale * c.low,
            scale * c.high,
            c.verdict.replace(" ", "-"),
        )
        for c in contrasts
    ]


def _shapley(audit: Audit) -> str:
    scale, found = audit.measure.scale, audit.of("shapley")
    blank = [
        Bar(f"{c.of} (blank)", scale * b["value"], scale * b["low"], scale * b["high"])
        for c in found
        if (b := c.blank)
    ]
    return bars(_bars(found, scale) + blank, "Shapley values") if found else ""


def _doses(audit: Audit) -> str:
    """Curves of the primary measure over dose, one for each family of conditions."""
    families: dict[str, list[tuple[float, float, float, float]]] = {}
    base = _point(audit, "", 0.0)
    for condition in audit.run.outcomes:
        found = dose_of(condition) if condition else None
        if found is not None:
            family, dose = found
            families.setdefault(family, [base]).append(_point(audit, condition, dose))
    lines = [Line(name, points) for name, points in families.items() if len(points) > 2]
    return curves(lines, "dose", audit.measure.name, "curves over dose") if lines else ""


def _point(audit: Audit, condition: str, dose: float) -> tuple[float, float, float, float]:
    scale = audit.measure.scale
    mean, low, high = averaged(audit.measure, audit.run.outcomes[condition])
    return dose, scale * mean, scale * low, scale * high


def _gradual(audit: Audit) -> str:
    totals: dict[int, list[tuple[float, float, float, float]]] = {}
    for p in audit.gradual:
        mean, low, high = (100 * v for v in p.accuracy)
        if math.isfinite(low):
            totals.setdefault(p.total, []).append((float(p.given), mean, low, high))
    lines = [Line(f"of {total} parts", points) for total, points in totals.items()]
    return curves(lines, "parts given", "accuracy", "gradual parts") if lines else ""
