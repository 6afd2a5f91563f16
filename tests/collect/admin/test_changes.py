"""What researchers do on their pages, and what becomes of it in the store and on Prolific."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from tests.collect.conftest import SECRET
from tests.collect.export.jobs import wait_for_exports
from tests.collect.platforms.fake_prolific import TOKEN, Fake, fake_prolific
from tests.collect.platforms.rig import Rig
from tests.collect.small import Session

from deixis.collect.app import make_app
from deixis.collect.arriving import CLOSED
from deixis.collect.context import Collect
from deixis.collect.export.counts import counts, faults
from deixis.collect.store.tables import events, payments, reviews
from deixis.collect.trial import Refused
from deixis.web.address import Address


class Desk:
    """Somebody at the researchers' pages."""

    def __init__(self, client: TestClient, name: str, password: str) -> None:
        self.client = client
        form = {"name": name, "password": password}
        assert client.post("/admin/sign-in", data=form).status_code == 303
        found = re.search(r'name="form_token" value="([0-9a-f]+)"', self.read(""))
        assert found
        self.token = found[1]

    def read(self, path: str) -> str:
        reply = self.client.get(f"/admin{path}", headers={"accept": "text/html"})
        assert reply.status_code == 200, reply.text
        return reply.text

    def does(self, path: str, **form: Any) -> Any:
        return self.client.post(f"/admin{path}", data={"form_token": self.token, **form})


@pytest.fixture
def desk(client: TestClient, accounts: dict[str, str]) -> Desk:
    return Desk(client, "owner", accounts["owner"])


@pytest.fixture
def at(server: Collect) -> Session:
    return Session(server.store, server.studies["games"])


def test_a_closed_study_takes_nobody_and_lets_everybody_finish(desk: Desk, at: Session) -> None:
    inside = at.arrives("inside").until("choose_target")
    for state in ("paused", "closed"):
        assert desk.does("/studies/games/state", state=state).status_code == 303
        assert f'class="tag {state}"' in desk.read("/studies/games")
        with pytest.raises(Refused, match=re.escape(CLOSED)):
            at.arrives("outside")
    assert inside.finishes().outcome == "completed"
    assert at.arrives("me", mode="test").step  # a preview may always look
    desk.does("/studies/games/state", state="open")
    assert at.arrives("outside").step
    assert desk.does("/studies/games/state", state="burnt").status_code == 422


def slots(at: Session) -> int:
    return sum(at.store.read(counts, at.running.id, "live")["slots"].values())


def test_wanting_more_answers(desk: Desk, at: Session) -> None:
    assert slots(at) == 8
    desk.does("/studies/games/top-up", wanted=3)
    assert slots(at) == 12
    reply = desk.does("/studies/games/top-up", wanted=5, keys="parts, color/0\nnot-there")
    assert reply.status_code == 422
    assert "not-there" in reply.text
    desk.does("/studies/games/top-up", wanted=5, keys="parts, color/0\n\nwhole, black/1\n")
    assert slots(at) == 16
    assert desk.does("/studies/games/top-up", wanted=0).status_code == 422


def test_the_pages_show_what_there_is(desk: Desk, at: Session) -> None:
    person = at.arrives("ada").finishes()
    at.arrives("eve").until("choose_target")
    page = desk.read("/studies/games")
    assert "1 completed, 1 under way" in re.sub(r"\s+", " ", page) or "completed" in page
    live = desk.client.get("/admin/studies/games/live").json()
    assert sum(b["done"] for b in live["bars"]) == 1
    assert [h["phase"] for h in live["here"]] == ["practice"]
    shown = desk.read(f"/visits/{person.key}")
    assert "ada" in shown  # owners see the platform's id
    assert "figures-games" not in shown
    assert "games" in desk.read("")
    assert desk.client.get("/admin/visits/999").status_code == 404
    assert desk.client.get("/admin/studies/none").status_code == 404


