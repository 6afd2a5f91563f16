"""Find a dataset's folder, and read its files as they are: plain, gzipped, or in a zip."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from deixis.errors import BadInput

DEPTH = 3
"""How far below the given folder a dataset's own folder may lie."""


def data_root(given: Path | str | None = None) -> Path:
    """The folder to search: the one given, else ``DEIXIS_DATA``, else the user's cache.

    Raises:
        BadInput: the folder that was named does not exist.
    """
    named = given or os.environ.get("DEIXIS_DATA")
    if named is None:
        return user_cache_path("deixis") / "data"
    root = Path(named)
    if not root.is_dir():
        raise BadInput(f"there is no folder {root}")
    return root


class Folder:
    """A dataset's own folder; remembers the hash of everything read from it.

    Args:
        path: the folder.
        layout: for each logical file, the paths it may have, relative to the folder. Each also
            matches with ``.gz`` behind it.
    """

    def __init__(self, path: Path, layout: Mapping[str, Sequence[str]]) -> None:
        self.path = path
        self._layout = layout
        self._hashes: dict[str, str] = {}

    def find(self, name: str) -> Path | None:
        """Where a logical file is, or None if the folder lacks it."""
        for relative in self._layout[name]:
            for path in (self.path / relative, self.path / f"{relative}.gz"):
                if path.exists():
                    return path
        return None

    def need(self, name: str) -> Path:
        """Where a logical file is.

        Raises:
            BadInput: it is nowhere.
        """
        path = self.find(name)
        if path is None:
            raise BadInput(f"{self.path}: {self._layout[name][0]} is missing")
        return path

    def read(self, name: str) -> bytes:
        """The file's content, unpacked."""
        return self.note(name, _read(self.need(name)))

    def json(self, name: str) -> Any:
        """The file's content as JSON.

        Raises:
            BadInput: it is no JSON; the message names file, line and column.
        """
        return parse_json(self.read(name), self.need(name))

    def records(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Where each object of a file stands, and the object: one a line, or all in one list.

        Raises:
            BadInput: the file is no such JSON; the message names file and line.
        """
        path, content = self.need(name), self.read(name)
        if content.lstrip()[:1] == b"[":
            listed = ((f"{path}: record {i}", r) for i, r in enumerate(parse_json(content, path)))
        else:
            lines = (n for n in enumerate(content.split(b"\n"), start=1) if n[1].strip())
            listed = ((f"{path}:{n}", _line(line, path, n)) for n, line in lines)
        for where, record in listed:
            if not isinstance(record, dict):
                raise BadInput(f"{where}: expected an object, got {str(record)[:60]!r}")
            yield where, record

    def members(self, name: str, suffix: str) -> Iterator[tuple[str, bytes]]:
        """Name and content of each file with that suffix in a folder or zip, sorted by name.

        Raises:
            BadInput: the file is nowhere, or is no readable zip.
        """
        path = self.need(name)
        if path.is_dir():
            found = [(p.name, p.read_bytes()) for p in path.rglob(f"*{suffix}")]
        else:
            try:
                with zipfile.ZipFile(path) as archive:
                    inside = [n for n in archive.namelist() if n.endswith(suffix)]
                    found = [(n.rpartition("/")[2], archive.read(n)) for n in inside]
            except (zipfile.BadZipFile, zlib.error) as error:
                raise BadInput(f"{path}: not a readable zip file: {error}") from None
        for member, content in sorted(found):
            yield member, self.note(f"{name}/{member}", content)

    @property
    def fingerprint(self) -> str:
        """Hash over names and contents of all files read so far, 16 hex digits."""
        listed = json.dumps(sorted(self._hashes.items()))
        return hashlib.sha256(listed.encode()).hexdigest()[:16]

    def note(self, name: str, content: bytes) -> bytes:
        """Make this content part of the fingerprint, and give it back."""
        self._hashes[name] = hashlib.sha256(content).hexdigest()
        return content


def locate(
    root: Path, dataset: str, layout: Mapping[str, Sequence[str]], markers: Sequence[str]
) -> Folder:
    """The dataset's folder: `root` itself or the nearest folder below that holds a marker file.

    Args:
        root: where to search.
        dataset: the dataset's name, for the error.
        layout: the paths of logical files, see `Folder`.
        markers: logical files, each of which shows that this is the folder.

    Raises:
        BadInput: no folder holds the dataset.
    """
    level = [root]
    for _ in range(DEPTH + 1):
        for path in level:
            folder = Folder(path, layout)
            if any(folder.find(m) for m in markers):
                return folder
        level = sorted(p for folder in level if folder.is_dir() for p in folder.iterdir())
        level = [p for p in level if p.is_dir() and not p.name.startswith(".")]
    wanted = layout[markers[0]][0]
    raise BadInput(
        f"found no {dataset} data in {root}: expected {wanted} there or up to {DEPTH} folders "
        f"below; name the folder with --data, or try: deixis fetch {dataset}"
    )


def parse_json(content: bytes, where: Path | str) -> Any:
    """Parse JSON, or say where it is broken.

    Raises:
        BadInput: it is no JSON; the message says where.
    """
    try:
        return json.loads(content)
    except UnicodeDecodeError as error:
        raise BadInput(f"{where}: not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise BadInput(f"{where}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None


def _line(line: bytes, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}:{number}: not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}:{number}:{error.colno}: no JSON: {error.msg}") from None


def _read(path: Path) -> bytes:
    if path.suffix != ".gz":
        return path.read_bytes()
    try:
        return gzip.decompress(path.read_bytes())
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise BadInput(f"{path}: not a readable gzip file: {error}") from None
