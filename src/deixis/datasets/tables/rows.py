"""Rows of tables: Parquet, Arrow, JSON lines, JSON, CSV, TSV and Excel files, each as it is.

Pictures inside Parquet and Arrow files are not kept in memory: a row holds their hash and place.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.datasets.tables.places import Cell, batches, content_hash
from deixis.errors import BadInput, extra
from deixis.reading import json_lines, need_file, read_text

Row = tuple[str, Mapping[str, Any]]
"""Where it stands, for errors, and its cells by column."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A picture's file inside a table: the hash of its content, and where it can be read."""

    content: str
    place: Cell


def read(path: Path, columns: Sequence[str] | None = None) -> Iterator[Row]:
    """The rows of a file.

    Args:
        path: its suffix says what it is.
        columns: which are wanted; all by default. Files that hold columns apart skip the others.

    Raises:
        BadInput: the file is missing, of another kind or broken, or lacks a column.
    """
    need_file(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise BadInput(f"{path}: expected a table ending in {', '.join(_READERS)}")
    try:
        yield from reader(path, columns)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8: byte {error.start} of a block") from None


def need(path: Path, columns: Sequence[str] | None, known: Sequence[str]) -> None:
    """Refuse a file that lacks a wanted column.

    Raises:
        BadInput: it does; the message lists the columns that there are.
    """
    for column in columns or ():
        if column not in known:
            raise BadInput(f"{path}: has no column {column!r} (it has {', '.join(known)})")


def _separated(delimiter: str) -> Callable[[Path, Sequence[str] | None], Iterator[Row]]:
    def reader(path: Path, columns: Sequence[str] | None) -> Iterator[Row]:
        # Pictures in base64 are longer than any field that the module expects.
        csv.field_size_limit(sys.maxsize)
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, delimiter=delimiter, strict=True)
            try:
                header = next(lines, [])
                need(path, columns, header)
                for cells in lines:
                    if not cells:
                        continue
                    where = f"{path}:{lines.line_num}"
                    if len(cells) != len(header):
                        raise BadInput(f"{where}: expected {len(header)} cells, got {len(cells)}")
                    yield where, dict(zip(header, cells, strict=True))
            except csv.Error as error:
                raise BadInput(f"{path}:{lines.line_num}: not a readable row: {error}") from None

    return reader


def _jsonl(path: Path, columns: Sequence[str] | None) -> Iterator[Row]:
    for where, row in json_lines(path):
        yield where, _with_columns(where, row, columns)


def _with_columns(
    where: str, row: Mapping[str, Any], columns: Sequence[str] | None
) -> Mapping[str, Any]:
    """The row, a column that it lacks being empty; one without any of them is refused."""
    if columns and not any(c in row for c in columns):
        raise BadInput(f"{where}: has none of {', '.join(columns)} (it has {', '.join(row)})")
    return row


def _json(path: Path, columns: Sequence[str] | None) -> Iterator[Row]:
    try:
        content = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None
    if not isinstance(content, list) or not all(isinstance(r, dict) for r in content):
        raise BadInput(f"{path}: expected a list of objects")
    for number, row in enumerate(content, start=1):
        where = f"{path}: record {number}"
        yield where, _with_columns(where, row, columns)


def _excel(path: Path, columns: Sequence[str] | None) -> Iterator[Row]:
    import zipfile

    openpyxl = extra("openpyxl", "tables")
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise BadInput(f"{path}: not a readable Excel file: {error}") from None
    with closing(book):
        lines = book.worksheets[0].iter_rows(values_only=True)
        header = [str(c) for c in next(lines, ())]
        need(path, columns, header)
        for number, cells in enumerate(lines, start=2):
            if any(c is not None for c in cells):
                yield f"{path}:{number}", dict(zip(header, cells, strict=True))


def _parquet(path: Path, columns: Sequence[str] | None) -> Iterator[Row]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            need(path, columns, schema.names)
            for block in range(file.num_row_groups):
                held = file.read_row_group(block, columns=list(columns) if columns else None)
                yield from _rows(path, block, held, _class_names(schema))
    except pa.ArrowInvalid as error:
        raise BadInput(f"{path}: no Parquet: {error}") from None


def _arrow(path: Path, columns: Sequence[str] | None) -> Iterator[Row]:
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as source:
            for block, batch in enumerate(batches(source)):
                need(path, columns, batch.schema.names)
                kept = batch.select(list(columns)) if columns else batch
                yield from _rows(path, block, kept, _class_names(batch.schema))
    except pa.ArrowInvalid as error:
        raise BadInput(f"{path}: no Arrow file: {error}") from None


def _rows(path: Path, block: int, held: Any, labels: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    for number, row in enumerate(held.to_pylist()):
        cells = {}
        for column, value in row.items():
            if column in labels and isinstance(value, int) and value >= 0:
                value = labels[column][value]
            cells[column] = _packed(value, Cell(path, block, number, column))
        where = f"{path}: block {block}, row {number}" if block else f"{path}: row {number}"
        yield where, cells


def _packed(value: Any, place: Cell) -> Any:
    """The value with the bytes of pictures replaced by their hash and place."""
    if isinstance(value, list):
        return [
            _packed(v, Cell(place.path, place.block, place.row, place.column, i))
            for i, v in enumerate(value)
        ]
    content = value.get("bytes") if isinstance(value, dict) else value
    if isinstance(content, bytes):
        return Packed(content_hash(content), place)
    # A picture of a Hugging Face dataset that was not embedded is its path.
    return value["path"] if isinstance(value, dict) and set(value) == {"bytes", "path"} else value


def _class_names(schema: Any) -> dict[str, list[str]]:
    """Names of the classes of columns that hold numbers of classes, as Hugging Face notes them."""
    noted = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
    features = noted.get("info", {}).get("features", {})
    return {
        column: list(feature["names"])
        for column, feature in features.items()
        if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
    }


_READERS: dict[str, Callable[[Path, Sequence[str] | None], Iterator[Row]]] = {
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".jsonl": _jsonl,
    ".json": _json,
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
    ".xlsx": _excel,
}

SUFFIXES = tuple(_READERS)
"""Suffixes of tables that can be read."""