def test_reviewers_do_not_see_raw_ids(
    client: TestClient, accounts: dict[str, str], at: Session
) -> None:
    person = at.arrives("raw-id-of-ada").finishes()
    desk = Desk(client, "reviewer", accounts["reviewer"])
    assert "raw-id-of-ada" not in desk.read(f"/visits/{person.key}")


def test_flagged_answers_are_listed(desk: Desk, server: Collect) -> None:
    at = Session(server.store, server.studies["names"])
    person = at.arrives("p").until("annotate_parts")
    log = [{"do": "name", "name": "legs and feet", "pieces": [1, 2, 3, 4, 5, 6, 7], "ms": 1}]
    person.answers({"log": log, "parts": {str(i): "legs and feet" for i in range(1, 8)}})
    assert "legs and feet" in desk.read("/studies/names/answers")
    assert f"/admin/visits/{person.key}" in desk.read("/studies/names/answers")


def test_rejecting_frees_places_and_cancels_what_was_owed(desk: Desk, at: Session) -> None:
    person = at.arrives("p").finishes()
    desk.does(f"/visits/{person.key}/bonus", amount="0.50", reason="nice")
    desk.does(f"/visits/{person.key}/review", verdict="note", words="looks odd")
    assert desk.does(f"/visits/{person.key}/review", verdict="reject").status_code == 303
    assert at.store.read(counts, at.running.id, "live")["slots"]["free"] == 8
    rows = select(payments.c.state)
    assert at.store.read(lambda c: list(c.execute(rows).scalars())) == ["cancelled"]
    told = select(reviews.c.verdict, reviews.c.by)
    found = at.store.read(lambda c: [tuple(r) for r in c.execute(told)])
    assert found == [("note", "owner"), ("reject", "owner")]
    assert at.store.read(faults, at.running.id, "live") == []
    assert "looks odd" in desk.read(f"/visits/{person.key}")


@pytest.mark.parametrize("amount", ["x", "-1", "0", "1e9", "NaN"])
def test_amounts_that_are_none(desk: Desk, at: Session, amount: str) -> None:
    person = at.arrives("p")
    reply = desk.does(f"/visits/{person.key}/bonus", amount=amount, reason="r")
    assert reply.status_code == 422


def test_a_bonus_is_planned_once_for_a_reason(desk: Desk, at: Session) -> None:
    person, other = at.arrives("p"), at.arrives("me", mode="test")
    for _ in range(2):
        desk.does(f"/visits/{person.key}/bonus", amount="0.505", reason="nice")
    assert desk.does(f"/visits/{other.key}/bonus", amount="1", reason="r").status_code == 409
    (row,) = at.store.read(lambda c: c.execute(select(payments)).all())
    assert (row.amount, row.state, row.note) == (51, "planned", "by owner")
    assert "0.51" in desk.read("/studies/games/money")
    for state in ("sent", "confirmed"):
        reply = desk.does(f"/payments/{row.id}", state=state, reference="bank 7")
        assert reply.headers["location"] == "/admin/studies/games/money"
    assert desk.does(f"/payments/{row.id}", state="planned").status_code == 409
    assert desk.does("/payments/999", state="sent").status_code == 404
    assert "bank 7" in desk.read("/studies/games/money")


def test_erasing(desk: Desk, at: Session) -> None:
    person = at.arrives("ada").finishes()
    assert desk.does(f"/visits/{person.key}/erase").status_code == 303
    assert "ada" not in desk.read(f"/visits/{person.key}").replace("/admin", "")
    assert at.store.read(counts, at.running.id, "live")["finals"] == 0


def test_exports_from_the_page(desk: Desk, at: Session, server: Collect) -> None:
    at.arrives("p").finishes()
    assert desk.does("/studies/games/export", form="live").status_code == 303
    wait_for_exports()
    page = desk.read("/studies/games")
    link = re.search(r'href="(/admin/exports/\d+)"', page)
    assert link
    assert "8 answers" in page
    reply = desk.client.get(link[1])
    assert reply.content[:2] == b"PK"
    assert desk.does("/studies/games/export", form="all").status_code == 422
    assert desk.client.get("/admin/exports/99").status_code == 404


