"""The TOML file of a benchmark: what kind it is of, where its rows are, what its columns mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deixis.datasets.tables.formats import FORMATS
from deixis.errors import BadInput, unknown
from deixis.reading import read_toml

KINDS = ("multiple-choice", "true-false", "retrieval", "winoground")
ANSWERS = ("letter", "index", "number", "text")
DIRECTIONS = ("text-to-picture", "picture-to-text")
COLUMNS = (
    "id",
    "text",
    "pictures",
    "options",
    "captions",
    "answer",
    "group",
    "cluster",
    "stratum",
    "split",
    "pool",
)


@dataclass(frozen=True)
class Spec:
    """A benchmark's TOML file.

    Attributes:
        path: of the file; other paths are relative to it.
        name: of the benchmark.
        kind: multiple-choice, true-false, retrieval or winoground.
        rows: the tables, or folders, that hold the rows.
        pictures: a folder or zip of picture files that cells name; None for the TOML's folder.
        columns: for each of `COLUMNS` that is given, the names of its columns.
        prompt: what is asked of every row, where no column says it.
        options: the options of every row, where no column says them.
        pictured: whether options are pictures.
        answer: how answers are written: the option's letter or column, its index from 0, its
            number from 1, or its text; empty to find out.
        direction: of retrieval: what is given and what is chosen.
        references: whether a cell may name another row's picture by that row's id.
        paraphrases: the prompt in other words, for each name a column, or a file with the columns
            ``id`` and ``text``.
    """

    path: Path
    name: str
    kind: str
    rows: tuple[Path, ...]
    pictures: Path | None = None
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    prompt: str = ""
    options: tuple[str, ...] = ()
    pictured: bool = False
    answer: str = ""
    direction: str = "text-to-picture"
    references: bool = False
    paraphrases: Mapping[str, str] = field(default_factory=dict)

    def column(self, name: str) -> str | None:
        """The one column of that meaning, or None.

        Raises:
            BadInput: several are given.
        """
        found = self.columns.get(name, ())
        if len(found) > 1:
            raise BadInput(f"{self.path}: columns.{name}: expected one column, got {len(found)}")
        return found[0] if found else None

    @property
    def wanted(self) -> tuple[str, ...]:
        """Every column that is read."""
        reworded = [c for c in self.paraphrases.values() if not is_file(c)]
        named = [c for columns in self.columns.values() for c in columns]
        return tuple(dict.fromkeys([*named, *reworded]))


def read_spec(path: Path) -> Spec:
    """Read the TOML file.

    Raises:
        BadInput: it is missing, no TOML, or holds something unknown or of another type.
    """
    content = _with_format(path, read_toml(path))
    known = {**_TYPES, "columns": dict, "paraphrases": dict}
    for key, value in content.items():
        if key not in known:
            raise unknown(f"{path}: there is no key {key!r}", key, known)
        if not isinstance(value, known[key]):
            raise BadInput(f"{path}: {key}: expected {_SAID[known[key]]}, got {value!r}")
    kind = _one_of(path, "kind", content.get("kind"), KINDS)
    return Spec(
        path=path,
        name=content.get("name", path.stem),
        kind=kind,
        rows=_rows(path, content.get("rows")),
        pictures=_pictures(path, content.get("pictures")),
        columns=_columns(path, content.get("columns", {})),
        prompt=content.get("prompt", ""),
        options=tuple(_texts(path, "options", content.get("options", []))),
        pictured=content.get("options-are", "texts") == "pictures",
        answer=_one_of(path, "answer-is", content.get("answer-is", ""), ("", *ANSWERS)),
        direction=_one_of(path, "direction", content.get("direction", DIRECTIONS[0]), DIRECTIONS),
        references=content.get("picture-references", False),
        paraphrases=_paraphrases(path, content.get("paraphrases", {})),
    )


_TYPES: dict[str, type] = {
    "name": str,
    "kind": str,
    "rows": object,
    "pictures": str,
    "prompt": str,
    "options": list,
    "options-are": str,
    "answer-is": str,
    "direction": str,
    "picture-references": bool,
}
_SAID = {str: "a text", list: "a list", dict: "a table", bool: "true or false", object: "anything"}


def _with_format(path: Path, content: dict[str, Any]) -> dict[str, Any]:
    """What a public format says by its name, under what the file says itself."""
    name = content.pop("format", None)
    if name is None:
        return content
    if name not in FORMATS:
        raise unknown(f"{path}: there is no format {name!r}", name, FORMATS)
    usual = FORMATS[name]
    columns = {**usual["columns"], **content.get("columns", {})}
    return {**usual, **content, "columns": {c: v for c, v in columns.items() if v}}


def _rows(path: Path, written: Any) -> tuple[Path, ...]:
    found: list[Path] = []
    for one in _texts(path, "rows", written):
        places = sorted(path.parent.glob(one)) if not Path(one).is_absolute() else [Path(one)]
        if not [p for p in places if p.exists()]:
            raise BadInput(f"{path}: rows: there is no {one} beside it")
        found += places
    if not found:
        raise BadInput(f"{path}: rows: expected a table, or a folder, relative to this file")
    return tuple(found)


def _pictures(path: Path, written: str | None) -> Path | None:
    if written is None:
        return None
    place = path.parent / written
    if not place.exists():
        raise BadInput(f"{path}: pictures: there is no {place}")
    return place


def _columns(path: Path, written: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    made = {}
    for meaning, columns in written.items():
        if meaning not in COLUMNS:
            raise unknown(f"{path}: columns: no {meaning!r}", meaning, COLUMNS)
        made[meaning] = tuple(_texts(path, f"columns.{meaning}", columns))
    return made


def _paraphrases(path: Path, written: Mapping[str, Any]) -> dict[str, str]:
    for name, source in written.items():
        if not isinstance(source, str):
            raise BadInput(f"{path}: paraphrases.{name}: expected a column or a file")
    return dict(written)


def is_file(source: str) -> bool:
    """Whether a source of paraphrases is a file rather than a column."""
    return source.endswith((".csv", ".tsv", ".jsonl", ".parquet"))


def _texts(path: Path, key: str, written: Any) -> list[str]:
    listed = [written] if isinstance(written, str) else written or []
    if not isinstance(listed, list) or not all(isinstance(t, str) for t in listed):
        raise BadInput(f"{path}: {key}: expected a text or a list of texts, got {written!r}")
    return listed


def _one_of(path: Path, key: str, value: Any, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        known = ", ".join(a for a in allowed if a)
        raise BadInput(f"{path}: {key}: expected one of {known}, got {value!r}")
    return str(value)
