"""Bring the tables of a store up to date."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from deixis.collect.store.engine import Store
from deixis.errors import BadInput

FOLDER = Path(__file__).parent / "migrations"


def upgrade(store: Store) -> None:
    """Run the migrations that a store lacks.

    Raises:
        BadInput: the store was made by a later version.
    """
    known = {script.revision for script in ScriptDirectory(str(FOLDER)).walk_revisions()}

    def job(c: Connection) -> None:
        present = revision(c)
        if present is not None and present not in known:
            raise BadInput(f"{store.url}: made by a later version of deixis ({present})")
        if present == head():
            return
        config = Config()
        config.set_main_option("script_location", str(FOLDER))
        config.attributes["connection"] = c
        command.upgrade(config, "head")

    store.write(job)


def head() -> str:
    """The revision that this version works with."""
    found = ScriptDirectory(str(FOLDER)).get_current_head()
    assert found is not None  # there is a first migration
    return found


def revision(c: Connection) -> str | None:
    """The revision of a store; None before the first migration."""
    return MigrationContext.configure(c).get_current_revision()
