"""Prolific's state and ours, brought together through every fault; no bonus is paid twice."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.collect.platforms.fake_prolific import FAULTS
from tests.collect.platforms.rig import Rig
from tests.collect.small import QUIZ, Person, Session

from deixis.collect.clock import now
from deixis.collect.export.counts import counts, faults
from deixis.collect.platforms.platform import Arrival
from deixis.collect.platforms.prolific import sync
from deixis.collect.platforms.prolific.client import Client, Failed, Unknown
from deixis.collect.store import money
from deixis.collect.store.people import erase
from deixis.collect.store.tables import payments
from deixis.errors import BadInput

WORDS = "The answers show that the instructions were not read at all; " * 2


def look(rig: Rig) -> sync.Told:
    return sync.reconcile(rig.at.store, rig.at.running, rig.client)


def free(rig: Rig) -> int:
    n: int = rig.at.store.read(counts, rig.at.running.id, "live")["slots"]["free"]
    return n


def sound(rig: Rig) -> bool:
    return rig.at.store.read(faults, rig.at.running.id, "live") == []


def test_what_is_approved_there_is_paid_here(rig: Rig) -> None:
    person, key = rig.completes("ada")
    assert rig.owed(person) == {"reward": (150, "planned"), "bonus": (5, "planned")}
    rig.fake.submissions[key]["status"] = "APPROVED"
    told = look(rig)
    assert told.seen == 1
    assert told.changed == [(person.key, "approved: the reward is paid")]
    assert rig.owed(person)["reward"] == (150, "confirmed")
    assert rig.here(person).platform_status == "APPROVED"
    assert look(rig).changed == []  # the same again changes nothing


@pytest.mark.parametrize("status", sync.OVER)
def test_whoever_is_gone_there_gives_the_place_back_here(rig: Rig, status: str) -> None:
    going, key = rig.comes("ada")
    going.until("choose_target")
    done, other = rig.completes("eve")
    assert free(rig) == 6
    for one in (key, other):
        rig.fake.submissions[one]["status"] = status
    look(rig)
    assert free(rig) == 8
    assert going.outcome == "returned"
    assert rig.owed(done)["reward"] == (150, "cancelled")
    assert sound(rig)
    again, _ = rig.completes("ida")  # the place is given anew
    assert again.outcome == "completed"


def test_people_who_never_came_are_named(rig: Rig) -> None:
    key = rig.fake.submit("ghost")
    assert look(rig).strangers == [key]
    assert sound(rig)


def test_handed_in_before_the_end(rig: Rig) -> None:
    person, key = rig.comes("ada")
    rig.fake.submissions[key]["status"] = "AWAITING REVIEW"
    assert look(rig).changed == [(person.key, "handed in before the end: please look")]
    assert person.outcome is None


def test_a_silent_platform_changes_nothing(rig: Rig) -> None:
    person, key = rig.completes("ada")
    rig.fake.submissions[key]["status"] = "APPROVED"
    rig.fake.break_next("submissions", *["lost before"] * 4)
    with pytest.raises(Unknown):
        look(rig)
    assert rig.owed(person)["reward"] == (150, "planned")
    look(rig)
    assert rig.owed(person)["reward"] == (150, "confirmed")


def approve(rig: Rig, person: Person) -> str:
    return sync.approve(rig.at.store, rig.at.running, rig.client, person.key)


@pytest.mark.parametrize("fault", ["", *FAULTS])
def test_approving_through_every_fault(small_rig: Rig, fault: str) -> None:
    rig = small_rig
    person, key = rig.completes("ada")
    if fault:
        rig.fake.break_next("transition", fault)
    said = approve(rig, person)
    assert said.startswith("not known" if fault else "approved")
    done = rig.fake.submissions[key]["status"] == "APPROVED"
    assert rig.owed(person)["reward"] == (150, "unknown" if fault else "sent")
    look(rig)
    assert rig.owed(person)["reward"] == (150, "confirmed" if done else "unknown")


def test_approving_twice_is_refused_there_and_changes_nothing_here(rig: Rig) -> None:
    person, _ = rig.completes("ada")
    approve(rig, person)
    look(rig)
    assert approve(rig, person).startswith("nothing was done: Prolific answered 400")
    assert rig.owed(person)["reward"] == (150, "confirmed")


def reject(rig: Rig, person: Person, words: str = WORDS) -> str:
    store, running = rig.at.store, rig.at.running
    return sync.reject(store, running, rig.client, person.key, words, "LOW_EFFORT")


def test_rejecting(rig: Rig) -> None:
    person, key = rig.completes("ada")
    with pytest.raises(BadInput, match="100 characters"):
        reject(rig, person, "no")
    rig.fake.break_next("transition", "lost after")
    assert reject(rig, person).startswith("not known")
    assert rig.owed(person)["reward"] == (150, "planned")
    look(rig)
    assert rig.owed(person)["reward"] == (150, "cancelled")
    assert rig.fake.submissions[key]["status"] == "REJECTED"
    other, _ = rig.completes("eve")
    assert reject(rig, other) == "rejected"
    assert free(rig) == 8
    with pytest.raises(Failed):
        reject(rig, other)
    assert sound(rig)


WRONG = {q["id"]: 1 - q["answer"] for q in QUIZ["trials"][0]["questions"]}  # type: ignore[index]


def fails_the_quiz(rig: Rig, name: str) -> Person:
    person, _ = rig.comes(name)
    person.until("quiz")
    while person.outcome is None:
        person.answers({"answers": WRONG})
    assert person.outcome == "failed_quiz"
    return person


@pytest.mark.parametrize("fault", ["", "lost after", "500 before"])
def test_screening_out_pays_once(rig: Rig, fault: str) -> None:
    person = fails_the_quiz(rig, "ada")
    assert rig.owed(person) == {"screened": (20, "planned")}
    if fault:
        rig.fake.break_next("screen-out", fault)
    call = (rig.at.store, rig.at.running, rig.client, person.key)
    said = sync.screen_out(*call)
    assert said.startswith("not known" if fault else "screened out")
    assert sync.screen_out(*call) == "nothing is owed"  # what may have been paid is not sent again
    look(rig)
    paid = fault != "500 before"
    assert rig.fake.paid["ada"] == (20 if paid else 0)
    assert rig.owed(person)["screened"] == (20, "confirmed" if paid else "unknown")


def pay(rig: Rig) -> str:
    return sync.pay_bonuses(rig.at.store, rig.at.running, rig.client)


def test_bonuses_are_paid_in_one_list(rig: Rig) -> None:
    one, _ = rig.completes("ada")
    two, _ = rig.completes("eve")
    rig.completes("kim")
    erased = rig.here(rig.completes("ida")[0])
    rig.at.store.write(erase, erased.worker_id, now())
    assert pay(rig) == "3 bonuses paid"
    assert rig.fake.paid == {"ada": 5, "eve": 5, "kim": 5}
    assert len(rig.fake.bulks) == 1
    assert rig.owed(one)["bonus"] == rig.owed(two)["bonus"] == (5, "confirmed")
    assert pay(rig) == "no bonus can be paid: the people were erased"
    assert rig.fake.paid.total() == 15


def test_no_bonus_no_list(rig: Rig) -> None:
    assert pay(rig) == "no bonus is planned"
    assert rig.fake.asked == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_list_that_was_only_written_has_paid_nothing(small_rig: Rig, fault: str) -> None:
    rig = small_rig
    person, _ = rig.completes("ada")
    rig.fake.break_next("bonus-payments/", fault)
    assert pay(rig).startswith("nothing was paid")
    assert rig.owed(person)["bonus"] == (5, "planned")
    assert pay(rig) == "1 bonuses paid"
    assert rig.fake.paid["ada"] == 5


@pytest.mark.parametrize("fault", FAULTS)
def test_a_payment_whose_fate_is_unknown_is_never_sent_again(small_rig: Rig, fault: str) -> None:
    rig = small_rig
    person, _ = rig.completes("ada")
    rig.fake.break_next("/pay/", fault)
    assert pay(rig).startswith("not known whether it was done")
    assert rig.owed(person)["bonus"] == (5, "unknown")
    assert pay(rig) == "no bonus is planned"
    assert rig.fake.paid["ada"] == (0 if fault.endswith("before") or fault == "429" else 5)


def test_a_refused_payment_stays_planned(rig: Rig) -> None:
    person, _ = rig.completes("ada")
    rig.client = Client(rig.fake.url, "wrong", timeout=1, pause=0.001)
    assert pay(rig).startswith("nothing was paid: Prolific answered 401")
    assert rig.owed(person)["bonus"] == (5, "planned")
    rig.client.close()


def test_two_who_pay_at_once_pay_once(rig: Rig) -> None:
    for i in range(4):
        rig.completes(f"p{i}")
    together, said = threading.Barrier(4), []

    def go() -> None:
        together.wait()
        said.append(pay(rig))

    threads = [threading.Thread(target=go) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for _ in range(3):  # whoever met another one gave up: nothing was paid then
        pay(rig)
    assert rig.fake.paid == {f"p{i}": 5 for i in range(4)}, said


def test_a_server_that_dies_while_paying(rig: Rig) -> None:
    """The rows say sent, nobody says what came of it: after a while it counts as unknown."""
    person, _ = rig.completes("ada")
    own = payments.c.kind == "bonus"
    (row,) = rig.at.store.read(lambda c: c.execute(payments.select().where(own)).all())
    rig.at.store.write(money.move, row.id, "sent", now())
    assert rig.at.store.write(money.forgotten, rig.at.running.id, now()) == 0
    late = now() + money.PATIENCE + timedelta(seconds=1)
    assert rig.at.store.write(money.forgotten, rig.at.running.id, late) == 1
    assert rig.owed(person)["bonus"] == (5, "unknown")
    assert pay(rig) == "no bonus is planned"


STEPS = st.one_of(
    st.tuples(st.just("plan"), st.just("")),
    st.tuples(st.just("pay"), st.sampled_from(["", *FAULTS, "prepare"])),
    st.tuples(st.just("look"), st.sampled_from(["", "lost after", "500 before"])),
    st.tuples(st.just("late"), st.just("")),
)


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(plan=st.lists(STEPS, min_size=4, max_size=14))
def test_no_sequence_of_faults_pays_a_bonus_twice(
    small_rig: Rig, plan: list[tuple[str, str]]
) -> None:
    """Amounts are powers of three, so what was paid says which bonus was paid how often."""
    rig = small_rig
    name = f"p{len(rig.fake.submissions)}"
    here = rig.here(rig.comes(name)[0])
    planned: list[int] = []
    for step, fault in plan:
        if step == "plan" and len(planned) < 9:
            planned.append(_plan(rig, here, len(planned)))
        elif step == "pay":
            if fault:
                part = "bonus-payments/" if fault == "prepare" else "/pay/"
                rig.fake.break_next(part, "500 before" if fault == "prepare" else fault)
            pay(rig)
        elif step == "look":
            if fault:
                rig.fake.break_next("submissions/?", fault)
            look(rig)
        else:
            late = now() + money.PATIENCE + timedelta(seconds=1)
            rig.at.store.write(money.forgotten, rig.at.running.id, late)
        rig.fake.faults.clear()
        digits = [rig.fake.paid[name] // 3**i % 3 for i in range(len(planned))]
        for times, state in zip(digits, _states(rig, planned), strict=True):
            assert times <= 1
            assert times == {"planned": 0, "confirmed": 1}.get(state, times)


def _plan(rig: Rig, here: object, i: int) -> int:
    made = rig.at.store.write(
        lambda c: money.plan(
            c,
            session=here,  # type: ignore[arg-type]
            kind="bonus",
            reason=f"reason {i}",
            amount=3**i,
            currency="GBP",
            now=now(),
        )
    )
    assert made is not None
    return made


def _states(rig: Rig, keys: list[int]) -> list[str]:
    rows = payments.select().where(payments.c.id.in_(keys)).order_by(payments.c.id)
    return [row.state for row in rig.at.store.read(lambda c: c.execute(rows).all())]


def test_only_visits_from_prolific_are_settled_there(rig: Rig, named: Session) -> None:
    stranger = rig.at.arrives(given=Arrival("walks in", "", ""))
    with pytest.raises(BadInput, match="did not come from Prolific"):
        approve(rig, stranger)
    with pytest.raises(BadInput, match="names no study on Prolific"):
        look(Rig(named, rig.fake, rig.client))
