"""Stores of both kinds, small studies, servers, and a browser."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from deixis.collect.plan import Plan
from deixis.collect.running import Running, run_studies
from deixis.collect.store.engine import Store
from deixis.collect.store.opening import open_store
from tests.collect.small import Session, games, names


def _postgres_programs() -> Path | None:
    found = shutil.which("pg_config")
    if found is None:
        return None
    said = subprocess.run([found, "--bindir"], capture_output=True, text=True, check=True)
    return Path(said.stdout.strip())


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of this process's own; gives the URL without a database."""
    programs = _postgres_programs()
    if programs is None or not (programs / "initdb").is_file():
        pytest.skip("PostgreSQL is not installed: scripts/system")
    # not below pytest's own folder, which nobody but its owner may enter
    folder, port = Path(tempfile.mkdtemp(prefix="deixis-postgres-")), free_port()
    as_user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]

    def run(*command: str) -> None:
        subprocess.run([*as_user, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    data, log = folder / "data", folder / "log"
    run(str(programs / "initdb"), "-A", "trust", "-U", "postgres", "--no-sync", "-D", str(data))
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -k {folder}"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(log)]
    run(*control, "-o", options, "start")
    address = f"postgresql://postgres@127.0.0.1:{port}"
    _execute(address, "CREATE DATABASE template")
    open_store(f"{address}/template").close()
    yield address
    run(*control, "-m", "immediate", "stop")
    shutil.rmtree(folder)


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """A new database."""
    yield from _database(postgres)


@pytest.fixture
def second_url(postgres: str) -> Iterator[str]:
    """One more new database."""
    yield from _database(postgres)


def _database(postgres: str) -> Iterator[str]:
    name = f"t{secrets.token_hex(6)}"
    _execute(postgres, f"CREATE DATABASE {name} TEMPLATE template")
    yield f"{postgres}/{name}"
    _execute(postgres, f"DROP DATABASE {name} WITH (FORCE)")


def _execute(postgres: str, command: str) -> None:
    address = f"postgresql+psycopg{postgres.removeprefix('postgresql')}/postgres"
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(command))
    engine.dispose()


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with tables and nothing in them: migrations run once, then the file is copied."""
    path = tmp_path_factory.mktemp("template") / "store.sqlite"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store; each test that takes it runs on both kinds."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
    else:
        opened = open_store(request.getfixturevalue("postgres_url"))
        yield opened
        opened.close()


@pytest.fixture
def sqlite(template: Path, tmp_path: Path) -> Iterator[Store]:
    """An empty store in a file."""
    path = tmp_path / "store.sqlite"
    shutil.copy(template, path)
    opened = open_store(f"sqlite:///{path}")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def games_plan() -> Plan:
    """The small study of games, without a store."""
    return Plan(games())


@pytest.fixture
def played(store: Store) -> Session:
    """The small study of games, ready for people, on both stores."""
    return Session(store, run_studies(store, [games()])["games"])


@pytest.fixture
def named(store: Store) -> Session:
    """The small study of names, ready for people, on both stores."""
    return Session(store, run_studies(store, [names()])["names"])


def running_of(store: Store, study: Any) -> Running:
    """One study, installed."""
    return run_studies(store, [study])[study.name]
