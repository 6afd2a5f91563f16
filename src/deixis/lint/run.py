"""Run the rules of a dataset's kind, most serious findings first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis import registry
from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.lint.finding import SEVERITIES, Finding, LintOptions
from deixis.lint.page import page
from deixis.plain import plain
from deixis.writing import write_text


@dataclass(frozen=True)
class Linted:
    """What all rules found in one dataset.

    Attributes:
        dataset: what was looked at.
        rules: the rules that were run.
        findings: errors first, then warnings, then notes; within, in the order of rules.
    """

    dataset: Dataset
    rules: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(f.severity == "error" for f in self.findings)

    @property
    def counts(self) -> dict[str, int]:
        """Findings by severity."""
        counted = Counter(f.severity for f in self.findings)
        return {severity: counted[severity] for severity in SEVERITIES}

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "schema": "deixis/lint/1",
            "dataset": self.dataset.name,
            "task": self.dataset.kind,
            "splits": list(self.dataset.splits),
            "fingerprint": self.dataset.fingerprint,
            "records": len(self.dataset),
            "rules": list(self.rules),
            "counts": self.counts,
            "findings": [f.fields() for f in self.findings],
        }


def lint(dataset: Dataset, options: LintOptions, only: Sequence[str] = ()) -> Linted:
    """Run rules on a dataset.

    Args:
        dataset: any.
        options: of all rules.
        only: names of rules; all that serve the dataset's kind without any.

    Raises:
        BadInput: there is no such rule or none for this kind, an option is out of range, or a split
            names an unknown record.
    """
    if not 0 <= options.distance <= 16:
        raise BadInput(f"--distance: expected 0 to 16 bits, got {options.distance}")
    if options.folds < 2:
        raise BadInput(f"--folds: expected at least 2, got {options.folds}")
    dataset.check()
    names = tuple(only) or tuple(registry.names("lint", dataset.kind))
    rules = {name: registry.find("lint", name, dataset.kind) for name in names}
    found: list[Finding] = []
    for done, (name, rule) in enumerate(rules.items()):
        options.progress(name, done, len(rules))
        found += rule(dataset, options)
    # Sorting is stable: rules keep their order.
    found.sort(key=lambda f: SEVERITIES.index(f.severity))
    return Linted(dataset, names, tuple(found))


def write(folder: Path, linted: Linted) -> None:
    """Write ``lint.json`` and ``lint.html``, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    said = json.dumps(plain(linted.fields()), ensure_ascii=False, indent=1)
    for name, content in (("lint.json", said), ("lint.html", page(linted.dataset, linted))):
        write_text(folder / name, content)
