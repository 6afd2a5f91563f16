"""Runs of players that talk: replayed from the edited round on, both conversations side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from deixis.explore.opened import Opened, open_all
from deixis.explore.rows import replies
from deixis.explore.seat import Seat
from deixis.players.guessing.bots.learner import READERS, BotsLearner
from deixis.players.guessing.converse import turn_of
from deixis.runs.play import play
from deixis.tasks.edits import Edit
from deixis.tasks.make import make
from deixis.worlds.rooms import rooms
from tests.collect.pages import new_page
from tests.explore.conftest import client_of
from tests.explore.small import folder_of

OURS = {"x-deixis": "1"}
SMALL = {"hidden": 12, "embedding": 8, "least": 1, "batch": 10, "rate": 0.01, "epochs": 2}
ROUNDS = 5
ANSWER = "yes , a red one"


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Opened:
    """A run of bots that were trained for a moment, opened with the same bots in the seat."""
    task = replace(make(rooms(scenes=24, rounds=ROUNDS), "rooms"), readers=READERS)
    bots = BotsLearner(**SMALL).fit(task, seed=1)  # type: ignore[arg-type]
    path = tmp_path_factory.mktemp("runs") / "talk"
    folder = folder_of(task, "bots", path)
    play(task, bots, ["image=noise@3"], folder=folder)
    folder.close()
    opened = open_all(task, Seat("bots", lambda told: bots), run=path, cache=cache)
    assert opened.seat.wait().condition == "ready"
    return opened


def replayed(opened: Opened, trial: str, *edits: Edit) -> Any:
    """What the page is told."""
    with client_of(opened) as client:
        body = {"id": trial, "edits": [e.json() for e in edits]}
        return client.post("/api/replay", json=body, headers=OURS).json()


def turns(answer: Any, side: int) -> list[tuple[str, str]]:
    """Question and answer of each round on one side: 0 is the original, 1 the edited one."""
    sides = [[" ".join(w for w, _ in text[side]) for text in turn] for turn in answer["turns"]]
    return [(q, a) for q, a in sides]


def test_a_replay_is_what_the_run_kept(talk: Opened) -> None:
    for position in (0, 5, 23):
        trial = talk.task.trials[position].id
        answer = replayed(talk, trial)
        assert answer["state"] == "ready"
        [kept] = replies(talk.tracks[0], trial)
        assert answer["before"]["curve"] == pytest.approx(list(kept.curve))
        assert answer["before"] == answer["after"]
        assert kept.raw is not None
        assert turns(answer, 0)[-1] == (turn_of(kept.raw).question, turn_of(kept.raw).answer)


def test_an_answer_put_in_is_talked_on_from(talk: Opened) -> None:
    trial = talk.task.trials[5].id
    answer = replayed(talk, trial, Edit("answer", ANSWER, 3))
    before, after = turns(answer, 0), turns(answer, 1)
    assert len(before) == len(after) == ROUNDS
    assert before[:2] == after[:2]
    assert before[2][0] == after[2][0]
    assert after[2][1] == ANSWER
    assert answer["before"]["curve"][:3] == answer["after"]["curve"][:3]
    assert len(answer["after"]["tops"]) == ROUNDS + 1


def test_what_is_put_in_is_read(talk: Opened) -> None:
    """The guesser's ranks move from that round on, in some dialogs."""
    moved = 0
    for trial in talk.task.trials[:8]:
        answer = replayed(talk, trial.id, Edit("answer", ANSWER, 3))
        assert answer["before"]["curve"][:3] == answer["after"]["curve"][:3]
        moved += answer["before"]["curve"][3:] != answer["after"]["curve"][3:]
    assert moved


def test_a_caption_put_in_changes_the_whole_game(talk: Opened) -> None:
    other = talk.task.trials[0].dialog.caption
    sides = [
        (a["before"], a["after"])
        for t in talk.task.trials[1:9]
        for a in [replayed(talk, t.id, Edit("caption", other, 0))]
    ]
    assert any(before["curve"][0] != after["curve"][0] for before, after in sides)
    answer = replayed(talk, talk.task.trials[7].id, Edit("caption", other, 0))
    changed = next(t for t in answer["texts"] if t["key"] == "caption-0")
    assert changed["changed"]


def test_another_picture_for_the_answerer(talk: Opened) -> None:
    other = talk.task.trials[9].image.source
    answer = replayed(talk, talk.task.trials[5].id, Edit("image", f"picture:{other}", 3))
    assert turns(answer, 0)[:2] == turns(answer, 1)[:2]
    assert answer["before"]["curve"][:3] == answer["after"]["curve"][:3]


def test_the_page_shows_both_conversations(
    chromium: Any, talk: Opened, serve: Callable[[Opened], str]
) -> None:
    page = new_page(chromium)
    page.goto(f"{serve(talk)}/edit?id={talk.task.trials[5].id}")
    page.wait_for_selector("[data-side=edited]")
    page.fill("[data-key=answer-3] textarea", ANSWER)
    page.wait_for_url("**edits=**")
    changed = page.locator(".changes").inner_text()
    assert ANSWER in changed
    assert page.locator("[data-talk]").inner_text().count(ANSWER) == 1
    assert page.locator(".tops").count() == 2  # the best of the pool, before and after
    assert page.locator(".tops").nth(0).locator("img").count() == 6
    page.locator("[type=range]").fill("0")
    firsts = [
        page.locator(".tops").nth(side).locator("img").first.get_attribute("src") for side in (0, 1)
    ]
    assert firsts[0] == firsts[1]  # after the caption alone nothing differs yet
    assert page.locator(".before-line").count() == page.locator(".after-line").count() == 1
    assert page.wrong == []


def test_the_trial_in_full_shows_what_was_said(talk: Opened) -> None:
    trial = talk.task.trials[0].id
    with client_of(talk) as client:
        assert isinstance(client, TestClient)
        given = {"id": trial, "under": "image=noise@3"}
        text = client.get("/trial", params=given, headers={"accept": "text/html"}).text
    assert "Under every condition and seed" in text
    assert text.count("<details>") == 2
