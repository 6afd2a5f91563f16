"""Load the benchmark that a TOML file describes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from deixis.dataset import Choice, Dataset, fingerprint
from deixis.datasets.tables import rows
from deixis.datasets.tables.album import Album
from deixis.datasets.tables.build import Table, questions, text
from deixis.datasets.tables.folders import FILE, LABEL, Line, lines
from deixis.datasets.tables.spec import Spec, is_file, read_spec
from deixis.errors import BadInput, unknown
from deixis.pictures.archive import Archive


def table(path: Path) -> Dataset:
    """The benchmark of a TOML file, as a dataset of choices.

    Args:
        path: of the TOML file, see `deixis.datasets.tables.spec.Spec` for its keys.

    Raises:
        BadInput: the file, a table or a row is wrong, a picture is missing, or an id stands twice.
    """
    spec = read_spec(path)
    read = list(lines(spec.rows, _wanted(spec)))
    if not read:
        raise BadInput(f"{path}: rows: the tables are empty")
    spec = _of_folder(spec, read[0])
    _refuse_absent(spec, read)
    album = Album(_folder(spec), Archive(spec.pictures) if spec.pictures else None)
    ids = _ids(spec, read)
    made = Table(spec, _resolved(spec, read, ids), ids, album, _reworded(spec))
    records: dict[str, Choice] = {}
    splits: dict[str, list[str]] = {}
    for choice, split in _with_splits(made):
        records[choice.id] = choice
        splits.setdefault(split, []).append(choice.id)
    return Dataset(
        name=spec.name,
        kind="choice",
        splits={name: tuple(ids) for name, ids in splits.items()},
        records=records,
        store=album.store(f"expected beside {path}"),
        fingerprint=fingerprint(_parts(records, album)),
        counts={"pictures": len(set(album.contents.values()))},
        extras={"form": _form(spec)},
    )


def _wanted(spec: Spec) -> tuple[str, ...]:
    """Columns to read; all where a folder decides what there is."""
    return () if any(p.is_dir() and not list(p.rglob("*.parquet")) for p in spec.rows) else (
        spec.wanted
    )  # fmt: skip


def _of_folder(spec: Spec, first: Line) -> Spec:
    """Pictures and answers of a folder of pictures are where such folders have them."""
    usual = {"pictures": FILE, "answer": LABEL}
    added = {
        meaning: (column,)
        for meaning, column in usual.items()
        if meaning not in spec.columns and column in first.cells
    }
    return replace(spec, columns={**added, **spec.columns}) if added else spec


def _folder(spec: Spec) -> Path:
    folders = [p for p in spec.rows if p.is_dir()]
    return folders[0] if len(folders) == 1 else spec.path.parent


def _refuse_absent(spec: Spec, read: Sequence[Line]) -> None:
    """Refuse a column that no row has: a name that is spelt wrongly is not an empty column."""
    held = {column for line in read for column in line.cells}
    for column in spec.wanted:
        if column not in held:
            raise unknown(f"{spec.path}: no row has a column {column!r}", column, sorted(held))


def _ids(spec: Spec, read: Sequence[Line]) -> list[str]:
    column = spec.column("id")
    ids = [text(line.cells.get(column)) if column else str(i) for i, line in enumerate(read)]
    seen: dict[str, str] = {}
    for line, name in zip(read, ids, strict=True):
        if not name:
            raise BadInput(f"{line.where}: {column}: is empty")
        if name in seen:
            raise BadInput(f"{line.where}: {name!r} stands there twice, before at {seen[name]}")
        seen[name] = line.where
    return ids


def _resolved(spec: Spec, read: Sequence[Line], ids: Sequence[str]) -> Sequence[Line]:
    """Rows whose picture is the id of another row get that row's picture."""
    column = spec.column("pictures") if spec.references else None
    if column is None:
        return read
    own = dict(zip(ids, read, strict=True))
    return [
        replace(line, cells={**line.cells, column: own[value].cells[column]})
        if (value := text(line.cells.get(column))) in own
        else line
        for line in read
    ]


def _reworded(spec: Spec) -> dict[str, Mapping[str, str]]:
    """Paraphrases that come from files, by name and id."""
    found: dict[str, Mapping[str, str]] = {}
    for name, source in spec.paraphrases.items():
        if is_file(source):
            given = rows.read(spec.path.parent / source, ("id", "text"))
            found[name] = {text(r.get("id")): text(r.get("text")) for _, r in given}
    return found


def _with_splits(made: Table) -> Iterator[tuple[Choice, str]]:
    """Every question with its split: what its column says, else its file's name, else ``all``."""
    column = made.spec.column("split")
    each = len(made.lines)
    for number, choice in enumerate(questions(made)):
        # Winoground makes four questions of each row, the others one.
        row = number // 4 if made.spec.kind == "winoground" else number
        assert row < each
        line = made.lines[row]
        yield choice, (text(line.cells.get(column)) if column else line.split) or "all"


def _form(spec: Spec) -> str | None:
    if spec.kind in ("winoground", "retrieval"):
        return spec.kind
    return "groups" if "group" in spec.columns else None


def _parts(records: Mapping[str, Choice], album: Album) -> Iterator[bytes]:
    """What the fingerprint is of: every question, with the contents of its pictures."""
    contents = album.contents
    for record in records.values():
        shown = [contents[p] for p in record.pictures]
        options = [contents[o] for o in record.options] if record.pictured else record.options
        made = {**asdict(record), "pictures": shown, "options": options}
        yield json.dumps(made, sort_keys=True).encode()
