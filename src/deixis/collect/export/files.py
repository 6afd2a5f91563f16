"""Tables as files, written row by row: JSON lines, CSV and Parquet side by side."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from deixis.collect.export.rows import CHUNK, plain

SPREADSHEET = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings that a spreadsheet would run as a formula: in CSV an apostrophe stands before them."""


def write_tables(
    folder: Path, name: str, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]
) -> int:
    """Write a table in three formats.

    Args:
        folder: where to.
        name: of the files, without ending.
        columns: names and types of Arrow.
        rows: in any number; a chunk of them is in memory at a time.

    Returns:
        How many rows there were.
    """
    with ExitStack() as stack:
        lines = stack.enter_context(_opened(folder / f"{name}.jsonl"))
        sheet = csv.DictWriter(stack.enter_context(_opened(folder / f"{name}.csv")), list(columns))
        sheet.writeheader()
        arrow = stack.enter_context(_Arrow(folder / f"{name}.parquet", columns))
        n = 0
        for row in rows:
            flat = plain(dict(row))
            lines.write(json.dumps(_json(row), ensure_ascii=False) + "\n")
            sheet.writerow({k: _cell(v) for k, v in flat.items()})
            arrow.add(flat)
            n += 1
    return n


class _Arrow:
    """A Parquet file that grows by chunks."""

    def __init__(self, path: Path, columns: Mapping[str, str]) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.schema = pa.schema([(n, getattr(pa, kind)()) for n, kind in columns.items()])
        self.table = pa.Table
        self.file = parquet.ParquetWriter(path, self.schema)
        self.rows: list[dict[str, Any]] = []

    def __enter__(self) -> _Arrow:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        self.file.close()

    def add(self, row: dict[str, Any]) -> None:
        self.rows.append(row)
        if len(self.rows) == CHUNK:
            self.flush()

    def flush(self) -> None:
        self.file.write_table(self.table.from_pylist(self.rows, schema=self.schema))
        self.rows = []


def _opened(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="")


def _json(row: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in row.items()}


def _cell(value: Any) -> Any:
    risky = isinstance(value, str) and value.startswith(SPREADSHEET)
    return f"'{value}" if risky else value
