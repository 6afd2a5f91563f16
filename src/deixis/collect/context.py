"""What the requests of one server share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request

from deixis.collect.live.studies import Parlours
from deixis.collect.running import Running
from deixis.collect.store.engine import Store
from deixis.web.accounts import sign, unsigned
from deixis.web.address import Address


@dataclass(frozen=True)
class Collect:
    """A server of studies.

    Attributes:
        store: where everything is kept.
        studies: what it runs, by name.
        secret: what it signs with.
        address: where it listens.
        home: folder of exports and backups.
    """

    store: Store
    studies: dict[str, Running]
    secret: str
    address: Address
    home: Path

    @cached_property
    def parlours(self) -> Parlours:
        """Its live dialogs."""
        return Parlours(self.store, self.studies)

    def named(self, name: str) -> Running:
        """A study by name; 404 if there is none."""
        if name not in self.studies:
            raise HTTPException(404)
        return self.studies[name]

    def numbered(self, key: int) -> Running:
        """A study by its row; 404 if this server does not run it."""
        found = next((r for r in self.studies.values() if r.id == key), None)
        if found is None:
            raise HTTPException(404)
        return found

    def preview(self, name: str) -> str:
        """What a link must bring along so that a visit does not count."""
        return sign(self.secret, "preview", name).rpartition(".")[2]

    def is_preview(self, name: str, given: str) -> bool:
        """Whether a link brings it along."""
        return unsigned(self.secret, "preview", f"{name}.{given}") == name


def collect_of(request: Request) -> Collect:
    """The server that a request came to."""
    found: Collect = request.app.state.collect
    return found
