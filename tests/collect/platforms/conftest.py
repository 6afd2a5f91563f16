"""A study on the fake Prolific, with people who come from there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.collect.platforms.fake_prolific import TOKEN, Fake, fake_prolific
from tests.collect.platforms.rig import Rig, rig_of

from deixis.collect.platforms.prolific.client import Client
from deixis.collect.store.engine import Store


@pytest.fixture
def fake() -> Iterator[Fake]:
    """Prolific, on this machine."""
    with fake_prolific() as made:
        yield made


@pytest.fixture
def client(fake: Fake) -> Iterator[Client]:
    """A client that asks again at once."""
    made = Client(fake.url, TOKEN, pause=0.001)
    yield made
    made.close()


@pytest.fixture
def rig(store: Store, fake: Fake, client: Client) -> Rig:
    """On both stores."""
    return rig_of(store, fake, client)


@pytest.fixture
def small_rig(sqlite: Store, fake: Fake, client: Client) -> Rig:
    """On SQLite only: for every fault in turn, where the store has no part in it."""
    return rig_of(sqlite, fake, client)
