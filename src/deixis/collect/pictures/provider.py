"""Where pictures come from: one interface, and the local folder that needs no network."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from deixis.errors import BadInput

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


COLUMNS = ("file", "words", "url", "page", "licence", "licence_url", "attribution")


class LocalPictures:
    """A folder with a table ``pictures.csv``: file, words, and what is known of rights.

    Args:
        folder: of the table; files are named relative to it.

    Raises:
        BadInput: there is no table, or a row of it is wrong.
    """

    name = "local"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rows = list(_rows(folder))
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


def _rows(folder: Path) -> Iterator[tuple[Path, Found]]:
    table = folder / "pictures.csv"
    if not table.is_file():
        raise BadInput(f"{folder}: no table pictures.csv there (columns: {', '.join(COLUMNS)})")
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if set(rows.fieldnames or ()) < {"file", "words"}:
            raise BadInput(f"{table}: needs the columns file and words")
        unknown = set(rows.fieldnames or ()) - set(COLUMNS)
        if unknown:
            raise BadInput(
                f"{table}: unknown column {min(unknown)!r} (known: {', '.join(COLUMNS)})"
            )
        for number, row in enumerate(rows, start=2):
            path = (folder / (row["file"] or "")).resolve()
            if not row["file"] or not path.is_relative_to(folder.resolve()):
                raise BadInput(f"{table}: line {number}: {row['file']!r} is no file of the folder")
            values = {c: row.get(c) or "" for c in COLUMNS[1:]}
            yield path, Found(**(values | {"url": values["url"] or f"file:{row['file']}"}))
