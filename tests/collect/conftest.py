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
from argon2 import PasswordHasher
from sqlalchemy import create_engine, text
from starlette.testclient import TestClient

from deixis.collect.app import make_app
from deixis.collect.context import Collect
from deixis.collect.pictures.gathered import Gathered, gather
from deixis.collect.pictures.provider import LocalPictures
from deixis.collect.plan import Plan
from deixis.collect.running import Running, run_studies
from deixis.collect.simulate.photos import make_photos, wanted
from deixis.collect.store.accounts import add_account
from deixis.collect.store.engine import Store
from deixis.collect.store.opening import open_store
from deixis.web.accounts import ROLES
from deixis.web.address import Address
from deixis.web.server import running
from tests.collect.small import Session, games, names

SECRET = "0f1e2d3c4b5a69788796a5b4c3d2e1f0" * 2


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


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed for real, but quickly."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr("deixis.web.accounts._hasher", quick)


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


@pytest.fixture(scope="session")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Gathered:
    """Three sets of made pictures, one of them for practice."""
    folder = tmp_path_factory.mktemp("gathered")
    scenes = make_photos(folder / "photos", 48, 0)
    return gather(folder / "pairs", wanted(), LocalPictures(folder / "photos"), scenes)


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


@pytest.fixture
def server(sqlite: Store, tmp_path: Path) -> Collect:
    """A server of both small studies, with a store in a file."""
    studies = run_studies(sqlite, [games(), names()])
    return Collect(sqlite, studies, SECRET, Address(port=0), tmp_path)


@pytest.fixture
def client(server: Collect) -> Iterator[TestClient]:
    """Requests to the server, in this process."""
    with TestClient(make_app(server), base_url="http://localhost", follow_redirects=False) as made:
        yield made


@pytest.fixture
def accounts(server: Collect) -> dict[str, str]:
    """A password for an account of each role, named after it."""
    return {role: add_account(server.store, role, role) for role in ROLES}


@pytest.fixture
def site(server: Collect) -> Iterator[str]:
    """The server on a port of this machine; gives its URL."""
    with running(make_app(server)) as url:
        yield url
