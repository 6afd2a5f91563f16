"""Live dialogs: rules, the log, reconnecting, lost partners, bots, what is read, what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.collect.small import START

from deixis.collect.clock import now
from deixis.collect.live import log
from deixis.collect.live.app import make_live
from deixis.collect.live.game import SEATS, Entry, Game, after, fold, owed
from deixis.collect.live.log import Guest
from deixis.collect.live.output import FILE, Talk, export_talks, finished, replies, visdial
from deixis.collect.live.parlour import Bot, Parlour
from deixis.collect.live.sockets import Live
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import lines
from deixis.collect.trial import Refused
from deixis.dataset import Conversation, Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.store import ArrayStore
from deixis.players.guessing.scripted import Scripted
from deixis.sources import load
from deixis.stats.ranks import Affine, Blocks
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.trials import Dialog, Turn
from deixis.web.address import Address

READERS = ("guesser", "questioner", "answerer")
ROUNDS = 2
ANN, BOB, CID = ("a" * 32, "b" * 32, "c" * 32)


def task(*conditions: str) -> Task:
    """Four dialogs about four pictures."""
    arrays = {f"p{i}": np.full((8, 8, 3), 40 * i, np.uint8) for i in range(4)}
    turns = (Turn("is it dark", "yes"), Turn("is it black", "no"))
    records = {
        f"d{i}": Conversation(f"d{i}", f"p{i}", Dialog(f"a grey square, number {i}", turns))
        for i in range(4)
    }
    dataset = Dataset("grey", "guessing", {}, records, ArrayStore(arrays))
    made = replace(make(dataset, "grey"), readers=READERS)
    return made.do(*conditions) if conditions else made


def parlour(*conditions: str, **more: Any) -> Parlour:
    return Parlour("grey", task(*conditions), rounds=ROUNDS, **more)


def played(store: Store, made: Parlour, right: bool = True) -> Talk:
    """A dialog from its first seat to its end."""
    now, seat = START, {}
    for token in (ANN, BOB):
        here = store.write(log.sit, made.room, Guest(token), made.policy, now)
        seat[here.role] = here
    talk = here.talk
    answer = made.trials[here.trial].answer

    def say(by: str, kind: str, **body: Any) -> int:
        key = f"{kind}-{store.read(log.game_of, made.room, talk).seq}"
        return store.write(log.say, made.room, talk, by, key, kind, body, now)[0]

    for role in SEATS:
        say(role, "ready")
    say("questioner", "guess", place=(answer + 1) % 4)
    for number in range(ROUNDS):
        say("questioner", "question", text=f"question {number}?")
        say("answerer", "answer", text="yes" if number else " no ")
        say("questioner", "guess", place=answer if right else (answer + 2) % 4)
    return Talk(talk, here.trial, store.read(log.game_of, made.room, talk))


def test_a_dialog_on_both_stores_becomes_visdial_and_replies(store: Store, tmp_path: Path) -> None:
    made = parlour()
    talk = played(store, made)
    assert store.read(lambda c: list(finished(c, made))) == [talk]
    assert talk.game.over == "completed"
    assert [owed(talk.game, s) for s in SEATS] == ["all", "all"]
    again = replace(talk, id=talk.id + 1)
    (tmp_path / FILE).write_text(json.dumps(visdial(made, [talk, again])))
    read = load("visdial", tmp_path)
    picture = made.trials[talk.trial].image.source
    assert list(read.records) == [f"{picture}/{talk.id}", f"{picture}/{again.id}"]
    for record in read.records.values():
        assert record.picture == picture
        assert record.dialog.turns == (Turn("question 0?", "no"), Turn("question 1?", "yes"))
    said = replies(made, [talk])
    assert said.ranks is not None
    assert said.ranks.tolist() == [3.0, 1.0, 1.0]  # four pictures: 2nd to 4th are tied
    wrong = replies(made, [Talk(talk.id, talk.trial, replace(talk.game, guesses=(0, 0, 0)))])
    assert len(wrong) == 3
    one = replace(made.task, trials=(made.trials[talk.trial],))
    assert len(score(one, said).credit) == 3


def test_the_log_counts_without_gaps_and_takes_each_key_once(store: Store) -> None:
    made = parlour()
    talk = played(store, made)
    log_ = store.read(log.entries, talk.id)
    assert [e.seq for e in log_] == list(range(1, 10))
    repeat, _ = store.write(
        log.say, made.room, talk.id, "questioner", "guess-2", "guess", {"place": 0}, START
    )
    assert repeat == 3
    assert len(store.read(log.entries, talk.id)) == 9
    with pytest.raises(Refused, match="not your turn"):
        store.write(log.say, made.room, talk.id, "questioner", "x", "question", {}, START)


@given(
    st.lists(
        st.tuples(st.sampled_from(SEATS), st.sampled_from(["ready", "question", "answer", "guess"]))
    )
)
def test_only_whose_turn_it_is_gets_heard(tries: list[tuple[str, str]]) -> None:
    game = Game(2, 5)
    for by, kind in tries:
        entry = Entry(game.seq + 1, by, kind, {"text": "so", "place": 1})
        if game.move(by) == kind:
            game = after(game, entry)
        else:
            with pytest.raises(Refused):
                after(game, entry)
        assert len(game.guesses) <= game.answered + 1
        assert game.over or sum(bool(game.move(s)) for s in SEATS) >= 1


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        ("guess", {"place": 5}, "one of the pictures"),
        ("guess", {"place": True}, "one of the pictures"),
        ("question", {"text": " "}, "at least one letter"),
        ("question", {}, "write something"),
        ("answer", {"text": "x"}, "not your turn"),
    ],
)
def test_what_cannot_be_said(kind: str, body: dict[str, Any], said: str) -> None:
    game = fold(Game(2, 5), [Entry(i, s, "ready", {}) for i, s in enumerate(SEATS, 1)])
    if kind != "guess":
        game = after(game, Entry(3, "questioner", "guess", {"place": 0}))
    with pytest.raises(Refused, match=said):
        after(game, Entry(4, "questioner", kind, body))


def test_partners_come_together_and_come_back(store: Store) -> None:
    made = parlour()

    def sit(token: str, seconds: float = 0) -> log.Seat:
        at = START + timedelta(seconds=seconds)
        return store.write(log.sit, made.room, Guest(token), made.policy, at)

    ann, bob = sit(ANN), sit(BOB, 10)
    assert ann.talk == bob.talk
    assert {ann.role, bob.role} == set(SEATS)
    assert sit(ANN, 20) == ann  # the same token, the same seat
    cid = sit(CID, 30)
    assert cid.talk != ann.talk
    late = sit("d" * 32, 60)  # nobody has heard of cid for half a minute
    assert late.talk not in (ann.talk, cid.talk)


def test_whoever_stays_is_told_and_paid(store: Store) -> None:
    made = parlour()
    ann = store.write(log.sit, made.room, Guest(ANN), made.policy, START)
    bob = store.write(log.sit, made.room, Guest(BOB), made.policy, START)
    assert store.write(log.reap, made.room, made.policy, START + timedelta(seconds=60)) == 0
    store.write(log.heard, ann.talk, ann.role, START + timedelta(seconds=90))
    later = START + timedelta(seconds=120)
    assert store.write(log.reap, made.room, made.policy, later) == 1
    game = store.read(log.game_of, made.room, ann.talk)
    assert (game.over, game.ended_by) == ("partner lost", bob.role)
    assert (owed(game, ann.role), owed(game, bob.role)) == ("stayed", "nothing")
    alone = store.write(log.sit, made.room, Guest(CID), made.policy, later)
    assert store.write(log.reap, made.room, made.policy, later + timedelta(seconds=400)) == 1
    assert store.read(log.game_of, made.room, alone.talk).over == "nobody came"
    assert store.write(log.reap, made.room, made.policy, later + timedelta(seconds=500)) == 0


def test_altered_messages_need_the_flag_and_a_debriefing() -> None:
    with pytest.raises(BadInput, match="messages would be altered"):
        parlour("answer/questioner=drop")
    with pytest.raises(BadInput, match="messages would be altered"):
        parlour("answer/questioner=drop", altered=True)
    made = parlour("answer/questioner=drop", altered=True, debriefing="Answers were left out.")
    game = fold(
        Game(2, 4, ready=frozenset(SEATS)),
        [
            Entry(1, "questioner", "guess", {"place": 0}),
            Entry(2, "questioner", "question", {"text": "dark?"}),
        ],
    )
    pending = made.page("d0", game, "questioner", 2)
    assert pending["turns"] == [["dark?", ""]]
    game = after(game, Entry(3, "answerer", "answer", {"text": "yes"}))
    game = after(game, Entry(4, "questioner", "guess", {"place": 0}))
    assert made.page("d0", game, "questioner", 2)["turns"] == [["dark?", ""]]
    assert made.page("d0", game, "answerer", 2)["turns"] == [["dark?", "yes"]]
    assert game.turns[0].answer == "yes"  # what was said is kept
    over = replace(game, over="completed")
    assert made.page("d0", over, "questioner", 2)["debriefing"] == "Answers were left out."


def test_pools_that_nobody_can_look_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deixis.collect.live.parlour.LARGEST", 3)
    with pytest.raises(BadInput, match="look through 4 pictures"):
        parlour()


@contextmanager
def served(store: Store, made: Parlour) -> Iterator[tuple[TestClient, Live]]:
    live = Live(store, lambda name, token: (made, Guest(token)) if name == "grey" else None)
    app = FastAPI()
    app.include_router(live.router)
    with TestClient(app) as client:
        yield client, live


def until(socket: Any, move: str) -> dict[str, Any]:
    """Read until a page asks for a move, or the dialog is over; pictures come once."""
    pictures: dict[str, Any] = {}
    while True:
        said = socket.receive_json()
        page = said.get("page")
        pictures |= {k: page[k] for k in ("image", "pool") if page and k in page}
        if page and (page["move"] == move or page["over"]):
            return pictures | page


def test_two_people_over_sockets_one_of_whom_loses_the_connection(sqlite: Store) -> None:
    made = parlour()
    with served(sqlite, made) as (client, _):
        with client.websocket_connect("/live/grey") as one:
            one.send_json({"token": ANN})
            assert one.receive_json()["page"]["waiting"] is True
            with client.websocket_connect("/live/grey") as two:
                two.send_json({"token": BOB})
                mine, yours = until(one, "ready"), until(two, "ready")
                sockets = {mine["role"]: (one, ANN), yours["role"]: (two, BOB)}
                for socket, _ in sockets.values():
                    socket.send_json({"key": "r", "kind": "ready"})
                asks, answers = sockets["questioner"][0], sockets["answerer"][0]
                first = until(asks, "guess")
                assert len(first["pool"]) == 4
                assert "image" not in first
                asks.send_json({"key": "g0", "kind": "guess", "body": {"place": 1}})
                until(asks, "question")
                asks.send_json({"key": "q1", "kind": "answer", "body": {"text": "no"}})
                error = next(m for m in iter(asks.receive_json, None) if "error" in m)
                assert error["error"].startswith("It is not your turn")
                asks.send_json({"key": "q1", "kind": "question", "body": {"text": "dark?"}})
                page = until(answers, "answer")
                assert page["image"]["pixels"].startswith("data:image/png")
                assert "pool" not in page
                assert page["turns"] == [["dark?", ""]]
                answers.send_json({"key": "a1", "kind": "answer", "body": {"text": "yes"}})
                assert until(asks, "guess")["turns"] == [["dark?", "yes"]]
            token = sockets["answerer"][1]
        with client.websocket_connect("/live/grey") as again:
            again.send_json({"token": token})
            back = again.receive_json()["page"]
            assert (back["role"], back["turns"]) == ("answerer", [["dark?", "yes"]])
            again.send_json({"key": "a1", "kind": "answer", "body": {"text": "yes"}})
            assert again.receive_json() == {"key": "a1", "seq": 5}  # said once, told again
            again.send_json({"key": "e", "kind": "end"})
            assert until(again, "")["over"] == "left"
        assert sqlite.write(log.reap, made.room, made.policy, now()) == 0
    kinds = sqlite.read(lambda c: list(c.execute(lines.select().order_by(lines.c.seq))))
    assert [k.kind for k in kinds] == ["ready", "ready", "guess", "question", "answer", "end"]


@pytest.mark.parametrize("role", SEATS)
def test_a_person_and_a_bot(sqlite: Store, role: str) -> None:
    other = next(s for s in SEATS if s != role)
    made = parlour(bot=Bot(other, lambda: (Scripted(task()), Eye())))
    with served(sqlite, made) as (client, _), client.websocket_connect("/live/grey") as me:
        me.send_json({"token": ANN})
        number, page = 0, me.receive_json()["page"]
        assert page["role"] == role
        while not page["over"]:
            move = page["move"]
            if move:
                number += 1
                body: dict[str, Any] = {"place": 0} if move == "guess" else {"text": "so"}
                me.send_json({"key": f"k{number}", "kind": move, "body": body})
            page = next(m["page"] for m in iter(me.receive_json, None) if "page" in m)
        assert page["over"] == "completed"
    (talk,) = sqlite.read(lambda c: list(finished(c, made)))
    said = [t.question if other == "questioner" else t.answer for t in talk.game.turns]
    assert said == (["is it dark", "is it black"] if other == "questioner" else ["yes", "no"])
    if other == "questioner":  # it points at the picture that the caption's number means
        answer = made.trials[talk.trial].answer
        assert talk.game.guesses == (answer,) * 3


class Eye:
    """Reads the number in a caption, and knows the pictures by their numbers."""

    name, revision = "eye", "1"

    def pictures(self, pictures: Any) -> Any:
        return np.array([[float(p.source[1:])] for p in pictures])

    def read(self, dialogs: Any) -> Affine:
        return Affine(np.array([[float(d.caption[-1])] for d in dialogs]))


class Blind(Eye):
    """The same by scores."""

    def read(self, dialogs: Any) -> Any:
        return Blocks(lambda start, stop: np.eye(4)[[int(d.caption[-1]) for d in dialogs]], 1)


@pytest.mark.parametrize("guesser", [Eye(), Blind()])
def test_a_bot_that_asks_points_at_what_it_understood(guesser: Any) -> None:
    bot = Bot("questioner", lambda: (Scripted(task()), guesser))
    made = parlour(bot=bot)
    game = made.room.game("d2")
    for name in ("d0", "d2", "d3"):
        view = made.view(name, game, "questioner")
        assert view.pool.pictures[bot.place(view)].source == f"p{name[1]}"
    with pytest.raises(BadInput, match="needs a guesser"):
        _ = Bot("questioner", lambda: (Scripted(task()), None)).awake


def test_what_is_no_message(sqlite: Store) -> None:
    from starlette.websockets import WebSocketDisconnect

    with served(sqlite, parlour()) as (client, _):
        for name, hello, code in (("grey", {"token": "x"}, 4400), ("none", {"token": ANN}, 4404)):
            with client.websocket_connect(f"/live/{name}") as socket:
                socket.send_json(hello)
                with pytest.raises(WebSocketDisconnect) as closed:
                    socket.receive_json()
                assert closed.value.code == code
        with client.websocket_connect("/live/grey") as socket:
            socket.send_json({"token": ANN})
            socket.receive_json()
            socket.send_json({"key": "!", "kind": "ready"})
            assert "key" in socket.receive_json()["error"]
            socket.send_json({"key": "beat"})
            assert socket.receive_json() == {"key": "beat", "seq": 0}


def test_the_page_and_its_module(sqlite: Store) -> None:
    app = make_live(sqlite, parlour(), Address(port=0))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        page = client.get("/")
        assert page.url.path == "/talk/grey"
        assert "Two people talk for 2 rounds" in page.text
        assert "connect-src 'self'" in page.headers["content-security-policy"]
        assert "WebSocket" in client.get("/static/live/table.js").text
        assert client.get("/talk/other").status_code == 404


def test_the_command_exports_what_is_finished(
    tmp_path: Path, deixis: Callable[..., Any], refused: Callable[..., str]
) -> None:
    common = ("--home", tmp_path / "home", "--export", tmp_path / "out")
    ended = deixis("collect", "talk", "rooms", "--pool", "first:5", *common, "--json")
    assert ended.json == {
        "schema": "deixis/talk/1",
        "study": "talk",
        "dialogs": 0,
        "guesses": 0,
        "right": 0,
    }
    assert json.loads((tmp_path / "out" / FILE).read_text())["version"] == "1.0"
    assert "need guessing games" in refused("collect", "talk", "figures", *common)
    assert "bot: expected questioner" in refused(
        "collect", "talk", "rooms", "--bot", "cat", *common
    )
    altered = ("collect", "talk", "rooms", "--do", "answer=drop", *common)
    assert "messages would be altered" in refused(*altered)


def test_finished_dialogs_are_files(sqlite: Store, tmp_path: Path) -> None:
    made = parlour()
    played(sqlite, made)
    said = export_talks(sqlite, made, tmp_path)
    assert (said["dialogs"], said["guesses"], said["right"]) == (1, 3, 2)
    rows = [json.loads(line) for line in (tmp_path / "guesses.jsonl").read_text().splitlines()]
    assert [row["right"] for row in rows] == [False, True, True]
