"""All measures of one dataset, put together, and their files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deixis import registry
from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.measures.plots import draw_figure
from deixis.measures.section import Options, Section
from deixis.plain import plain
from deixis.writing import write_text


def measure(dataset: Dataset, options: Options, only: Sequence[str] = ()) -> Section:
    """Run the measures of a dataset's kind and put their sections together.

    Args:
        dataset: what to measure.
        options: of all measures.
        only: names of measures; all of the kind without any.

    Raises:
        BadInput: there is no such measure or not for this kind, or nothing to measure, or a split
            names an unknown record.
    """
    names = list(only) or registry.names("measures", dataset.kind)
    if not len(dataset) and not dataset.extras.get("surveys"):
        raise BadInput(f"{dataset.name}: there is no record to measure")
    dataset.check()
    if options.resamples < 0:
        raise BadInput(f"--resamples: expected 0 or more, got {options.resamples}")
    fields: dict[str, Any] = {
        "schema": "deixis/measure/1",
        "dataset": dataset.name,
        "task": dataset.kind,
        "splits": list(dataset.splits),
        "fingerprint": dataset.fingerprint,
        "records": len(dataset),
        "seed": options.seed,
        "resamples": options.resamples,
    }
    sections = [registry.find("measures", n, dataset.kind)(dataset, options) for n in names]
    for name, section in zip(names, sections, strict=True):
        twice = sorted(fields.keys() & section.fields.keys())
        if twice:
            raise BadInput(f"two measures give {twice[0]!r}, {name} is one of them")
        fields |= section.fields
    fields["notes"] = [note for s in sections for note in s.notes]
    return Section(
        fields,
        [t for s in sections for t in s.tables],
        [f for s in sections for f in s.figures],
        fields["notes"],
    )


def write(folder: Path, found: Section) -> None:
    """Write ``measure.json`` and an SVG file of each figure, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    said = json.dumps(plain(found.fields), ensure_ascii=False, indent=1)
    write_text(folder / "measure.json", said)
    for figure in found.figures:
        draw_figure(figure, folder / f"{figure.name}.svg")
