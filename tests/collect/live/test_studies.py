"""Live dialogs as trials of a study: meeting, pay, leaving, erasing, export, and in Chromium."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from tests.collect.conftest import SECRET
from tests.collect.pages import axe, in_both_schemes, new_page
from tests.collect.small import CONSENT, START

from deixis.collect.app import make_app
from deixis.collect.context import Collect
from deixis.collect.live import log
from deixis.collect.live.log import Guest
from deixis.collect.running import run_studies
from deixis.collect.serving import Opened
from deixis.collect.simulate.population import Person
from deixis.collect.simulate.run import simulate_all
from deixis.collect.simulate.talking import step, talk_on_page
from deixis.collect.store import people
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import lines, payments, seats, talks
from deixis.collect.study import Study
from deixis.collect.trial import Profile, Refused
from deixis.errors import BadInput
from deixis.runs.held import hold
from deixis.seeds import draw
from deixis.sources import load
from deixis.web.address import Address
from deixis.web.server import running

ME = Person(0, Profile(skill=1.0), draw(0, "talker"))


def study(**talk: Any) -> Study:
    trial = {"source": "rooms", "pool": "first:3", "rounds": 2} | talk
    return Study.model_validate(
        {
            "name": "talk",
            "version": 1,
            "title": "Talk",
            "summary": "About a picture.",
            "minutes": 2,
            "platform": {"name": "generic"},
            "pay": {"reward": 1.5, "waited": 0.5},
            "caps": {"visits": 9},
            "phase": [CONSENT, {"name": "talk", "type": "dialog", "trials": [trial]}],
        }
    )


@contextmanager
def client(store: Store, folder: Path, **talk: Any) -> Iterator[tuple[TestClient, Collect]]:
    studies = run_studies(store, [study(**talk)])
    server = Collect(store, studies, SECRET, Address(port=0), folder)
    with TestClient(make_app(server), base_url="http://localhost") as made:
        yield made, server


class Talker:
    """Somebody with a browser, but without a page."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client, self.token = client, (name * 32)[:32].encode().hex()[:32]
        self.ask("POST", "/api/talk/arrive", {"parameters": {"id": name}})
        self.answer({"agrees": True})

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Deixis-Token": self.token}
        return self.client.request(method, path, json=body, headers=headers).json()

    def answer(self, response: Any) -> Any:
        step = self.ask("GET", "/api/now")["step"]["id"]
        body = {"key": f"key-{step[:8].replace('_', '0')}-{len(str(response))}", "step": step}
        return self.ask("POST", "/api/write", body | {"kind": "final", "response": response})

    def sit(self) -> Any:
        return self.client.websocket_connect("ws://localhost/live/talk")


def meet(one: Any, two: Any, a: Talker, b: Talker) -> dict[str, tuple[Any, Talker]]:
    """Both are ready; who is what."""
    found = {}
    for socket, talker in ((one, a), (two, b)):
        socket.send_json({"token": talker.token})
        found[socket.receive_json()["page"]["role"]] = (socket, talker)
        socket.send_json({"key": "r", "kind": "ready"})
    until(found["answerer"][0], lambda p: p.get("turns") == [])
    return found


def until(socket: Any, seen: Any) -> dict[str, Any]:
    while True:
        page = socket.receive_json().get("page")
        if page and seen(page):
            return dict(page)


def owed(store: Store) -> list[tuple[str, int]]:
    rows = select(payments.c.reason, payments.c.amount).order_by(payments.c.id)
    return store.read(lambda c: [tuple(r) for r in c.execute(rows)])


def test_whoever_stays_is_paid_and_whoever_leaves_is_not(sqlite: Store, tmp_path: Path) -> None:
    with client(sqlite, tmp_path) as (made, _):
        a, b = Talker(made, "ann"), Talker(made, "bob")
        with a.sit() as one, b.sit() as two:
            found = meet(one, two, a, b)
            socket, leaver = found["questioner"]
            stays, stayer = found["answerer"]
            socket.send_json({"key": "g", "kind": "guess", "body": {"place": 0}})
            early = stayer.answer({"ms": 5.0})
            assert early == {"error": "The dialog is still going on."}
            assert leaver.ask("POST", "/api/leave", {})["finish"]["outcome"] == "withdrawn"
            assert until(stays, lambda p: p["over"])["owed"] == "stayed"
        assert stayer.answer({})["now"]["finish"]["outcome"] == "completed"
    assert owed(sqlite) == [("reward, visit 1", 150)]


