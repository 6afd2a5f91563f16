"""What people get, in which order, and what becomes of those who go away and come back."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import func, select

from deixis.collect.arriving import leave, stop
from deixis.collect.export.counts import counts, faults
from deixis.collect.running import run_studies
from deixis.collect.store import slots
from deixis.collect.store.engine import Store
from deixis.collect.store.sessions import session
from deixis.collect.store.tables import answers, claims, payments, sessions, steps, studies
from deixis.collect.trial import Profile, Refused
from tests.collect.small import QUIZ, SURVEY, Session, games, names


def types(at: Session, key: int) -> list[str]:
    rows = select(steps.c.type).where(steps.c.session_id == key).order_by(steps.c.position)
    return at.store.read(lambda c: list(c.execute(rows).scalars()))


def test_a_session_from_consent_to_the_end(played: Session) -> None:
    person = played.arrives("p")
    assert person.state["progress"] == {"number": 1, "of": 1, "phase": 1, "phases": 4}
    person.until("choose_target")
    shown = person.state["step"]
    assert shown["practice"]
    assert shown["feedback"]
    reply = person.answers()
    assert set(reply.body["feedback"]) == {"right", "target"}
    assert person.state["progress"] == {"number": 1, "of": 5, "phase": 3, "phases": 4}
    reply = person.answers()
    assert reply.body["feedback"] == {}  # in earnest nobody is told what was right
    person.finishes()
    assert person.outcome == "completed"
    assert types(played, person.key) == ["consent", *["choose_target"] * 6, "survey"]
    assert played.store.read(faults, played.running.id, "live") == []


def test_practice_is_under_the_condition_that_follows(played: Session) -> None:
    arms = set()
    for i in range(4):
        person = played.arrives(f"p{i}").until("choose_target")
        here = played.store.read(session, person.key)
        assert here.arm in played.running.plan.pool.arms  # type: ignore[union-attr]
        arms.add(here.arm)
        texts = person.state["step"]["stimulus"]["texts"]
        assert bool(texts[0]["parts"]) == (here.arm == "parts, color")
    assert len(arms) == 2


def test_when_everything_is_done_people_are_told_so(played: Session) -> None:
    for i in range(8):
        assert played.arrives(f"p{i}").finishes().outcome == "completed"
    late = played.arrives("late").finishes()
    assert late.outcome == "full"
    assert played.store.read(counts, played.running.id, "live")["slots"] == {
        "free": 0,
        "leased": 0,
        "done": 8,
    }


def test_previews_take_nobody_s_place(played: Session) -> None:
    for i in range(8):
        played.arrives(f"p{i}").finishes()
    assert played.arrives("me", mode="test").finishes().outcome == "completed"
    assert sum(played.store.read(counts, played.running.id, "live")["slots"].values()) == 8


def test_who_does_not_consent_is_thanked(played: Session) -> None:
    person = played.arrives("p")
    person.answers({"agrees": False})
    assert person.outcome == "no_consent"
    assert played.store.read(counts, played.running.id, "live")["slots"]["free"] == 8


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ({"country": "CA", "languages": [{"language": "English", "level": 5}]}, "not_eligible"),
        ({"country": "US", "languages": [{"language": "Klingon", "level": 5}]}, "not_eligible"),
        ({"country": "US", "languages": [{"language": "English", "level": 1}]}, None),
    ],
)
def test_eligibility_by_the_survey(sqlite: Store, answer: dict[str, Any], outcome: str) -> None:
    phases = [SURVEY, {"name": "main", "type": "choose_target", "use": "pool"}]
    study = games(phase=phases, eligibility={"countries": ["US"], "fluent": ["English"]})
    at = Session(sqlite, run_studies(sqlite, [study])["games"])
    person = at.arrives("p")
    person.answers({"answers": answer})
    assert person.outcome == outcome


def test_two_wrong_quizzes_end_the_session(named: Session) -> None:
    person = named.arrives("p").until("quiz")
    wrong = {"answers": {"one": 1, "two": 1}}
    first = person.answers(wrong)
    assert first.body["feedback"]["again"] == 1
    assert [w["text"] for w in first.body["feedback"]["wrong"]] == ["1 + 1?"]
    assert person.state["step"]["type"] == "quiz"
    second = person.answers(wrong)
    assert "again" not in second.body["feedback"]
    assert person.outcome == "failed_quiz"


def test_a_second_try_may_do(named: Session) -> None:
    person = named.arrives("p").until("quiz")
    person.answers({"answers": {"one": 1, "two": 1}})
    person.finishes()
    assert person.outcome == "completed"
    scores = select(answers.c.value).where(answers.c.value.is_not(None)).order_by(answers.c.id)
    assert named.store.read(lambda c: list(c.execute(scores).scalars())) == [0.5, 1.0]


def test_items_come_one_by_one_with_both_stages(named: Session) -> None:
    person = named.arrives("p").until("describe_whole")
    assert person.state["progress"] == {"number": 1, "of": 2, "phase": 3, "phases": 3}
    assert person.state["may_stop"] is False
    person.answers({"text": "a heron"})
    assert person.state["step"]["stimulus"]["whole"] == "a heron"
    person.answers()
    assert person.state["progress"]["number"] == 2
    assert person.state["may_stop"] is True
    person.finishes()
    assert person.outcome == "completed"
    assert types(named, person.key)[2:] == ["describe_whole", "annotate_parts"] * 2


def test_stopping_keeps_what_is_done(named: Session) -> None:
    person = named.arrives("p").until("describe_whole")
    person.answers()
    person.answers()
    person.answers()  # the second shape is half done
    named.store.write(stop, named.running.plan, person.key, named.now)
    assert person.outcome == "completed"
    n = named.store.read(counts, named.running.id, "live")
    assert n["claims"] == {"done": 1, "returned": 1}
    assert n["slots"]["done"] == 1
    assert named.store.read(faults, named.running.id, "live") == []


def test_a_later_visit_skips_what_is_asked_once(named: Session) -> None:
    first = named.arrives("p").finishes()
    named.later(days=2)
    second = named.arrives("p")
    assert second.key != first.key
    assert second.state["step"]["type"] == "describe_whole"
    second.finishes()
    third = named.arrives("p").finishes()  # nothing is left: there are four shapes
    assert third.outcome == "full"
    fourth = named.arrives("p")
    assert fourth.key == third.key  # three visits are all there may be
    had = select(claims.c.unit_id)
    assert len(set(named.store.read(lambda c: list(c.execute(had).scalars())))) == 4


def test_the_same_person_is_one_session_on_any_device(played: Session) -> None:
    one = played.arrives("p").until("choose_target")
    one.answers()
    other = played.arrives("p")
    assert other.key == one.key
    assert other.step == one.step
    done = other.finishes()
    again = played.arrives("p")
    assert (again.key, again.outcome) == (done.key, "completed")


def test_people_nobody_knows_are_as_many_as_their_browsers(played: Session) -> None:
    assert played.arrives("").key != played.arrives("").key


def test_a_day_later_the_place_is_taken_up_again(played: Session) -> None:
    person = played.arrives("p").until("choose_target")
    person.answers()
    step = person.step
    played.later(days=1)
    assert played.store.write(slots.expire, played.now) == 1
    assert person.step == step
    assert person.finishes().outcome == "completed"
    assert played.store.read(counts, played.running.id, "live")["claims"] == {"done": 1}


def _fill(at: Session, n: int) -> None:
    for i in range(n):
        at.arrives(f"other-{i}").finishes()


def test_whoever_has_begun_may_finish_though_the_place_is_gone(played: Session) -> None:
    person = played.arrives("p").until("choose_target")
    person.answers()
    played.later(days=1)
    _fill(played, 8)
    assert person.finishes().outcome == "completed"
    n = played.store.read(counts, played.running.id, "live")
    assert n["claims"] == {"done": 8, "surplus": 1}
    assert played.store.read(faults, played.running.id, "live") == []


def test_whoever_has_not_begun_gets_another_place_or_none(played: Session) -> None:
    waiting = played.arrives("p").until("choose_target")
    step = waiting.step
    played.later(days=1)
    _fill(played, 6)
    shown = waiting.step
    assert shown != step or played.store.read(session, waiting.key).outcome is None
    played.later(days=1)
    _fill(played, 9)
    assert waiting.finishes().outcome in ("full", "completed")
    assert played.store.read(faults, played.running.id, "live") == []


def test_an_answer_is_kept_even_if_its_place_was_given_away(named: Session) -> None:
    """The browser was offline for a day; another one asked how things stand before it sent."""
    person = named.arrives("p").until("describe_whole")
    step, answer = person.step, person.response()
    named.later(days=1)
    for i in range(6):
        named.arrives(f"other-{i}").finishes()
    assert person.outcome == "full"
    reply = person.write("final", answer, step=step)
    assert (reply.status, reply.body["saved"]) == (200, True)
    kept = select(answers.c.response).where(answers.c.step_id == step, answers.c.final)
    assert named.store.read(lambda c: c.execute(kept).scalar_one()) == answer
    assert named.store.read(faults, named.running.id, "live") == []
    assert person.outcome == "full"


def test_leaving_for_good(played: Session) -> None:
    person = played.arrives("p").until("choose_target")
    played.store.write(leave, played.running.plan, person.key, played.now)
    assert person.outcome == "withdrawn"
    n = played.store.read(counts, played.running.id, "live")
    assert n["slots"]["leased"] == 0
    assert n["claims"] == {"returned": 1}


def test_a_closed_study_takes_nobody_new(played: Session) -> None:
    begun = played.arrives("p")
    closed = studies.update().values(state="paused")
    played.store.write(lambda c: c.execute(closed) and None)
    with pytest.raises(Refused, match="not open now"):
        played.arrives("q")
    assert played.arrives("me", mode="test").outcome is None
    assert begun.finishes().outcome == "completed"


def test_a_cap_of_people(sqlite: Store) -> None:
    at = Session(sqlite, run_studies(sqlite, [games(caps={"people": 2})])["games"])
    at.arrives("p").answers({"agrees": False})  # who has gone does not count
    at.arrives("q")
    at.arrives("r")
    with pytest.raises(Refused, match="all the participants it needs"):
        at.arrives("s")


def test_a_cap_of_people_who_come_in_the_same_moment(store: Store) -> None:
    at = Session(store, run_studies(store, [games(caps={"people": 2})])["games"])
    start, came = threading.Barrier(12), []

    def arrive(name: str) -> None:
        start.wait()
        with suppress(Refused):
            came.append(at.arrives(name))

    threads = [threading.Thread(target=arrive, args=(f"p{i}",)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(came) == 2


def test_earlier_participation(sqlite: Store) -> None:
    study = names(eligibility={"not_in": ["games"]})
    running = run_studies(sqlite, [games(), study])
    first, second = (Session(sqlite, running[n]) for n in ("games", "names"))
    first.arrives("p").until("choose_target")
    first.arrives("q")
    with pytest.raises(Refused, match="earlier study"):
        second.arrives("p")
    assert second.arrives("q").outcome is None


def test_what_is_owed(sqlite: Store) -> None:
    pay = {"reward": 1.2, "per_right": 0.05, "screened": 0.3}
    phases = [QUIZ, *games().model_dump(by_alias=True)["phase"]]
    study = games(pay=pay, phase=phases)
    at = Session(sqlite, run_studies(sqlite, [study])["games"])
    at.arrives("good").finishes()
    guesser = at.arrives("guesser").until("choose_target")
    guesser.profile = Profile(skill=0.0)
    guesser.finishes()
    bad = at.arrives("bad")
    bad.answers({"answers": {"one": 1, "two": 0}})
    bad.answers({"answers": {"one": 1, "two": 0}})
    at.arrives("test", mode="test").finishes()
    rows = select(payments.c.kind, payments.c.amount, payments.c.session_id)
    owed = at.store.read(lambda c: c.execute(rows.order_by(payments.c.id)).all())
    kinds = Counter(r.kind for r in owed)
    assert kinds["reward"] == 2
    assert kinds["screened"] == 1
    assert next(r.amount for r in owed if r.kind == "bonus") == 4 * 5  # not for practice or catch
    assert next(r.amount for r in owed if r.kind == "screened") == 30


def test_pay_by_the_item(sqlite: Store) -> None:
    at = Session(sqlite, run_studies(sqlite, [names(pay={"per_item": 0.14})])["names"])
    at.arrives("p").finishes()
    rows = select(payments.c.amount)
    assert at.store.read(lambda c: c.execute(rows).scalar_one()) == 28


def test_events_tell_the_story(played: Session) -> None:
    from deixis.collect.store.tables import events

    person = played.arrives("p").finishes()
    rows = select(events.c.kind).where(events.c.session_id == person.key).order_by(events.c.id)
    told = played.store.read(lambda c: list(c.execute(rows).scalars()))
    assert told[:2] == ["arrived", "phase"]
    assert told[-1] == "finished"
    assert "took on" in told


def test_visits_are_counted_by_the_schema(played: Session) -> None:
    played.arrives("p")
    n = select(func.count()).select_from(sessions)
    assert played.store.read(lambda c: c.execute(n).scalar_one()) == 1
