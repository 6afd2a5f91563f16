"""Simulated people: the same for the same seed, of all kinds, with and without a browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy import update
from tests.collect.conftest import free_port
from tests.collect.pages import new_page

from deixis.collect.app import make_app
from deixis.collect.context import Collect
from deixis.collect.serving import Opened
from deixis.collect.simulate import browser, run, visits
from deixis.collect.simulate.population import KINDS, Person, population
from deixis.collect.simulate.visits import Tally, Visit, complete
from deixis.collect.store.tables import studies
from deixis.collect.trial import Profile
from deixis.errors import BadInput
from deixis.seeds import draw


@pytest.fixture
def opened(server: Collect) -> Opened:
    return Opened(server, make_app(server), "")


def test_people_are_the_same_for_the_same_seed() -> None:
    one, other, third = (list(population(300, s, "x")) for s in (1, 1, 2))
    kinds = [p.profile.name for p in one]
    assert kinds == [p.profile.name for p in other] != [p.profile.name for p in third]
    assert one[7].rng.random() == other[7].rng.random()
    counted = Counter(kinds)
    for share, profile in KINDS:
        assert abs(counted[profile.name] / 300 - share) < 0.08


def person(**profile: Any) -> Person:
    return Person(0, Profile(**profile), draw(0, "person"))


def went(site: str, server: Collect, who: Person, patience: float = 60) -> Tally:
    tally = Tally()

    async def go() -> None:
        async with httpx.AsyncClient(base_url=site) as client:
            await Visit(client, server.store, server.studies["games"], who, tally).run()

    complete(go())
    return tally


def test_kinds_of_people(site: str, server: Collect) -> None:
    assert went(site, server, person(leaves=1.0)).outcomes == {"left": 1}
    assert went(site, server, person(agrees=0.0)).outcomes == {"no_consent": 1}
    tally = went(site, server, person(skill=1.0))
    assert tally.outcomes == {"completed": 1}
    assert len(tally.acknowledged) == 8
    assert len(tally.waits) == 9
    server.store.write(lambda c: c.execute(update(studies).values(state="closed")) and None)
    assert went(site, server, person()).outcomes == {"refused": 1}


def test_patience_ends(server: Collect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "PATIENCE", 0.0)
    with pytest.raises(TimeoutError, match="no answer"):
        went(f"http://127.0.0.1:{free_port()}", server, person())


@contextmanager
def lent(page: Any) -> Iterator[Any]:
    yield page


def test_a_simulation_in_a_real_browser(
    chromium: Any, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "chromium", lambda: lent(chromium))
    heard: list[tuple[str, int, int]] = []
    told = run.simulate_all(opened, n=1, browser=True, progress=lambda *a: heard.append(a))
    assert [s["study"] for s in told["studies"]] == ["games", "names"]
    for study in told["studies"]:
        assert study["outcomes"] == {"completed": 1}
        assert study["faults"] == []
    assert heard == [("games", 1, 1), ("names", 1, 1)]


def test_how_else_a_visit_in_a_browser_ends(chromium: Any, site: str, server: Collect) -> None:
    tally, games = Tally(), server.studies["games"]
    link = f"{site}/study/games"
    browser.visit(new_page(chromium), link, server.store, games, person(leaves=1.0), tally)
    server.store.write(lambda c: c.execute(update(studies).values(state="closed")) and None)
    browser.visit(new_page(chromium), link, server.store, games, person(), tally)
    assert tally.outcomes == {"left": 1, "refused": 1}


def test_without_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser.shutil, "which", lambda _: None)
    with pytest.raises(BadInput, match="found no Chromium"), browser.chromium():
        pass