def test_whoever_waits_in_vain_is_paid_for_waiting(sqlite: Store, tmp_path: Path) -> None:
    with client(sqlite, tmp_path, lobby=0.2) as (made, server):
        a = Talker(made, "ann")
        with a.sit() as socket:
            socket.send_json({"token": a.token})
            assert socket.receive_json()["page"]["waiting"]
            while not server.parlours.reap():
                pass
            assert until(socket, lambda p: p["over"])["over"] == "nobody came"
        assert a.answer({})["now"]["finish"]["outcome"] == "completed"
    assert owed(sqlite) == [("reward, visit 1", 50)]


def test_nobody_meets_themselves_or_a_picture_twice(store: Store, tmp_path: Path) -> None:
    with client(store, tmp_path, pool="first:2") as (made, server):
        (parlour,) = server.parlours.of("talk")
        a = Talker(made, "ann")
        found = server.parlours.find("talk", a.token)
        assert found is not None
        guest = found[1]

        def sit(token: str, person: int | None) -> log.Seat:
            who = Guest(token * 32, guest.session, person)
            return store.write(log.sit, parlour.room, who, parlour.policy, START)

        first, again = sit("1", guest.person), sit("2", guest.person)
        assert first.talk != again.talk
        assert first.trial != again.trial
        with pytest.raises(Refused, match="about all pictures"):
            sit("3", guest.person)
        assert sit("4", None).talk == first.talk
        assert server.parlours.find("talk", "0" * 32) is None


def test_what_somebody_erases_is_gone_from_the_dialog(sqlite: Store, tmp_path: Path) -> None:
    with client(sqlite, tmp_path) as (made, _):
        a, b = Talker(made, "ann"), Talker(made, "bob")
        with a.sit() as one, b.sit() as two:
            found = meet(one, two, a, b)
            asks, who = found["questioner"]
            asks.send_json({"key": "g", "kind": "guess", "body": {"place": 2}})
            asks.send_json({"key": "q", "kind": "question", "body": {"text": "my name is Ann"}})
            until(found["answerer"][0], lambda p: p["turns"])
            worker = sqlite.read(people.find, "talk", "ann" if who is a else "bob")
            assert worker is not None
            sqlite.write(people.erase, worker, START)
        rows = sqlite.read(lambda c: c.execute(select(lines)).all())
        assert "Ann" not in json.dumps([r.body for r in rows])
        assert sqlite.read(lambda c: c.execute(select(talks.c.over)).scalars().all()) == ["erased"]
        left = sqlite.read(lambda c: c.execute(select(seats.c.session_id)).scalars().all())
        assert sorted(s is None for s in left) == [False, True]


def test_simulated_people_talk_and_are_exported(
    sqlite: Store, tmp_path: Path, deixis: Callable[..., Any]
) -> None:
    studies = run_studies(sqlite, [study()])
    server = Collect(sqlite, studies, SECRET, Address(port=0), tmp_path)
    opened = Opened(server, make_app(server), "")
    said = simulate_all(opened, n=4, export=tmp_path / "out", seed=3)["studies"][0]
    assert said["faults"] == []
    folder = tmp_path / "out/talk/dialogs/0"
    read = [one for _, one in sorted(load("visdial", folder).records.items())]
    manifest = json.loads((tmp_path / "out/talk/manifest.json").read_text())
    assert manifest["dialogs"][0]["dialogs"] == len(read) >= 1
    assert all(len(r.dialog.turns) == 2 for r in read)
    held = hold(folder / "people.run")
    (outcomes,) = held.outcomes[""]
    assert len(set(outcomes.raters.tolist()) - {""}) == len(read)  # who guessed
    machine = tmp_path / "machine.run"
    options = ("--pool", "first:3", "--player", "constant", "--out", machine)
    assert deixis("play", "rooms", *options, "--json").status == 0
    both = (folder / "people.run", machine, "--measure", "percentile_rank", "--json")
    mine, constant = deixis("compare", *both).json["runs"]
    assert (mine["n"], mine["raters"], constant["value"]) == (constant["n"], len(read), 50)
    with pytest.raises(BadInput, match="come one by one"):
        simulate_all(opened, n=1, browser=True)


