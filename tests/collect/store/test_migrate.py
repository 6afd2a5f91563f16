"""Migrations lead to the tables that the code works with, on both stores."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from deixis.collect.store.engine import Store
from deixis.collect.store.migrate import head, revision, upgrade
from deixis.collect.store.tables import metadata
from deixis.errors import BadInput


def test_migrations_lead_to_the_tables(store: Store) -> None:
    def job(c: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(c), metadata))

    assert store.read(job) == []
    assert store.read(revision) == head()


def test_upgrading_twice_changes_nothing(store: Store) -> None:
    upgrade(store)
    assert store.read(revision) == head()


def test_a_store_of_a_later_version_is_refused(store: Store) -> None:
    later = text("UPDATE alembic_version SET version_num = '9999'")
    store.write(lambda c: c.execute(later) and None)
    with pytest.raises(BadInput, match="later version"):
        upgrade(store)
