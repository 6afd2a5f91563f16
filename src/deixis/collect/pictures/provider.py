"""Where pictures come from: one interface, and the local folder that needs no network."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from deixis.datasets.tables import rows
from deixis.errors import BadInput
from deixis.pictures.archive import SUFFIXES
from deixis.writing import write_bytes

STOCK = (
    "alamy.com",
    "depositphotos.com",
    "dreamstime.com",
    "gettyimages.com",
    "istockphoto.com",
    "shutterstock.com",
    "123rf.com",
)
"""Hosts that sell pictures; whatever lies there is left out."""


@dataclass(frozen=True, slots=True)
class Found:
    """A picture that a search found.

    Attributes:
        url: of the file; its name in the collection.
        page: where a person can look it up.
        licence: short name, such as ``CC BY-SA 4.0``.
        licence_url: of its text.
        attribution: who is to be named, and how.
        words: title, description and keywords, for searches in tables.
    """

    url: str
    page: str = ""
    licence: str = ""
    licence_url: str = ""
    attribution: str = ""
    words: str = field(default="", compare=False)

    @property
    def stock(self) -> bool:
        """Whether it lies with somebody who sells pictures.

        >>> Found("https://www.shutterstock.com/a.jpg").stock, Found("file:a.jpg").stock
        (True, False)
        """
        host = (urlsplit(self.url).hostname or "").lower()
        return any(host == s or host.endswith(f".{s}") for s in STOCK)


class Provider(Protocol):
    """A source of pictures."""

    name: str

    def search(self, phrase: str) -> Iterator[Found]:
        """What a phrase finds, best first, as long as somebody asks for more."""

    def content(self, found: Found) -> bytes:
        """The bytes of a file.

        Raises:
            Unavailable: it cannot be had.
        """


class Unavailable(Exception):
    """A file that cannot be had; one phrase says why."""


TABLE = "pictures.csv"
COLUMNS = ("file", "words", "url", "page", "licence", "licence_url", "attribution")


class LocalPictures:
    """A folder of pictures: those of its table ``pictures.csv``, or all, by words of their paths.

    Args:
        folder: where they are; the table's column ``file`` is relative to it.

    Raises:
        BadInput: there are none, or a row of the table is wrong.
    """

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        if not folder.is_dir():
            raise BadInput(f"there is no folder {folder}")
        listed = _listed(folder) if (folder / TABLE).is_file() else _files(folder)
        self._rows = list(listed)
        if not self._rows:
            raise BadInput(f"{folder}: no pictures there, and no table {TABLE} that lists any")
        self._paths = {found.url: path for path, found in self._rows}

    def search(self, phrase: str) -> Iterator[Found]:
        """Rows whose words hold the most words of the phrase, then in the table's order."""
        wanted = _words(phrase)
        scored = [(len(wanted & _words(f.words)), -n, f) for n, (_, f) in enumerate(self._rows)]
        for score, _, found in sorted(scored, key=lambda s: s[:2], reverse=True):
            if score:
                yield found

    def content(self, found: Found) -> bytes:
        """The file."""
        path = self._paths.get(found.url)
        if path is None:
            raise Unavailable("not in the table")
        try:
            return path.read_bytes()
        except OSError as error:
            raise Unavailable(f"{error.strerror or error}".lower()) from None


def _words(text: str) -> set[str]:
    return {w.removesuffix("s") for w in text.lower().split()}


def _listed(folder: Path) -> Iterator[tuple[Path, Found]]:
    for where, row in rows.read(folder / TABLE, ("file", "words")):
        unknown = set(row) - set(COLUMNS)
        if unknown:
            known = ", ".join(COLUMNS)
            raise BadInput(f"{where}: unknown column {min(unknown)!r} (known: {known})")
        path = (folder / row["file"]).resolve()
        if not row["file"] or not path.is_relative_to(folder.resolve()):
            raise BadInput(f"{where}: {row['file']!r} is no file of the folder")
        values = {c: row.get(c, "") for c in COLUMNS[1:]}
        yield path, Found(**(values | {"url": values["url"] or f"file:{row['file']}"}))


def _files(folder: Path) -> Iterator[tuple[Path, Found]]:
    """``dogs/two_on-grass.jpg`` is found by dogs, two, on and grass."""
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES):
        name = path.relative_to(folder)
        words = " ".join(re.findall(r"[^\W\d_]+", str(name.with_suffix(""))))
        yield path, Found(f"file:{name.as_posix()}", words=words)


class Kept:
    """Another provider, each of whose files is asked for once, and kept in a folder.

    Args:
        provider: the other one.
        folder: of the files; what an earlier run left there is taken.
    """

    def __init__(self, provider: Provider, folder: Path) -> None:
        self.name, self.search = provider.name, provider.search
        self._provider, self._folder = provider, folder

    def content(self, found: Found) -> bytes:
        """The file."""
        path = self._folder / hashlib.sha256(found.url.encode()).hexdigest()
        if not path.is_file():
            self._folder.mkdir(parents=True, exist_ok=True)
            write_bytes(path, self._provider.content(found))
        return path.read_bytes()
