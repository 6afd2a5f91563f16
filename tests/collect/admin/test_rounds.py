"""Rounds of writing: what is drawn, read, and paid; on the pages of researchers too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from tests.collect.conftest import SECRET, running_of
from tests.collect.small import START, Session, pairs

from deixis.collect.app import make_app
from deixis.collect.context import Collect
from deixis.collect.items import rounds
from deixis.collect.pictures.gathered import Gathered
from deixis.collect.store.accounts import add_account
from deixis.collect.store.engine import Store
from deixis.collect.store.people import erase
from deixis.collect.store.tables import payments, readings, sessions, workers
from deixis.errors import BadInput
from deixis.web.address import Address

TRIALS = [{"name": "try", "type": "write_contrast", "use": "practice"}]


@pytest.fixture
def writing(store: Store, gathered: Gathered) -> Session:
    """A study in which everybody writes one sentence a visit."""
    return Session(store, running_of(store, pairs("write", gathered.folder, phase=TRIALS)))


def writes(at: Session, name: str, n: int) -> None:
    for _ in range(n):
        at.arrives(name).finishes()


def test_sentences_are_drawn_read_and_paid(writing: Session) -> None:
    store, study, pay = writing.store, writing.running.id, writing.running.study.pay

    def draw() -> int:
        return store.write(rounds.draw_round, study, "live", "ann", START)

    def plan() -> dict[str, int]:
        return store.write(rounds.pay_round, study, "live", pay, "ann", START)

    with pytest.raises(BadInput, match="nothing was written"):
        draw()
    with pytest.raises(BadInput, match="round 0"):
        plan()
    for name, n in (("full", 4), ("small", 4), ("none", 4), ("many", 22)):
        writes(writing, name, n)
    assert draw() == 1
    rows = store.read(rounds.sentences, study, "live", 1)
    names = {w.name: w for w in store.read(rounds.writers, study, "live", 1)}
    assert sorted(w.left for w in names.values()) == [4, 4, 4, 20]
    with pytest.raises(BadInput, match="not read to its end"):
        draw()
    with pytest.raises(BadInput, match="32 sentences are still to be read"):
        plan()
    keep = dict(zip(names, (3, 2, 1, 15), strict=True))
    for row in rows:
        keep[row.name] -= 1
        rule = "" if keep[row.name] >= 0 else "opinion"
        store.write(rounds.mark, row.id, rule, "bob", START)
    assert plan() == plan() == {"full": 2, "small": 1, "none": 1}
    with pytest.raises(BadInput, match="paid already"):
        store.write(rounds.mark, rows[0].id, "", "bob", START)
    found = store.read(
        lambda c: c.execute(select(payments).where(payments.c.kind == "bonus")).all()
    )
    assert sorted((p.reason, p.amount) for p in found) == [("round 1", a) for a in (100, 200, 200)]
    writes(writing, "full", 1)
    assert draw() == 2  # what was written before the last round is never drawn again
    assert len(store.read(rounds.sentences, study, "live", 2)) == 1
    with pytest.raises(BadInput, match="no guideline 'x'"):
        store.write(rounds.mark, rows[0].id, "x", "bob", START)
    with pytest.raises(BadInput, match="there is no sentence 9999"):
        store.write(rounds.mark, 9999, "", "bob", START)


def test_whoever_is_erased_is_out_of_the_round(sqlite: Store, gathered: Gathered) -> None:
    study = pairs("write", gathered.folder, phase=TRIALS)
    at = Session(sqlite, running_of(sqlite, study))
    writes(at, "ann", 2)
    sqlite.write(rounds.draw_round, at.running.id, "live", "x", START)
    worker = sqlite.read(lambda c: c.execute(select(workers.c.id)).scalar_one())
    sqlite.write(erase, worker, START)
    assert sqlite.read(lambda c: c.execute(select(readings)).all()) == []


def test_the_pages(sqlite: Store, gathered: Gathered, tmp_path: Any) -> None:
    at = Session(sqlite, running_of(sqlite, pairs("write", gathered.folder, phase=TRIALS)))
    writes(at, "ann", 1)
    server = Collect(sqlite, {"pairs-write": at.running}, SECRET, Address(port=0), tmp_path)
    password = add_account(sqlite, "owner", "owner")
    where = "/admin/studies/pairs-write/rounds"
    with TestClient(make_app(server), base_url="http://localhost") as client:
        page = client.post("/admin/sign-in", data={"name": "owner", "password": password}).text
        token = re.search(r'name="form_token" value="([0-9a-f]+)"', page)
        assert token
        form = {"form_token": token[1]}
        assert "No round yet" in client.get(where).text
        assert client.post(where, data=form | {"what": "pay"}).status_code == 409
        page = client.post(where, data=form | {"what": "draw"}).text
        key = sqlite.read(lambda c: c.execute(select(readings.c.id)).scalar_one())
        assert f"/admin/readings/{key}" in page
        assert client.post(f"/admin/readings/{key}", data=form | {"rule": "x"}).status_code == 409
        page = client.post(f"/admin/readings/{key}", data=form | {"rule": "opinion"}).text
        assert '<span class="tag">opinion</span>' in page
        assert "bonuses are planned" in client.post(where, data=form | {"what": "pay"}).text
        page = client.get("/admin/collections/pairs").text
        assert "No sentence has been written yet." in page
        assert client.get("/admin/collections/none").status_code == 404
        assert "rounds" in client.get("/admin/studies/pairs-write").text
    ended = sqlite.read(lambda c: c.execute(select(sessions.c.outcome)).scalars().all())
    assert ended == ["completed"]
