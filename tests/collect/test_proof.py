"""The four proofs in their short form; the long ones are in benchmarks/collect."""

from __future__ import annotations

import pytest

from deixis.collect.simulate.visits import Tally, complete
from deixis.seeds import draw
from tests.collect.conftest import free_port
from tests.collect.proof import talking
from tests.collect.proof.crash import crash
from tests.collect.proof.proxy import FATES, Network, between, target
from tests.collect.proof.served import Served, crowd, served, visit_all, wrongs

STEPS = 1 + 1 + 2
"""Consent, practice, and a packet of two games."""


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def test_sigkill_loses_nothing(kind: str, request: pytest.FixtureRequest) -> None:
    url = "" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    with served(free_port(), url, packet=2) as site:
        told = crash(site, people=12, kills=1, steps=STEPS, seed=1)
    assert told.wrong == []
    assert (told.kills, told.answers) == (1, 12 * STEPS)


def test_a_bad_network_loses_and_doubles_nothing() -> None:
    with served(free_port(), packet=2) as site:
        tally, network = Tally(), Network(target(site.address), draw(0, "network"))
        complete(_through(site, network, tally))
        assert wrongs(site.store, site.running.id, tally, 12) == []
        assert set(network.fates) == set(FATES)
        _plant(tally)
        found = " ".join(wrongs(site.store, site.running.id, tally, 13))
    for said in ("then lost", "acknowledged twice", "another answer", "13 people came"):
        assert said in found


def test_sigkill_loses_nothing_of_a_dialog() -> None:
    with served(free_port(), text=talking.STUDY) as site:
        told = talking.crash(site, people=4, kills=1, seed=1)
        assert site.starts == 2
    assert told.wrong == []
    assert told.lost >= 1
    assert told.tally.outcomes == {"completed": 4}


def test_a_network_that_cuts_connections_loses_and_doubles_nothing() -> None:
    with served(free_port(), text=talking.STUDY) as site:
        network = talking.Shaky(target(site.address), draw(0, "shaky"))
        told = talking.bad_network(site, network, people=4, seed=2)
        assert told.wrong == []
        assert network.fates["lost before"] + network.fates["lost after"] > 0
        mind = next(iter(told.visits[0].minds.values()))
        mind.acknowledged["k0"] += 1  # planted: the proof must see it
        mind.said["k99"] = {}
        found = " ".join(talking.wrongs(site.store, told.visits))
    assert "k0 of" in found
    assert "said" in found


def _plant(tally: Tally) -> None:
    """A loss, a change and a double, which the proof must see."""
    step, key, response = tally.acknowledged[0]
    tally.acknowledged += [("never", "key", {}), (step, key, response)]
    tally.acknowledged[1] = (*tally.acknowledged[1][:2], {"text": "other"})


async def _through(site: Served, network: Network, tally: Tally) -> None:
    async with between(network) as address:
        await visit_all(site, crowd(12, 2), tally, address)
