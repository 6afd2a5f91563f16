"""Bots that were trained take a seat: they say and guess what they do among their like."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.collect.live.test_studies import Talker, client, until
from tests.collect.small import START

from deixis.collect.live import log
from deixis.collect.live.game import SEATS, Entry, after, owed
from deixis.collect.live.log import Guest
from deixis.collect.live.making import make_parlour
from deixis.collect.live.output import FILE, finished, write_talks
from deixis.collect.live.parlour import Bot, Parlour
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import talks
from deixis.collect.trial import Refused
from deixis.datasets.visdial_file import read_dialogs
from deixis.players.common.saved import saved
from deixis.players.guessing.bots.learner import BotsLearner, QbotLearner, Talking
from deixis.players.guessing.converse import converse, turn_of
from deixis.runs.held import hold
from deixis.runs.prepare import lessons
from deixis.tasks.make import make
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import Turn
from deixis.worlds.rooms import rooms

SMALL = {"hidden": "12", "embedding": "8", "least": "1", "batch": "10", "rate": "0.01"}
ROUNDS = 3
ALTERED = "answer=negate,question/answerer=words:1"


def learnt(learner: Any, folder: Path, source: str = "rooms:train") -> Path:
    """A tiny bot from forty dialogs, kept as `deixis train` keeps one."""
    task = replace(make(rooms(scenes=60), source), readers=learner.readers)
    player = learner.fit(task, seed=1)
    player.save(folder)
    lessons(task).write(folder)
    return folder


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learnt(BotsLearner(**SMALL, epochs=6), tmp_path_factory.mktemp("bots"))


@pytest.fixture(scope="module")
def parlour(bots: Path) -> Parlour:
    """Without anybody in it."""
    return make_parlour(
        "talk", "rooms:test", pool="first:3", rounds=ROUNDS, do=(ALTERED,), **flags()
    )


def flags() -> dict[str, Any]:
    return {"altered": True, "debriefing": "Messages were changed."}


def among_bots(bots: Path, task: Task) -> dict[str, tuple[list[Turn], list[int]]]:
    """What they say and guess when they talk to each other, by dialog."""
    player = saved(str(bots), task).player  # type: ignore[attr-defined]
    assert isinstance(player, Talking)
    seats = (player.questioner, player.answerer, player.guesser)
    replies = converse(task.trials, *seats, partial(see, task), ROUNDS)
    assert replies.raw is not None
    assert replies.top is not None
    found: dict[str, tuple[list[Turn], list[int]]] = {t.id: ([], []) for t in task.trials}
    places = list(found) * (ROUNDS + 1)
    for name, raw, top in zip(places, replies.raw, replies.top, strict=True):
        found[name][1].append(int(top[0]))
        if raw is not None:
            found[name][0].append(turn_of(raw))
    return found


@pytest.mark.parametrize("role", SEATS)
def test_with_a_person_they_say_what_they_say_among_bots(
    role: str, bots: Path, parlour: Parlour, sqlite: Store, tmp_path: Path
) -> None:
    """A person says what the other bot would; messages are altered on their way for both."""
    among = among_bots(bots, parlour.task)
    other = next(s for s in SEATS if s != role)
    talk = {"source": "rooms:test", "rounds": ROUNDS, "do": (ALTERED,), **flags()}
    with client(sqlite, tmp_path, bot=f"{other}:saved:{bots}", **talk) as (made, server):
        me, number = Talker(made, "ann"), 0
        with me.sit() as socket:
            socket.send_json({"token": me.token})
            page = until(socket, lambda p: p["move"] == "ready")
            (here,) = server.parlours.of("talk")
            trial = sqlite.read(lambda c: [t.trial for t in _talks(c)])[0]
            while not page["over"]:
                if move := page["move"]:
                    body = said(move, len(page.get("turns", [])), *among[trial])
                    number += 1
                    socket.send_json({"key": f"k{number}", "kind": move, "body": body})
                page = until(socket, lambda _: True)
        assert page["over"] == "completed"
        (kept,) = sqlite.read(lambda c: list(finished(c, here)))
        assert (list(kept.game.turns), list(kept.game.guesses)) == among[trial]
        sqlite.read(write_talks, here, tmp_path / "out", "hash")
    held = hold(tmp_path / "out/people.run")
    assert held.spec["player"] == f"people+{other}"
    assert held.outcomes[""][0].condition == ALTERED  # the base of this study
    file = tmp_path / "out" / FILE
    (record,) = read_dialogs(json.loads(file.read_text()), file).records
    assert [t.answer for t in record.dialog.turns] == [t.answer for t in among[trial][0]]


def said(move: str, shown: int, turns: list[Turn], guesses: list[int]) -> dict[str, Any]:
    """What stands in a transcript at this move."""
    if move == "guess":
        return {"place": guesses[shown]}
    if move == "question":
        return {"text": turns[shown].question}
    return {"text": turns[shown - 1].answer} if move == "answer" else {}


def _talks(c: Any) -> Any:
    return c.execute(talks.select()).all()


def test_who_cannot_take_a_seat(
    bots: Path,
    tmp_path: Path,
    deixis: Callable[..., Any],
    refused: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    qbot = learnt(QbotLearner(**SMALL, epochs=1), tmp_path / "qbot")
    monkeypatch.setattr("deixis.web.server.serve", lambda *_: pytest.fail("it was served"))

    def asked(source: str, bot: str) -> tuple[Any, ...]:
        options = ("--pool", "first:3", "--home", tmp_path / "home", "--bot", f"answerer:{bot}")
        return ("collect", "talk", source, *options)

    def said(source: str, bot: str) -> str:
        return refused(*asked(source, bot))

    assert "is not trained yet" in said("rooms:test", "bots")
    assert "reads dialogs, and does not talk" in said("rooms:test", f"saved:{qbot}")
    assert "learnt from what people would talk about" in said("rooms:train", f"saved:{bots}")
    assert "no player.json there" in said("rooms:test", f"saved:{tmp_path}")
    # What was said can be read without the bot, and without torch.
    nobody = asked("rooms:test", f"saved:{tmp_path}")
    assert deixis(*nobody, "--export", tmp_path / "out").status == 0


class Mute:
    """Has nothing to say that anybody may say."""

    def answer(self, views: Any) -> list[str]:
        return ["?" for _ in views]


def test_a_bot_that_says_nothing_has_left(sqlite: Store) -> None:
    made = make_parlour("talk", "rooms:test", pool="first:3", rounds=1)
    made = replace(made, bot=Bot("answerer", lambda: (Mute(), None)))
    seat = sqlite.write(log.sit, made.room, Guest("a" * 32), made.policy, START)
    game = made.room.game(seat.trial)
    for kind, body in (("ready", {}), ("guess", {"place": 0}), ("question", {"text": "so?"})):
        here = (made.room, seat.talk, seat.role, kind, kind, body, START, game)
        _, game = sqlite.write(log.say, *here)
    game = made.let_bot(sqlite, seat.talk, game, lambda: START)
    assert (game.over, owed(game, "questioner")) == ("left", "stayed")
    with pytest.raises(Refused, match="is over"):
        after(game, Entry(9, "questioner", "end", {"why": "left"}))
