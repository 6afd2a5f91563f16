"""Runs to explore, made once; servers and a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from deixis.dataset import Dataset
from deixis.explore.app import make_app
from deixis.explore.opened import Opened
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.web.address import Address
from deixis.web.server import running
from tests.explore.small import Ran, audited

PLANTED = "planted:whole=0.3,parts*color=0.4"


@pytest.fixture(scope="session")
def games(world: Dataset) -> Task:
    """Sixty small games of figures."""
    return make(world, "figures", k=5).limit(60)


@pytest.fixture(scope="session")
def rooms() -> Task:
    """Forty dialogs about rooms."""
    return make(load("rooms"), "rooms").limit(40)


@pytest.fixture(scope="session")
def game_run(games: Task, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """An audit of a player whose uses are known, in two replicates."""
    return audited(games, PLANTED, tmp_path_factory.mktemp("runs") / "games", replicates=2)


@pytest.fixture(scope="session")
def room_run(rooms: Task, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """An audit of a guesser whose uses are known."""
    path = tmp_path_factory.mktemp("runs") / "rooms"
    spec = "planted:caption=20,question*answer=20"
    return audited(rooms, spec, path, do=["caption=drop", "answer=words:0.5", "answer=words:1"])


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where indexes are kept."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def opened_games(game_run: Ran, cache: Path) -> Opened:
    """The run of games, opened."""
    return game_run.open(cache)


@pytest.fixture(scope="session")
def opened_rooms(room_run: Ran, cache: Path) -> Opened:
    """The run of dialogs, opened."""
    return room_run.open(cache)


def client_of(opened: Opened, address: Address | None = None, token: str = "") -> TestClient:
    """Requests to an application in this process."""
    app = make_app(opened, address or Address(), token)
    return TestClient(app, base_url="http://localhost", follow_redirects=False)


@pytest.fixture
def client(opened_games: Opened) -> Iterator[TestClient]:
    """Requests about games."""
    with client_of(opened_games) as made:
        yield made


@pytest.fixture
def rooms_client(opened_rooms: Opened) -> Iterator[TestClient]:
    """Requests about dialogs."""
    with client_of(opened_rooms) as made:
        yield made


@pytest.fixture
def serve() -> Iterator[Callable[[Opened], str]]:
    """Serves what was opened on a port of this machine; gives its URL."""
    open_servers: list[Any] = []

    def start(opened: Opened) -> str:
        server = running(make_app(opened, Address()))
        open_servers.append(server)
        return str(server.__enter__())

    yield start
    for server in open_servers:
        server.__exit__(None, None, None)
