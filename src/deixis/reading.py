"""Files that people write: UTF-8, after the mark that editors on Windows put before it, if any."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deixis.errors import BadInput


def need_file(path: Path) -> None:
    """Refuse a path that is no file.

    >>> need_file(Path("nothing.csv"))
    Traceback (most recent call last):
    deixis.errors.BadInput: there is no file nothing.csv
    """
    if path.is_dir():
        raise BadInput(f"{path} is a folder; expected a file")
    if not path.is_file():
        raise BadInput(f"there is no file {path}")


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        BadInput: there is no such file, or it is not UTF-8.
    """
    need_file(path)
    return _decoded(path.read_bytes(), str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file.

    Raises:
        BadInput: there is no such file, or it is no TOML; the message says where.
    """
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: no TOML: {error}") from None


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where each object of a file of JSON lines stands, ``FILE:LINE``, and the object.

    Raises:
        BadInput: there is no such file, or a line is no object.
    """
    need_file(path)
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            where = f"{path}:{number}"
            text = _decoded(line, where).strip()
            if not text:
                continue
            try:
                row = json.loads(text)
            except json.JSONDecodeError as error:
                raise BadInput(f"{where}: no JSON: {error.msg}") from None
            if not isinstance(row, dict):
                raise BadInput(f"{where}: expected an object, got {text[:60]!r}")
            yield where, row


def _decoded(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{where}: not UTF-8 at byte {error.start}") from None
