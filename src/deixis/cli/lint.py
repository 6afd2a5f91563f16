"""``deixis lint``: shortcuts and leaks of a dataset, before its release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from deixis.cli.options import Several, Switch
from deixis.cli.show import print_json, progress, table
from deixis.lint.finding import Finding, LintOptions, plural
from deixis.lint.run import lint as linted
from deixis.lint.run import write
from deixis.sources import load

SHOWN = 8
"""Findings of one rule and severity that are listed on a terminal."""


def lint(
    source: str,
    /,
    *,
    data: Path | None = None,
    only: Several = (),
    folds: int = 10,
    by_writer: Switch = False,
    distance: int = 4,
    overlap: float = 0.92,
    seed: int = 0,
    out: Path | None = None,
    json: Switch = False,
) -> int:
    """Look for shortcuts and leaks: errors end with status 1.

    Args:
        source: NAME[,OPTION=VALUE][:SPLIT[+SPLIT]].
        data: The dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        only: Run this rule only; may be repeated.
        folds: Of cross-validated blind learners.
        by_writer: Keep each writer's statements in one fold.
        distance: Bits of 64 by which hashes of near pictures may differ.
        overlap: Intersection over union above which silhouettes are near.
        seed: Of folds and contexts.
        out: A folder for lint.json and lint.html.
        json: Print one JSON object and nothing else.
    """
    dataset = load(source, data)
    with progress() as told:
        options = LintOptions(
            seed=seed,
            folds=folds,
            by_writer=by_writer,
            distance=distance,
            overlap=overlap,
            progress=told,
        )
        found = linted(dataset, options, only)
    if out is not None:
        write(out, found)
    if json:
        print_json(found.fields())
    else:
        counts = ", ".join(plural(n, severity) for severity, n in found.counts.items())
        print(f"{source}: {len(dataset)} records, {len(found.rules)} rules: {counts}")
        if found.findings:
            table("findings", ["", "rule", "message"], list(_rows(found.findings)))
    return 1 if found.failed else 0


def _rows(findings: Sequence[Finding]) -> Iterator[list[str]]:
    """A row for each finding, the first few of each rule and severity."""
    counted = Counter((f.severity, f.rule) for f in findings)
    told: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        key = (finding.severity, finding.rule)
        told[key] += 1
        if told[key] <= SHOWN:
            yield [*key, finding.message]
        elif told[key] == SHOWN + 1:
            yield [*key, f"and {counted[key] - SHOWN:,} more like these; --out writes them all"]
