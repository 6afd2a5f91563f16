"""Where the files of pictures are: in folders, in zips, in cells of tables. Read when needed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from platformdirs import user_cache_path

from deixis.errors import BadInput
from deixis.pictures.archive import Archive
from deixis.writing import write_bytes


class Place(Protocol):
    """Somewhere a picture's file can be read from; a plain value that other processes can use."""

    def read(self) -> bytes:
        """The file's content."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of its own."""

    path: Path

    def read(self) -> bytes:
        """See `Place`."""
        return self.path.read_bytes()


@dataclass(frozen=True, slots=True)
class Member:
    """A file in a folder or zip, known by its bare name."""

    archive: Archive
    name: str

    def read(self) -> bytes:
        """See `Place`."""
        return self.archive[self.name]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a Parquet or Arrow file, or one of the list that it holds.

    Attributes:
        path: of the table.
        block: the row group or record batch.
        row: within the block.
        column: its name.
        item: position in the cell's list; None where the cell holds one picture.
    """

    path: Path
    block: int
    row: int
    column: str
    item: int | None = None

    def read(self) -> bytes:
        """See `Place`."""
        value = _column(self.path, self.block, self.column)[self.row].as_py()
        value = value if self.item is None else value[self.item]
        content: bytes = value["bytes"] if isinstance(value, dict) else value
        return content


@lru_cache(maxsize=4)
def _column(path: Path, block: int, column: str) -> Any:
    """One column of one block; the latest few are kept, since neighbours are read together."""
    import pyarrow as pa
    from pyarrow import parquet

    if path.suffix == ".parquet":
        return parquet.ParquetFile(path).read_row_group(block, columns=[column])[column]
    with pa.memory_map(str(path)) as source:
        return batches(source)[block][column]


def batches(source: Any) -> list[Any]:
    """The record batches of an Arrow file or stream; memory is mapped, not read."""
    import pyarrow as pa
    from pyarrow import ipc

    try:
        reader = ipc.open_file(source)
        return [reader.get_batch(i) for i in range(reader.num_record_batches)]
    except pa.ArrowInvalid:
        source.seek(0)
        return list(ipc.open_stream(source))


class Pictures(Mapping[str, bytes]):
    """The content of each picture's file by the picture's name, read on use."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> bytes:
        try:
            return self._places[name].read()
        except OSError as error:
            raise BadInput(f"the picture {name}: {error.strerror or error}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def keep(content: bytes) -> File:
    """Unpack a picture that is text in a table into the user's cache, under its hash.

    So the memory of a table does not grow with its pictures, and processes can share them.
    """
    name = hashlib.sha256(content).hexdigest()
    path = user_cache_path("deixis") / "pictures" / name[:2] / name
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, content)
    return File(path)


def content_hash(content: bytes) -> str:
    """What tells a picture's content: pictures of one hash are one, whatever their names."""
    return hashlib.sha256(content).hexdigest()[:16]
