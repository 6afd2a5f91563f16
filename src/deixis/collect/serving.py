"""Open everything that a server needs: store, secret, studies, the first account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI

from deixis.collect.app import make_app
from deixis.collect.context import Collect
from deixis.collect.running import run_studies
from deixis.collect.store.accounts import first_owner
from deixis.collect.store.opening import open_store
from deixis.collect.study import built_in, load_study
from deixis.web.address import Address, check_address, server_secret


@dataclass(frozen=True)
class Options:
    """What a server is opened with.

    Attributes:
        studies: files or names; those that come with the package if there are none.
        home: folder of answers, secret and exports.
        store: URL, or empty for a file in the home.
        data: where datasets are.
        address: where it listens.
    """

    studies: tuple[str, ...]
    home: Path
    store: str = ""
    data: Path | None = None
    address: Address = field(default_factory=Address)


@dataclass(frozen=True)
class Opened:
    """A server that is ready to run.

    Attributes:
        server: what its requests share.
        app: the application.
        password: of the first owner, if the account was made just now; else empty.
    """

    server: Collect
    app: FastAPI
    password: str


@contextmanager
def open_server(options: Options) -> Iterator[Opened]:
    """Open store and studies; closed at the end of the block.

    Raises:
        BadInput: the address would lay answers open, or a study or the store is wrong.
    """
    studies = [load_study(s) for s in options.studies or built_in()]
    options.home.mkdir(parents=True, exist_ok=True)
    secret = server_secret(options.home)
    check_address(options.address, secret)
    store = open_store(options.store or store_url(options.home))
    try:
        running = run_studies(store, studies, options.data)
        server = Collect(store, running, secret, options.address, options.home)
        yield Opened(server, make_app(server), first_owner(store))
    finally:
        store.close()


def store_url(home: Path) -> str:
    """The store that a home has unless another is named."""
    return f"sqlite:///{home / 'answers.sqlite'}"
