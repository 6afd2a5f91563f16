"""Backup and restore: one archive, whatever the store, from one state of it.

The archive holds a file of JSON lines for each table and a manifest with counts, hashes and the
revision of the tables; so a study can also move from SQLite to PostgreSQL and back.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text

from deixis.collect.clock import now
from deixis.collect.store.engine import Store
from deixis.collect.store.migrate import head
from deixis.collect.store.tables import Moment, metadata
from deixis.errors import BadInput

MARK = {"schema": "deixis/backup/1"}
"""What a manifest begins with."""

CHUNK = 500


def backup(store: Store, path: Path) -> dict[str, Any]:
    """Write everything to an archive, while the server may go on.

    It holds raw ids and the keys of studies: keep it as safe as the store.

    Args:
        store: to read.
        path: of the archive; must not exist.

    Returns:
        The manifest.

    Raises:
        BadInput: the file exists.
    """
    if path.exists():
        raise BadInput(f"{path}: there already; name a file that is not")
    path.parent.mkdir(parents=True, exist_ok=True)
    growing = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        handle = os.open(growing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", _PACKED) as archive:
            manifest = store.read(_write, archive)
            archive.writestr("manifest.json", json.dumps(manifest, indent=1))
        growing.rename(path)
    finally:
        growing.unlink(missing_ok=True)
    return manifest


_PACKED = zipfile.ZIP_DEFLATED


def _write(c: Connection, archive: zipfile.ZipFile) -> dict[str, Any]:
    tables = {}
    for table in metadata.sorted_tables:
        total, n = hashlib.sha256(), 0
        with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as file:
            for line in _lines(c, table):
                total.update(line)
                file.write(line)
                n += 1
        tables[table.name] = {"rows": n, "sha256": total.hexdigest()}
    return {
        **MARK,
        "revision": head(),
        "at": now().isoformat(timespec="seconds"),
        "tables": tables,
    }


def _lines(c: Connection, table: Table) -> Iterator[bytes]:
    rows = c.execute(select(table).order_by(*table.primary_key).execution_options(yield_per=CHUNK))
    for row in rows:
        values = {
            k: v.isoformat() if isinstance(v, datetime) else v for k, v in row._mapping.items()
        }
        yield json.dumps(values, separators=(",", ":")).encode() + b"\n"


def restore(store: Store, path: Path) -> dict[str, Any]:
    """Fill an empty store from an archive, in one transaction.

    Args:
        store: without any study or account.
        path: of the archive.

    Returns:
        The manifest.

    Raises:
        BadInput: there is no archive, it is damaged, of another revision, or the store is not
            empty.
    """
    if not path.is_file():
        raise BadInput(f"there is no file {path}")
    try:
        with zipfile.ZipFile(path) as archive:
            manifest: dict[str, Any] = json.loads(archive.read("manifest.json"))
            if manifest.get("schema") != MARK["schema"]:
                raise BadInput(f"{path}: no backup of ours")
            if manifest["revision"] != head():
                raise BadInput(
                    f"{path}: its tables are of revision {manifest['revision']}, this version "
                    f"works with {head()}; restore with the version that made it, then upgrade"
                )
            _check(archive, manifest, path)
            store.write(_fill, archive)
    except (zipfile.BadZipFile, KeyError, json.JSONDecodeError) as error:
        raise BadInput(f"{path}: not a backup, or damaged: {error}") from None
    return manifest


def _check(archive: zipfile.ZipFile, manifest: dict[str, Any], path: Path) -> None:
    for name, wanted in manifest["tables"].items():
        total = hashlib.sha256()
        with archive.open(f"{name}.jsonl") as file:
            for line in file:
                total.update(line)
        if total.hexdigest() != wanted["sha256"]:
            raise BadInput(f"{path}: the table {name} is damaged")


def _fill(c: Connection, archive: zipfile.ZipFile) -> None:
    for table in metadata.sorted_tables:
        if c.execute(select(func.count()).select_from(table)).scalar_one():
            raise BadInput(
                f"the store holds rows of {table.name} already; restore into an empty one"
            )
    for table in metadata.sorted_tables:
        with archive.open(f"{table.name}.jsonl") as file:
            rows: list[dict[str, Any]] = []
            for line in file:
                rows.append(_row(table, json.loads(line)))
                if len(rows) == CHUNK:
                    c.execute(insert(table), rows)
                    rows = []
            if rows:
                c.execute(insert(table), rows)
        _continue_counting(c, table)


def _row(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    for column in table.columns:
        if isinstance(column.type, Moment) and values[column.name] is not None:
            values[column.name] = datetime.fromisoformat(values[column.name])
    return values


def _continue_counting(c: Connection, table: Table) -> None:
    """In PostgreSQL, let the next row get a number that is free."""
    if (
        c.dialect.name != "postgresql"
        or "id" not in table.c
        or table.c.id.autoincrement is not True
    ):
        return
    c.execute(
        text(
            f"SELECT setval(pg_get_serial_sequence('\"{table.name}\"', 'id'), "
            f'coalesce((SELECT max(id) FROM "{table.name}"), 0) + 1, false)'
        )
    )
