"""Edits by hand: what is replayed, what links and files hold, what is said of a wrong edit."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from starlette.testclient import TestClient

from deixis.errors import BadInput
from deixis.explore.opened import Opened
from deixis.explore.replay import play_one, slots
from deixis.explore.seat import Seat
from deixis.explore.states import given_state, link
from deixis.outcomes import score
from deixis.players.protocols import Player
from deixis.replies import Replies
from deixis.tasks.edits import Edit, parse
from deixis.tasks.see import views
from deixis.tasks.task import Task
from tests.explore.conftest import PLANTED, client_of
from tests.explore.small import Ran, player_of

HTML = {"accept": "text/html"}
OURS = {"x-deixis": "1"}


def replayed(client: TestClient, trial: str, edits: Sequence[Edit] = ()) -> Any:
    """What the page is told, once the player is ready."""
    body = {"id": trial, "edits": [e.json() for e in edits]}
    return client.post("/api/replay", json=body, headers=OURS).json()


@pytest.fixture(autouse=True)
def seated(opened_games: Opened, opened_rooms: Opened) -> None:
    """Both players are ready before anybody asks."""
    for opened in (opened_games, opened_rooms):
        assert opened.seat.wait().condition == "ready"


def test_without_edits_the_reply_is_that_of_the_run(games: Task) -> None:
    player = player_of(PLANTED, games)
    outcomes = score(games, player.reply(views(games)))
    for position in (0, 17, 59):
        side = play_one(games, games.trials[position], player)
        assert side.credit == outcomes.credit[position]
        assert side.choice == outcomes.choice[position]
        assert outcomes.scores is not None
        assert list(side.scores) == outcomes.scores[position].tolist()


def test_an_edit_is_played(client: TestClient, opened_games: Opened) -> None:
    trial = opened_games.task.trials[4]
    answer = replayed(client, trial.id)
    assert answer["state"] == "ready"
    assert answer["before"] == answer["after"]
    edits = [Edit("whole", "quite another thing"), Edit("color", (0,) * 7, 1)]
    answer = replayed(client, trial.id, edits)
    whole = next(t for t in answer["texts"] if t["key"] == "whole-1")
    assert whole["changed"]
    assert [w for w, changed in whole["after"] if changed]
    changed = [c["own"] for c in answer["candidates"] if c["changed"]]
    assert changed == [0]
    assert dict(parse_qsl(answer["link"]))["id"] == trial.id


def test_a_player_that_uses_wholes_loses_by_them(client: TestClient, opened_games: Opened) -> None:
    both: list[tuple[float, float]] = []
    for trial in opened_games.task.trials[:25]:
        edits = [Edit("whole", "quite another thing"), Edit("color", (0,) * 7, 1)]
        answer = replayed(client, trial.id, edits)
        both.append((answer["before"]["credit"], answer["after"]["credit"]))
    assert any(after < before for before, after in both)
    assert all(after <= before for before, after in both)


def test_a_dialog_keeps_its_rank_until_the_edited_round(
    rooms_client: TestClient, opened_rooms: Opened
) -> None:
    trial = opened_rooms.task.trials[2]
    answer = replayed(rooms_client, trial.id, [Edit("answer", "no idea at all", 4)])
    before, after = answer["before"]["curve"], answer["after"]["curve"]
    assert before[:4] == after[:4]
    assert all(b > a for b, a in zip(before[4:], after[4:], strict=True))
    assert len(answer["before"]["tops"]) == len(before)


def test_every_state_has_a_link_and_a_file(client: TestClient, opened_games: Opened) -> None:
    trial = opened_games.task.trials[4]
    edits = (Edit("whole", 'a "cat" & <b>dog</b>'), Edit("shape", "blank", 3))
    state = link(trial.id, edits)
    assert given_state(opened_games, dict(parse_qsl(state))).edits == edits
    page = client.get(f"/edit?{state}", headers=HTML).text
    assert "a &#34;cat&#34; &amp; &lt;b&gt;dog&lt;/b&gt;</textarea>" in page
    assert "<b>dog" not in page
    file = client.get(f"/edits.toml?{state}")
    assert "attachment" in file.headers["content-disposition"]
    held = parse(file.text, "it")
    assert (held.trial, held.edits, held.source) == (trial.id, edits, "figures")
    given = {"name": "mine.toml", "text": file.text}
    assert client.post("/api/edits", json=given, headers=OURS).json()["link"] == f"/edit?{state}"


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ("{", "edits: not JSON"),
        ("{}", "edits: edit: expected a list"),
        ('[{"channel": "frob", "value": "x"}]', "no channel &#39;frob&#39;"),
        ('[{"channel": "shape", "at": 1, "value": "picture:/etc/passwd"}]', "no tangram"),
    ],
)
def test_a_wrong_link_is_said_on_the_page(
    client: TestClient, opened_games: Opened, edits: str, said: str
) -> None:
    trial = opened_games.task.trials[4].id
    page = client.get("/edit", params={"id": trial, "edits": edits}, headers=HTML)
    assert page.status_code == 200
    assert said in page.text
    assert "These edits cannot be made" in page.text
    answer = client.get("/edits.toml", params={"id": trial, "edits": edits})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("trial = ", "mine.toml: not TOML"),
        ('trial = "frob"', "has no trial 'frob'"),
        ('trial = "{id}"\n[[edit]]\nchannel = "whole"\nvalue = 1', "mine.toml: edit 1: value"),
        ('trial = "{id}"\n[[edit]]\nchannel = "whole"\nvalue = ["a"]', "whole: expected a text"),
    ],
)
def test_a_wrong_file_is_one_sentence(
    client: TestClient, opened_games: Opened, text: str, said: str
) -> None:
    text = text.replace("{id}", opened_games.task.trials[0].id)
    answer = client.post("/api/edits", json={"name": "mine.toml", "text": text}, headers=OURS)
    assert answer.status_code == 422
    assert said in answer.json()["error"]


def test_wrong_edits_are_refused(client: TestClient, opened_games: Opened) -> None:
    trial = opened_games.task.trials[0].id
    for edit, said in (
        ({"channel": "whole", "value": "x", "at": 9}, "has none there"),
        ({"channel": "whole"}, "value: expected"),
        (5, "expected channel and value"),
    ):
        answer = client.post("/api/replay", json={"id": trial, "edits": [edit]}, headers=OURS)
        assert answer.status_code == 422
        assert said in answer.json()["error"]
    assert client.post("/api/replay", json={"id": "frob"}, headers=OURS).status_code == 422


def test_what_can_be_edited(games: Task, rooms: Task) -> None:
    kinds = {(s.channel, s.at) for s in slots(games, games.trials[0])}
    assert kinds == {
        ("whole", 1),
        ("parts", 1),
        *((c, i) for c in ("color", "shape") for i in range(1, 6)),
    }
    made = [s.key for s in slots(rooms, rooms.trials[0])]
    assert made[:5] == ["caption-0", "question-1", "answer-1", "question-2", "answer-2"]


class Dead:
    """A player whose endpoint is gone."""

    name, revision = "dead", "1"

    def reply(self, views: Sequence[Any]) -> Replies:
        """Nothing comes back."""
        raise ConnectionRefusedError("nobody listens at port 9")


def test_a_dead_endpoint_is_said_and_nothing_is_lost(game_run: Ran, cache: Path) -> None:
    opened = game_run.open(cache, seat=Seat("dead", lambda told: Dead()))
    opened.seat.wait()
    edit = Edit("whole", "a cat")
    with client_of(opened) as client:
        answer = replayed(client, opened.task.trials[0].id, [edit])
    assert answer["state"] == "failed"
    assert answer["sentence"] == "dead did not reply: nobody listens at port 9"
    assert json.loads(dict(parse_qsl(answer["link"]))["edits"]) == [edit.json()]


def test_a_player_that_gets_ready(game_run: Ran, cache: Path) -> None:
    begun, go = threading.Event(), threading.Event()

    def slow(told: Any) -> Player:
        told("training slow", 1, 5)
        begun.set()
        go.wait(30)
        return player_of(PLANTED, game_run.task)

    opened = game_run.open(cache, seat=Seat("slow", slow))
    trial = opened.task.trials[0].id
    with client_of(opened) as client:
        replayed(client, trial)
        begun.wait(30)
        answer = replayed(client, trial)
        assert (answer["state"], answer["sentence"]) == ("waiting", "training slow: 1 of 5")
        assert "before" not in answer
        go.set()
        opened.seat.wait()
        assert replayed(client, trial)["state"] == "ready"


def test_a_player_that_cannot_be_made_may_be_asked_again() -> None:
    tries: list[int] = []

    def make(told: Any) -> Player:
        tries.append(1)
        raise BadInput("no key")

    seat = Seat("chat", make)
    for number in (1, 2):
        state = seat.wait()
        assert (state.condition, state.sentence) == ("failed", "chat cannot play: no key")
        assert len(tries) == number
    assert Seat("", None, "nobody plays").state().sentence == "nobody plays"


def test_the_page_of_a_trial_that_is_not_there(client: TestClient) -> None:
    assert client.get("/edit?" + urlencode({"id": "frob"}), headers=HTML).status_code == 400
