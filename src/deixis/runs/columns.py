"""Outcomes with their replies as a Parquet file, and back."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.replies import STATUSES
from deixis.runs.cell import Cell
from deixis.seeds import Seeds
from deixis.writing import whole

GROUP = 4096
"""Rows that are read together where one trial is looked at."""

_TABLES = ("scores", "relevance", "top")
"""Columns with a row of numbers for each trial."""

_OTHERS = ("condition", "seeds", "status", "raw", *_TABLES)
_PLAIN = [f.name for f in fields(Outcomes) if f.name not in _OTHERS]


def write(path: Path, cell: Cell, outcomes: Outcomes) -> None:
    """Write a cell's file whole."""
    import pyarrow as pa
    from pyarrow import parquet

    columns: dict[str, Any] = {}
    for name in (*_PLAIN, *_TABLES, "raw"):
        values = getattr(outcomes, name)
        if values is not None:
            columns[name] = pa.array(
                values.tolist() if values.dtype.kind != "f" or name in _TABLES else values
            )
    columns["status"] = pa.array([STATUSES[s] for s in outcomes.status])
    header = {"cell": cell.canonical, "seeds": json.dumps(asdict(outcomes.seeds))}
    table = pa.table(columns).replace_schema_metadata({**header, "condition": outcomes.condition})
    with whole(path, synced=True) as temporary:
        parquet.write_table(table, temporary, row_group_size=GROUP)


def read(path: Path) -> Outcomes:
    """Read a cell's file.

    Raises:
        BadInput: it is no Parquet file, or lacks a column.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
        header = {k.decode(): v.decode() for k, v in (table.schema.metadata or {}).items()}
        columns = {n: _array(table[n]) for n in _PLAIN if n in table.column_names}
        columns |= {n: np.array(table[n].to_pylist()) for n in _TABLES if n in table.column_names}
        if "raw" in table.column_names:
            columns["raw"] = np.array(table["raw"].to_pylist(), object)
        status = [STATUSES.index(s) for s in table["status"].to_pylist()]
        seeds = Seeds(**json.loads(header["seeds"]))
        return Outcomes(
            **columns,
            status=np.array(status, np.uint8),
            condition=header["condition"],
            seeds=seeds,
        )
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path}: not a cell of a run: {error}") from None


def _array(column: Any) -> Any:
    made = column.to_numpy()
    return made.astype(str) if made.dtype.kind == "O" else made