def test_accounts(desk: Desk, client: TestClient) -> None:
    page = desk.does("/accounts", name="eve", role="viewer").text
    password = re.search(r"<code[^>]*>([^<]+)</code>", page)
    assert password
    assert password[1] not in desk.read("/accounts")  # shown once
    assert desk.does("/accounts/eve/remove").status_code == 303
    assert desk.does("/accounts/nobody/remove").status_code == 409
    form = {"name": "eve", "password": password[1]}
    assert client.post("/admin/sign-in", data=form).status_code == 403


@pytest.mark.parametrize("act", ["look", "pay"])
def test_studies_without_platform_have_nobody_to_ask(desk: Desk, act: str) -> None:
    assert desk.does(f"/studies/games/{act}").status_code == 409


# ---- on Prolific -----------------------------------------------------------------------------


@pytest.fixture
def fake() -> Iterator[Fake]:
    with fake_prolific() as made:
        yield made


@pytest.fixture
def rig(sqlite: Any, fake: Fake) -> Iterator[Rig]:
    from tests.collect.platforms.rig import rig_of

    from deixis.collect.platforms.prolific.client import Client

    client = Client(fake.url, TOKEN, pause=0.001)
    yield rig_of(sqlite, fake, client)
    client.close()


@pytest.fixture
def there(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    from deixis.collect.store.accounts import add_account

    monkeypatch.setenv("DEIXIS_PROLIFIC_TOKEN", TOKEN)
    server = Collect(rig.at.store, {"games": rig.at.running}, SECRET, Address(port=0), tmp_path)
    password = add_account(server.store, "owner", "owner")
    with TestClient(make_app(server), base_url="http://localhost", follow_redirects=False) as c:
        yield Desk(c, "owner", password)


def test_reviewing_on_prolific(there: Desk, rig: Rig) -> None:
    good, key = rig.completes("good")
    bad, other = rig.completes("bad")
    assert there.does(f"/visits/{good.key}/review", verdict="approve").status_code == 303
    assert rig.fake.submissions[key]["status"] == "APPROVED"
    short = there.does(f"/visits/{bad.key}/review", verdict="reject", words="no")
    assert short.status_code == 409
    words = "The answers do not fit the pictures in any of the rounds; each took a second. " * 2
    there.does(f"/visits/{bad.key}/review", verdict="reject", words=words, category="LOW_EFFORT")
    assert rig.fake.submissions[other]["status"] == "REJECTED"
    again = there.does(f"/visits/{bad.key}/review", verdict="reject", words=words)
    assert again.status_code == 409
    assert there.does("/studies/games/look").status_code == 303
    assert rig.owed(good)["reward"] == (150, "confirmed")
    rig.fake.break_next("submissions", *["500 before"] * 4)
    assert there.does("/studies/games/look").status_code == 502


def test_paying_on_prolific(there: Desk, rig: Rig) -> None:
    rig.completes("ada")
    assert there.does("/studies/games/pay").status_code == 303
    assert rig.fake.paid == {"ada": 5}
    rows = select(events.c.detail).where(events.c.kind == "pay")
    (told,) = rig.at.store.read(lambda c: list(c.execute(rows).scalars()))
    assert told == {"by": "owner", "said": "1 bonuses paid"}


def test_screening_out_on_prolific(there: Desk, rig: Rig) -> None:
    from tests.collect.platforms.prolific.test_sync import fails_the_quiz

    person = fails_the_quiz(rig, "ada")
    assert there.does(f"/visits/{person.key}/screen-out").status_code == 303
    assert rig.fake.paid == {"ada": 20}
    assert "screen out" in there.read("/studies/games")
