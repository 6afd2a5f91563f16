"""Both stores: jobs are transactions, results come after the commit, failures harm nobody else."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select, text

from deixis.collect.store.engine import SqliteStore, Store
from deixis.collect.store.opening import open_store
from deixis.collect.store.tables import people
from deixis.errors import BadInput


def add(c: Connection, raw: str) -> None:
    c.execute(insert(people).values(platform="x", raw=raw))


def all_of(c: Connection) -> list[str]:
    return sorted(c.execute(select(people.c.raw)).scalars())


def test_what_is_written_is_read(store: Store) -> None:
    store.write(add, "a")
    assert store.read(all_of) == ["a"]


def test_a_job_that_fails_leaves_nothing_and_harms_no_other(store: Store) -> None:
    def half(c: Connection) -> None:
        add(c, "half")
        raise ValueError("no")

    failed, done = [], []

    def run(job: object, note: list[object]) -> None:
        try:
            note.append(store.write(job))  # type: ignore[arg-type]
        except ValueError as error:
            failed.append(error)

    jobs = [half if i % 3 == 0 else (lambda c, i=i: add(c, f"n{i}")) for i in range(30)]
    threads = [threading.Thread(target=run, args=(job, done)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(failed) == 10
    assert len(done) == 20
    assert store.read(all_of) == sorted(f"n{i}" for i in range(30) if i % 3)


def test_a_read_sees_one_state(store: Store) -> None:
    store.write(add, "a")

    def job(c: Connection) -> tuple[list[str], list[str]]:
        before = all_of(c)
        store.write(add, "b")
        return before, all_of(c)

    assert store.read(job) == (["a"], ["a"])
    assert store.read(all_of) == ["a", "b"]


def test_a_url_that_is_shown_holds_no_password(store: Store) -> None:
    store.url = store.url.replace("postgres@", "postgres:secret@")
    assert "secret" not in store.shown


def test_sqlite_is_safe_on_disk(sqlite: Store) -> None:
    assert isinstance(sqlite, SqliteStore)
    with sqlite.writer.connect() as c:
        pragmas = [c.execute(text(f"PRAGMA {p}")).scalar_one() for p in _PRAGMAS]
    assert pragmas == ["wal", 2, 1]  # 2 is FULL


_PRAGMAS = ("journal_mode", "synchronous", "foreign_keys")


def test_answers_survive_closing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a' / 'b.sqlite'}"
    store = open_store(url)
    store.write(add, "a")
    store.close()
    again = open_store(url)
    assert again.read(all_of) == ["a"]
    again.close()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://x/y", "expected sqlite:///PATH or postgresql"),
        ("postgresql://nobody@127.0.0.1:1/none", "cannot open the store"),
        ("sqlite:////proc/none/x.sqlite", "cannot"),
    ],
)
def test_a_store_that_cannot_be_opened(url: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        open_store(url)