def test_altered_messages_need_a_word_in_the_study(sqlite: Store, tmp_path: Path) -> None:
    change = {"do": ("answer/questioner=negate",)}
    studies = run_studies(sqlite, [study(**change)])
    server = Collect(sqlite, studies, SECRET, Address(port=0), tmp_path)
    with pytest.raises(BadInput, match="messages would be altered"):
        make_app(server)


def test_a_person_and_a_bot_in_chromium(chromium: Any, sqlite: Store, tmp_path: Path) -> None:
    """Answers look altered to the bot's partner, who is told in the end."""
    more = {"altered": True, "debriefing": "Yes and no were exchanged.", "bot": "answerer"}
    made = study(do=("answer/questioner=negate",), **more)
    server = Collect(sqlite, run_studies(sqlite, [made]), SECRET, Address(port=0), tmp_path)
    with running(make_app(server)) as url:
        page = new_page(chromium)
        page.goto(f"{url}/study/talk?id=ann")
        page.click("[data-start]")
        page.click("[data-agrees=true]")
        page.wait_for_selector("[data-ready]")
        assert "may look different" in page.text_content(".trial")
        step(page, ME)
        assert in_both_schemes(page) == []
        step(page, ME)
        page.reload()  # the same seat, and what was said
        page.wait_for_selector("[data-text]")
        talk_on_page(page, ME)
        assert "Yes and no were exchanged." in page.text_content("[data-over]")
        page.click("[data-go-on]")
        page.wait_for_selector("[data-outcome=completed]")
        assert page.wrong == []
        page.context.close()
    kept = sqlite.read(lambda c: c.execute(select(lines).order_by(lines.c.seq)).all())
    assert [r.kind for r in kept].count("answer") == 2


def test_two_people_in_chromium(chromium: Any, sqlite: Store, tmp_path: Path) -> None:
    server = Collect(sqlite, run_studies(sqlite, [study()]), SECRET, Address(port=0), tmp_path)
    with running(make_app(server)) as url:
        pages = [new_page(chromium) for _ in range(2)]
        for name, page in zip(("ann", "bob"), pages, strict=True):
            page.goto(f"{url}/study/talk?id={name}")
            page.click("[data-start]")
            page.click("[data-agrees=true]")
            page.wait_for_selector(".room [role=status], [data-ready]")
        for page in pages:
            page.wait_for_selector("[data-ready]")
        lost = False
        while not all(page.query_selector("[data-over]") for page in pages):
            for page in pages:
                if page.query_selector("[data-text]") and not lost:
                    lost = True
                    page.fill("[data-text]", "half a word")
                    page.context.set_offline(True)
                    page.context.set_offline(False)
                    assert page.input_value("[data-text]") == "half a word"
                step(page, ME)
            pages[0].wait_for_timeout(20)
        for page in pages:
            assert page.get_attribute("[data-over]", "data-over") == "completed"
            page.click("[data-go-on]")
            page.wait_for_selector("[data-outcome=completed]")
            page.context.close()
    assert owed(sqlite) == [("reward, visit 1", 150)] * 2
    assert lost


def test_a_long_dialog_by_keyboard_on_a_phone(chromium: Any, sqlite: Store, tmp_path: Path) -> None:
    """What was said last is in sight, and the keyboard is where something is to be done."""
    made = study(bot="answerer", rounds=3)
    server = Collect(sqlite, run_studies(sqlite, [made]), SECRET, Address(port=0), tmp_path)
    left = "(e => e.scrollHeight - e.scrollTop - e.clientHeight)(document.querySelector('.said'))"
    with running(make_app(server)) as url:
        page = new_page(chromium, viewport={"width": 320, "height": 500})
        page.goto(f"{url}/study/talk?id=ann")
        page.click("[data-start]")
        page.click("[data-agrees=true]")
        page.click("[data-ready]")
        page.wait_for_selector("[data-place]:focus")
        for number in range(3):
            page.keyboard.press("Enter")  # a guess, after the caption and after each answer
            page.wait_for_selector("[data-text]:focus")
            page.keyboard.type(f"Is there a chair, {'very ' * 20}old, {number}?")
            page.keyboard.press("Enter")
            page.wait_for_selector(".room[data-move=guess] [data-place]:focus")
            assert page.evaluate(left) <= 1
        assert axe(page) == []
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-go-on]:focus")
        assert page.wrong == []
        page.context.close()
