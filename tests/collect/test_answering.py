"""Writes: repeats get the first reply, drafts never touch finals, nothing wrong is kept."""

from __future__ import annotations

import secrets
import threading
from typing import Any

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from deixis.collect.answering import Write, answer
from deixis.collect.store.tables import answers, steps, writes
from tests.collect.small import Session


def finals(at: Session, step: str | None = None) -> int:
    rows = select(func.count()).select_from(answers).where(answers.c.final)
    if step is not None:
        rows = rows.where(answers.c.step_id == step)
    return at.store.read(lambda c: int(c.execute(rows).scalar_one()))


def test_a_repeat_gets_the_first_reply(played: Session) -> None:
    person = played.arrives("p").until("choose_target")
    key, step, response = secrets.token_hex(8), person.step, person.response()
    first = person.write("final", response, key=key, step=step)
    assert first.body["saved"] is True
    played.later(hours=3)
    for _ in range(3):
        assert person.write("final", response, key=key, step=step) == first
    assert finals(played, step) == 1


def test_a_repeat_after_the_end_gets_it_too(played: Session) -> None:
    person = played.arrives("p").until("survey")
    key, step, response = secrets.token_hex(8), person.step, person.response()
    first = person.write("final", response, key=key, step=step)
    assert person.outcome == "completed"
    assert person.write("final", response, key=key, step=step) == first


def test_a_key_is_for_one_write(played: Session) -> None:
    person = played.arrives("p")
    key, step = secrets.token_hex(8), person.step
    person.write("final", {"agrees": True}, key=key)
    other = person.write("final", {"agrees": False}, key=key, step=step)
    assert other.status == 409
    assert person.outcome is None


def test_the_first_final_stays(played: Session) -> None:
    person = played.arrives("p").until("choose_target")
    step = person.step
    response = person.response()
    tokens = person.state["step"]["stimulus"]["tokens"]
    person.write("final", response, step=step)
    other = next(t for t in tokens if t != response["token"])
    second = person.write("final", {"token": other, "ms": 3000}, step=step)
    assert (second.status, second.body["reload"]) == (409, True)
    rows = select(answers.c.response).where(answers.c.step_id == step, answers.c.final)
    assert played.store.read(lambda c: c.execute(rows).scalar_one()) == response


def test_the_schema_refuses_a_second_final(played: Session) -> None:
    played.arrives("p").answers()
    row = played.store.read(lambda c: c.execute(select(answers).where(answers.c.final)).one())
    again = {k: v for k, v in row._mapping.items() if k != "id"}
    with pytest.raises(IntegrityError):
        played.store.write(lambda c: c.execute(insert(answers).values(again)) and None)


def test_the_latest_draft_is_shown_whatever_order_they_came_in(named: Session) -> None:
    person = named.arrives("p").until("describe_whole")
    for version, text in ((2, "a her"), (3, "a heron"), (1, "a h")):
        assert person.write("draft", {"text": text}, version=version).body == {"saved": True}
    shown = person.state["step"]
    assert (shown["draft"], shown["version"]) == ({"text": "a heron"}, 3)


def test_a_draft_that_comes_late_changes_nothing(named: Session) -> None:
    person = named.arrives("p").until("describe_whole")
    step = person.step
    person.answers({"text": "a heron"})
    assert person.write("draft", {"text": "a her"}, step=step, version=99).status == 200
    assert person.state["step"]["stimulus"]["whole"] == "a heron"
    assert finals(named, step) == 1


@pytest.mark.parametrize(
    ("response", "said"),
    [
        ({}, "token: Field required"),
        ({"token": "x", "ms": 1}, "none of the candidates"),
        ({"token": "x", "ms": -1}, "ms: Input should be greater"),
        ({"token": "x", "ms": 1, "right": True}, "right: there is no such field"),
    ],
)
def test_what_cannot_stand_is_said_and_not_kept(
    played: Session, response: dict[str, Any], said: str
) -> None:
    person = played.arrives("p").until("choose_target")
    before, step = finals(played), person.step
    reply = person.write("final", response)
    assert reply.status == 422
    assert said in reply.body["error"]
    assert finals(played) == before
    assert person.step == step
    assert person.answers().status == 200  # and the person just goes on


def test_trials_are_a_person_s_own_and_come_in_order(played: Session) -> None:
    one, other = (played.arrives(n).until("choose_target") for n in ("p", "q"))
    assert one.write("final", {"token": "x", "ms": 1}, step=other.step).status == 404
    one.answers()
    rows = select(steps.c.id).where(steps.c.session_id == one.key, steps.c.state == "open")
    later = played.store.read(lambda c: list(c.execute(rows.order_by(steps.c.position)).scalars()))[
        2
    ]
    key, step = later, one.step
    del key
    stimulus_of = one.write("final", {"token": "x", "ms": 1}, step=later)
    assert stimulus_of.status in (409, 422)
    assert one.step == step


def test_after_the_end_nothing_is_taken(played: Session) -> None:
    person = played.arrives("p")
    step = person.step
    person.answers({"agrees": False})
    reply = person.write("final", {"agrees": True}, step=step)
    assert reply.status == 409
    draft = person.write("draft", {"agrees": True}, step=step)
    assert draft.status == 409


def test_the_same_write_from_many_connections_at_once(played: Session) -> None:
    """Duplicated requests race each other; one answer comes of them, and one reply."""
    person = played.arrives("p").until("choose_target")
    made = Write.model_validate(
        {
            "key": secrets.token_hex(8),
            "step": person.step,
            "kind": "final",
            "response": person.response(),
            "ms": 10.0,
        }
    )
    start, got = threading.Barrier(12), []

    def send() -> None:
        start.wait()
        got.append(answer(played.store, played.running.plan, person.key, made, played.now))

    threads = [threading.Thread(target=send) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 12
    assert all(reply == got[0] for reply in got)
    assert finals(played, made.step) == 1
    kept = select(func.count()).select_from(writes).where(writes.c.key == made.key)
    assert played.store.read(lambda c: c.execute(kept).scalar_one()) == 1


def test_text_of_every_script_comes_back_as_it_was(named: Session) -> None:
    person = named.arrives("p").until("describe_whole")
    text = "  сова 🦉 بومة フクロウ e\u0301 <b>&amp;  "
    person.answers({"text": text})
    row = named.store.read(
        lambda c: c.execute(
            select(answers.c.response, answers.c.detail).order_by(answers.c.id.desc()).limit(1)
        ).one()
    )
    assert row.response == {"text": text}
    assert row.detail == {"text": "сова 🦉 بومة フクロウ é <b>&amp;"}
