"""The slot ledger on both stores: counts add up, nobody gets a unit twice, balance is exact."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError
from tests.collect.small import START, Session, games, names

from deixis.collect.arriving import arrive
from deixis.collect.export.counts import slot_counts
from deixis.collect.platforms.platform import Arrival
from deixis.collect.running import run_studies
from deixis.collect.store import slots
from deixis.collect.store.engine import PostgresStore, Store
from deixis.collect.store.opening import open_store
from deixis.collect.store.sessions import session
from deixis.collect.store.tables import arms, claims, units
from deixis.collect.store.tables import slots as slot_rows

LATER = START + timedelta(minutes=10)


def claim(at: Session, key: int, cap: int = 100, until: Any = LATER) -> slots.Claim | None:
    here = at.store.read(session, key)
    return at.store.write(
        lambda c: slots.claim(
            c, study=at.running.id, session=here, cap=cap, until=until, now=at.now
        )
    )


def taken_of(at: Session) -> list[int]:
    rows = (
        select(units.c.taken)
        .join(arms, arms.c.id == units.c.arm_id)
        .where(arms.c.mode == "live", arms.c.study_id == at.running.id)
    )
    return at.store.read(lambda c: list(c.execute(rows).scalars()))


def test_a_study_has_slots_for_both_modes(named: Session) -> None:
    for mode in ("live", "test"):
        counts = named.store.read(slot_counts, named.running.id, mode)
        assert counts == {"free": 12, "leased": 0, "done": 0}


def test_the_least_served_unit_comes_first(named: Session) -> None:
    people = [named.arrives(f"p{i}") for i in range(9)]
    for n, person in enumerate(people, start=1):
        assert claim(named, person.key)
        taken = taken_of(named)
        assert sum(taken) == n
        assert max(taken) - min(taken) <= 1


def test_nobody_gets_a_unit_twice_and_the_cap_holds(named: Session) -> None:
    person = named.arrives("p")
    got = [claim(named, person.key) for _ in range(5)]
    assert len({g.unit for g in got if g}) == 4
    assert got[4] is None  # there are four tangrams
    other = named.arrives("q")
    assert [bool(claim(named, other.key, cap=2)) for _ in range(3)] == [True, True, False]


def test_the_schema_itself_forbids_a_second_claim_and_an_overfull_unit(named: Session) -> None:
    person = named.arrives("p")
    got = claim(named, person.key)
    assert got
    row = named.store.read(lambda c: c.execute(select(claims)).one())
    again = {k: v for k, v in row._mapping.items() if k != "id"}
    with pytest.raises(IntegrityError):
        named.store.write(lambda c: c.execute(insert(claims).values(again)) and None)
    with pytest.raises(IntegrityError):
        named.store.write(lambda c: c.execute(update(units).values(taken=4)) and None)
    with pytest.raises(IntegrityError):
        named.store.write(
            lambda c: c.execute(update(slot_rows).values(state="done", claim_id=None)) and None
        )


def test_leases_end_by_timer_and_at_the_next_claim(named: Session) -> None:
    first = named.arrives("p")
    got = claim(named, first.key)
    assert got
    named.later(minutes=11)
    assert named.store.write(slots.expire, named.now) == 1
    assert named.store.write(slots.expire, named.now) == 0
    assert sum(taken_of(named)) == 0
    again = claim(named, named.arrives("q").key, until=named.now + timedelta(minutes=1))
    assert again
    assert again.unit == got.unit  # free again, and first in the queue as before
    named.later(minutes=2)
    claim(named, named.arrives("r").key, until=named.now + timedelta(minutes=10))
    assert sum(taken_of(named)) == 1  # q's lease ended when r asked
    assert named.store.read(slots.faults) == []


def test_an_expired_claim_is_taken_up_again_or_counts_as_surplus(named: Session) -> None:
    person = named.arrives("p")
    got = claim(named, person.key)
    assert got
    named.later(minutes=20)
    named.store.write(slots.expire, named.now)
    until = named.now + timedelta(minutes=10)
    assert named.store.write(slots.retake, got.id, until)
    assert not named.store.write(slots.retake, got.id, until)  # it is live already
    named.later(minutes=20)
    named.store.write(slots.expire, named.now)
    until = named.now + timedelta(minutes=10)
    for i in range(12):  # others fill every slot
        assert claim(named, named.arrives(f"q{i}").key, until=until)
    assert not named.store.write(slots.retake, got.id, until)
    named.store.write(slots.complete, got.id, named.now)
    state = named.store.read(
        lambda c: c.execute(select(claims.c.state).where(claims.c.id == got.id)).scalar_one()
    )
    assert state == "surplus"
    assert sum(taken_of(named)) == 12
    assert named.store.read(slots.faults) == []


def test_topping_up_never_hands_an_item_to_the_same_person_again(named: Session) -> None:
    person = named.arrives("p")
    had = {g.unit for g in (claim(named, person.key) for _ in range(4)) if g}
    key = sorted(had)[0]
    assert named.store.write(slots.top_up, named.running.id, 50, [key]) == 1
    assert named.store.write(slots.top_up, named.running.id, 40, [key]) == 0  # more are wanted
    assert claim(named, person.key) is None
    counts = named.store.read(slot_counts, named.running.id, "live")
    assert sum(counts.values()) == 3 * 3 + 50
    assert named.store.read(slots.faults) == []


def test_faults_are_seen(named: Session) -> None:
    claim(named, named.arrives("p").key)
    assert named.store.read(slots.faults) == []
    named.store.write(lambda c: c.execute(update(units).values(taken=1)) and None)
    named.store.write(lambda c: c.execute(update(arms).values(taken=3)) and None)
    named.store.write(lambda c: c.execute(update(claims).values(state="done")) and None)
    found = " ".join(named.store.read(slots.faults))
    for word in ("unit", "arm", "slot"):
        assert f"{word} " in found


@pytest.mark.parametrize("wanted", [3])
def test_many_race_for_the_last_slots(store: Store, wanted: int) -> None:
    """40 people at once for 12 slots of two conditions: all filled, none twice, balance exact."""
    study = games(pool={"people": wanted})
    at = Session(store, run_studies(store, [study])["games"])
    people = [at.arrives(f"p{i}") for i in range(40)]
    for person in people:
        person.at = at
    start, got = threading.Barrier(40), []

    def race(key: int) -> None:
        start.wait()
        got.append(claim(at, key))

    threads = [threading.Thread(target=race, args=(p.key,)) for p in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    won = [g for g in got if g]
    assert len(got) == 40
    assert len(won) == 12
    assert Counter(g.unit for g in won) == dict.fromkeys(
        {u.key for u in at.running.plan.pool.units}, 3
    )  # type: ignore[union-attr]
    assert set(Counter(g.arm for g in won).values()) == {6}
    assert store.read(slots.faults) == []


def test_conditions_stay_within_one_while_people_race(store: Store) -> None:
    at = Session(store, run_studies(store, [games(pool={"people": 30})])["games"])
    people = [at.arrives(f"p{i}") for i in range(21)]
    start, got = threading.Barrier(21), []

    def race(key: int) -> None:
        start.wait()
        got.append(claim(at, key))

    threads = [threading.Thread(target=race, args=(p.key,)) for p in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    by_arm, by_unit = (Counter(getattr(g, a) for g in got if g) for a in ("arm", "unit"))
    assert sorted(by_arm.values()) == [10, 11]
    assert max(by_unit.values()) - min(by_unit.values()) <= 1


class Ledger(RuleBasedStateMachine):
    """Any order of claims, ends, completions, rejections and top-ups keeps the counts right."""

    template: Path

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "store.sqlite"
        shutil.copy(self.template, path)
        self.store = open_store(f"sqlite:///{path}")
        self.at = Session(self.store, run_studies(self.store, [names()])["names"])
        self.keys = [self.at.arrives(f"p{i}").key for i in range(5)]
        self.held: list[int] = []

    @rule(who=st.integers(0, 4))
    def take(self, who: int) -> None:
        got = claim(self.at, self.keys[who], cap=3, until=self.at.now + timedelta(minutes=10))
        self.held += [got.id] if got else []

    @rule(minutes=st.integers(1, 12))
    def wait(self, minutes: int) -> None:
        self.at.later(minutes=minutes)
        self.store.write(slots.expire, self.at.now)

    @rule(place=st.integers(0, 20))
    def end(self, place: int) -> None:
        if self.held:
            self.store.write(slots.complete, self.held[place % len(self.held)], self.at.now)

    @rule(place=st.integers(0, 20), state=st.sampled_from(["returned", "rejected"]))
    def give_back(self, place: int, state: str) -> None:
        if self.held:
            self.store.write(slots.release, [self.held[place % len(self.held)]], state)

    @rule(place=st.integers(0, 20))
    def come_back(self, place: int) -> None:
        if self.held:
            until = self.at.now + timedelta(minutes=10)
            self.store.write(slots.retake, self.held[place % len(self.held)], until)

    @rule(wanted=st.integers(1, 5))
    def want_more(self, wanted: int) -> None:
        self.store.write(slots.top_up, self.at.running.id, wanted)

    @invariant()
    def adds_up(self) -> None:
        if hasattr(self, "store"):
            assert self.store.read(slots.faults) == []

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()


def test_any_order_of_events_adds_up(template: Path) -> None:
    machine = type("Machine", (Ledger,), {"template": template})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=6,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@given(st.integers(1, 30))
@settings(max_examples=5, deadline=None)
def test_ranks_fit_the_column(n: int) -> None:
    from deixis.seeds import digest

    assert 0 <= digest("rank", f"key-{n}") >> 33 < 2**31


def test_a_place_is_taken_while_somebody_arrives(postgres_url: str) -> None:
    """Else two who arrive and take a place in one transaction each would wait for each other."""
    store = open_store(postgres_url)
    assert isinstance(store, PostgresStore)
    at = Session(store, run_studies(store, [games()])["games"])
    here, plan = store.read(session, at.arrives("ann").key), at.running.plan
    with store.writer.begin() as one, store.writer.begin() as two:
        arrive(two, plan, Arrival("bob", "", "bob"), "b" * 32, "live", START)
        one.exec_driver_sql("SET LOCAL lock_timeout = '2s'")
        named = {"study": at.running.id, "session": here, "cap": 9}
        assert slots.claim(one, **named, until=LATER, now=START)
    store.close()
