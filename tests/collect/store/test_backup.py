"""An archive holds everything, and fills a store of either kind."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import Connection, select
from tests.collect.small import Session, games

from deixis.collect.running import run_studies
from deixis.collect.store.backup import backup, restore
from deixis.collect.store.engine import Store
from deixis.collect.store.opening import open_store
from deixis.collect.store.tables import metadata
from deixis.errors import BadInput


def content(c: Connection) -> dict[str, list[str]]:
    return {
        t.name: [repr(tuple(r)) for r in c.execute(select(t).order_by(*t.primary_key))]
        for t in metadata.sorted_tables
    }


@pytest.fixture
def archive(played: Session, tmp_path: Path) -> Path:
    played.arrives("p").finishes()
    person = played.arrives("q").until("choose_target")
    person.write("draft", {"token": "ü 物 👋"})
    path = tmp_path / "all.zip"
    told = backup(played.store, path)
    assert told["tables"]["answer"]["rows"] == 10
    return path


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_restoring_into_either_store(
    played: Session, archive: Path, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    if kind == "sqlite":
        url = f"sqlite:///{tmp_path / 'other.sqlite'}"
    else:
        url = request.getfixturevalue("second_url")
    other = open_store(url)
    restore(other, archive)
    assert other.read(content) == played.store.read(content)
    # and the study goes on there
    at = Session(other, run_studies(other, [games()])["games"])
    assert at.arrives("r").finishes().outcome == "completed"
    with pytest.raises(BadInput, match="empty one"):
        restore(other, archive)
    other.close()


def test_the_archive_is_for_its_owner_only(archive: Path) -> None:
    assert archive.stat().st_mode & 0o077 == 0


def test_damage_is_seen(archive: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data[:-30] if name == "answer.jsonl" else data)
    store = open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    with pytest.raises(BadInput, match="the table answer is damaged"):
        restore(store, broken)
    with zipfile.ZipFile(broken, "w") as new:
        new.writestr("manifest.json", json.dumps({"schema": "deixis/backup/1", "revision": "0000"}))
    with pytest.raises(BadInput, match="revision 0000"):
        restore(store, broken)
    broken.write_bytes(b"no zip")
    with pytest.raises(BadInput, match="not a backup"):
        restore(store, broken)
    with pytest.raises(BadInput, match="there is no file"):
        restore(store, tmp_path / "none.zip")
    store.close()


def test_nothing_is_overwritten(played: Session, archive: Path) -> None:
    with pytest.raises(BadInput, match="there already"):
        backup(played.store, archive)


def test_a_store_of_sqlite(sqlite: Store, tmp_path: Path) -> None:
    assert backup(sqlite, tmp_path / "empty.zip")["tables"]["study"]["rows"] == 0
