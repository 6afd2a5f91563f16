"""Stores of both kinds, small studies, servers, and a browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from collect.small import Session, games, names
from deixis.collect.plan import Plan
from deixis.collect.running import Running, run_studies
from deixis.collect.store.engine import Store
from deixis.collect.store.opening import open_store


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
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL server of this process's own; gives the URL without a database."""
    programs = _postgres_programs()
    if programs is None or not (programs / "initdb").is_file():
        pytest.skip("PostgreSQL is not installed: scripts/system")
    folder, port = tmp_path_factory.mktemp("postgres"), free_port()
    as_user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres")
        for parent in (folder, *folder.parents):
            if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
                parent.chmod(parent.stat().st_mode | 0o011)
        as_user = ["runuser", "-u", "postgres", "--"]

    def run(*command: str) -> None:
        subprocess.run([*as_user, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    data, log = folder / "data", folder / "log"
    run(str(programs / "initdb"), "-A", "trust", "-U", "postgres", "--no-sync", "-D", str(data))
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -k {folder}"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(log)]
    run(*control, "-o", options, "start")
    yield f"postgresql://postgres@127.0.0.1:{port}"
    run(*control, "-m", "immediate", "stop")


@pytest.fixture
def postgres_url(postgres: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """A new database."""
    name = f"t{abs(hash(request.node.nodeid)):x}"
    address = f"postgresql+psycopg{postgres.removeprefix('postgresql')}/postgres"
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    yield f"{postgres}/{name}"
    with engine.connect() as connection:
        connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store; each test that takes it runs on both kinds."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    else:
        url = request.getfixturevalue("postgres_url")
    opened = open_store(url)
    yield opened
    opened.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Store]:
    """An empty store in a file."""
    opened = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
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
