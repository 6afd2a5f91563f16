"""Runs read back from their folders, without playing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.runs import columns
from deixis.runs.cell import Cell
from deixis.runs.folder import RunFolder
from deixis.seeds import Seeds


@dataclass(frozen=True)
class Held:
    """What a run's folder holds.

    Attributes:
        name: the folder's.
        spec: what the run was begun with.
        outcomes: for each condition on top of the base, one for each replicate.
    """

    name: str
    spec: Mapping[str, Any]
    outcomes: Mapping[str, tuple[Outcomes, ...]]


def hold(path: Path) -> Held:
    """Read every cell of a run whose player was trained with all inputs.

    Raises:
        BadInput: the folder is no run, or no cell of its base condition is done.
    """
    spec = RunFolder(path).spec()
    base = spec.get("condition")
    if not isinstance(base, str):
        raise BadInput(f"{path}: run.json does not say under what condition it was played")
    found: dict[str, list[tuple[Seeds, Outcomes]]] = {}
    for file in sorted((path / "cells").glob("*.parquet")):
        cell = read_cell(file)
        if cell.trained:
            continue
        own = _on_top(base, cell.condition)
        if own is not None:
            found.setdefault(own, []).append((cell.seeds, columns.read(file)))
    if "" not in found:
        raise BadInput(f"{path}: no cell of its base condition is done")
    ordered = {
        c: tuple(o for _, o in sorted(many, key=lambda so: (so[0].order, so[0].training)))
        for c, many in found.items()
    }
    return Held(path.name, spec, ordered)


def read_cell(file: Path) -> Cell:
    """The cell that a file holds.

    Raises:
        BadInput: the file is no cell of a run.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        header = parquet.read_schema(file).metadata or {}
    except pa.ArrowInvalid as error:
        raise BadInput(f"{file}: not a cell of a run: {error}") from None
    if b"cell" not in header:
        raise BadInput(f"{file}: not a cell of a run")
    fields = json.loads(header[b"cell"])
    return Cell(**(fields | {"seeds": Seeds(**fields["seeds"])}))


def _on_top(base: str, condition: str) -> str | None:
    """What a condition adds to the base; None if it does not begin with it."""
    if not base:
        return condition
    if condition == base:
        return ""
    return condition.removeprefix(f"{base},") if condition.startswith(f"{base},") else None
