"""Rows of folders: tables of a Hugging Face dataset, pictures with metadata, pictures by class."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.datasets.tables import rows
from deixis.errors import BadInput
from deixis.pictures.archive import SUFFIXES

SPLITS = ("train", "validation", "valid", "val", "dev", "test")
METADATA = ("metadata.jsonl", "metadata.csv", "metadata.parquet")
FILE, LABEL = "file_name", "label"
"""Columns of a folder of pictures: the file, and the name of the folder that it lies in."""

_SPLIT = re.compile(rf"(?:.*[-_./])?({'|'.join(SPLITS)})(?:[-_./].*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A row, where it stands, and the split that its file's name tells, if any."""

    where: str
    cells: Mapping[str, Any]
    split: str = ""


def lines(places: Sequence[Path], columns: Sequence[str]) -> Iterator[Line]:
    """All rows of tables and folders.

    Args:
        places: files and folders.
        columns: which columns are wanted; all where empty.

    Raises:
        BadInput: a folder holds neither tables nor pictures, or a table is broken.
    """
    for place in places:
        if not place.is_dir():
            yield from _table(place, columns, split_of(place.name) if len(places) > 1 else "")
            continue
        tables, metadata = _tables(place), _metadata(place)
        if metadata:
            for path in metadata:
                yield from _pictures_with_metadata(place, path)
        elif tables:
            for path in tables:
                yield from _table(path, columns, split_of(str(path.relative_to(place))))
        else:
            yield from _by_class(place)


def split_of(name: str) -> str:
    """The split that a file's name tells.

    >>> split_of("data/test-00000-of-00001.parquet"), split_of("items.parquet")
    ('test', '')
    """
    match = _SPLIT.fullmatch(name)
    return match[1].lower() if match else ""


def _table(path: Path, columns: Sequence[str], split: str) -> Iterator[Line]:
    for where, cells in rows.read(path, columns or None):
        yield Line(where, cells, split)


def _tables(folder: Path) -> list[Path]:
    """Parquet or Arrow files below; leftovers of the datasets library's cache are none."""
    found = sorted(p for s in ("*.parquet", "*.arrow") for p in folder.rglob(s))
    return [p for p in found if not p.name.startswith("cache-")]


def _metadata(folder: Path) -> list[Path]:
    return sorted(p for name in METADATA for p in folder.rglob(name))


def _pictures_with_metadata(folder: Path, path: Path) -> Iterator[Line]:
    inside = path.parent.relative_to(folder)
    for where, cells in rows.read(path):
        files = {
            column: _inside(inside, value)
            for column, value in cells.items()
            if column.endswith((FILE, f"{FILE}s"))
        }
        if not files:
            raise BadInput(f"{where}: has no column {FILE!r} (it has {', '.join(cells)})")
        yield Line(where, {**cells, **files}, split_of(f"{inside}/"))


def _inside(folder: Path, value: Any) -> Any:
    if isinstance(value, list):
        return [_inside(folder, v) for v in value]
    return str(folder / value) if isinstance(value, str) and value else value


def _by_class(folder: Path) -> Iterator[Line]:
    files = [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in SUFFIXES]
    if not files:
        raise BadInput(f"{folder}: holds neither Parquet or Arrow files nor pictures")
    for path in files:
        inside = path.relative_to(folder)
        if len(inside.parts) < 2:
            raise BadInput(
                f"{path}: expected the pictures of each class in a folder of its own, or a file "
                f"{METADATA[0]} that says what they are"
            )
        split = split_of(inside.parts[0]) if len(inside.parts) > 2 else ""
        yield Line(str(path), {FILE: str(inside), LABEL: inside.parts[-2]}, split)
