"""Findings as a page: every finding with its evidence, near pictures side by side."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Protocol

import jinja2
from PIL import Image

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.lint.finding import SEVERITIES, Finding

SIDE = 160
"""Pictures are shown so many pixels wide."""

MOST = 60
"""Findings of one rule that are shown with their pictures; the rest are in the JSON."""


class Told(Protocol):
    """What the page is about."""

    @property
    def findings(self) -> Sequence[Finding]:
        """In the order in which they are shown."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Findings by severity."""


def page(dataset: Dataset, told: Told) -> str:
    """The whole page, in one file that loads nothing."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string((files(__package__) / "page.html.j2").read_text("utf-8"))
    by_rule: dict[str, list[Finding]] = {}
    for finding in told.findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    rules = [
        {
            "name": name,
            "left_out": max(0, len(findings) - MOST),
            "findings": [_shown(dataset, f) for f in findings[:MOST]],
        }
        for name, findings in by_rule.items()
    ]
    return template.render(dataset=dataset, counts=told.counts, rules=rules, severities=SEVERITIES)


def _shown(dataset: Dataset, finding: Finding) -> dict[str, Any]:
    drawn = [(name, drawing(dataset, name)) for name in finding.pictures]
    evidence = {k: v for k, v in finding.evidence.items() if not isinstance(v, (list, dict))}
    return {
        "severity": finding.severity,
        "message": finding.message,
        "fix": finding.fix,
        "ids": list(finding.ids[:12]),
        "more": max(0, len(finding.ids) - 12),
        "evidence": evidence,
        "pictures": [(name, uri) for name, uri in drawn if uri],
    }


def drawing(dataset: Dataset, name: str) -> str:
    """A picture as a data URI; empty where there are no pixels of it."""
    try:
        pixels = dataset.store.pixels(dataset.store.picture(name), SIDE)
    except BadInput:
        return ""
    target = io.BytesIO()
    Image.fromarray(pixels).save(target, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(target.getvalue()).decode()
