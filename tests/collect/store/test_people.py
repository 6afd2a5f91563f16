"""Keyed names, earlier participation, and erasing a person."""

from __future__ import annotations

from sqlalchemy import Connection, MetaData, Table, func, select
from tests.collect.small import Session, games, names

from deixis.collect.running import run_studies
from deixis.collect.store import slots
from deixis.collect.store.engine import Store
from deixis.collect.store.people import erase, find, raw_id, took_part, worker_name
from deixis.collect.store.sessions import session, study_named
from deixis.collect.store.tables import claims, metadata, payments, people, workers


def everything(c: Connection, tables: MetaData = metadata) -> str:
    """Every value of every table, as one text."""

    def rows(table: Table) -> str:
        return " ".join(repr(tuple(row)) for row in c.execute(select(table)))

    return " ".join(rows(t) for t in tables.sorted_tables)


def test_names_need_the_study_s_key() -> None:
    one = worker_name("key", "prolific", "5f1")
    assert one == worker_name("key", "prolific", "5f1")
    assert len({one, worker_name("key", "sona", "5f1"), worker_name("yek", "prolific", "5f1")}) == 3
    assert len(one) == 20


def test_the_raw_id_is_in_one_table_only(played: Session) -> None:
    played.arrives("RAW-ID-7").until("survey")
    assert played.store.read(lambda c: c.execute(select(people.c.raw)).scalars().all()) == [
        "RAW-ID-7"
    ]
    found = played.store.read(everything)
    # once in its table; and once as the platform's name of the visit, which small.py makes of it
    assert found.count("RAW-ID-7") == 2


def test_erasing_leaves_no_trace_but_money(store: Store) -> None:
    study = games(pay={"reward": 1.5, "per_right": 0.1})
    at = Session(store, run_studies(store, [study])["games"])
    person = at.arrives("RAW-ID-7").finishes()
    other = at.arrives("somebody else").finishes()
    worker = store.read(session, person.key).worker_id
    before = store.read(
        lambda c: c.execute(select(workers.c.name).order_by(workers.c.id)).scalars().all()
    )
    gone = store.write(erase, worker, at.now)
    assert gone["answer"] == 8
    assert gone["person"] == 1
    text = store.read(everything)
    assert "RAW-ID-7" not in text
    assert before[0] not in text
    assert before[1] in text
    left = store.read(lambda c: c.execute(select(payments.c.amount, payments.c.session_id)).all())
    assert sorted(r.amount for r in left) == [40, 40, 150, 150]
    assert sum(r.session_id is None for r in left) == 2
    assert store.read(slots.faults) == []
    held = select(func.count()).select_from(claims)
    assert store.read(lambda c: c.execute(held).scalar_one()) == 1
    assert other.outcome == "completed"
    assert store.read(raw_id, worker) is None


def test_a_person_of_two_studies_keeps_the_raw_id(store: Store) -> None:
    running = run_studies(store, [games(), names()])
    first, second = (Session(store, running[n]) for n in ("games", "names"))
    one = first.arrives("p")
    second.arrives("p")
    gone = store.write(erase, store.read(session, one.key).worker_id, first.now)
    assert gone["person"] == 0
    assert store.read(lambda c: c.execute(select(people.c.raw)).scalars().all()) == ["p"]


def test_finding_somebody_by_either_name(played: Session) -> None:
    person = played.arrives("RAW")
    worker = played.store.read(session, person.key).worker_id
    study = played.store.read(study_named, "games")
    assert study is not None
    name = worker_name(study.secret, "local", "RAW")
    assert played.store.read(find, "games", "RAW") == worker
    assert played.store.read(find, "games", name) == worker
    assert played.store.read(find, "games", "nobody") is None
    assert played.store.read(find, "other", "RAW") is None


def test_taking_part_means_having_taken_something_on(played: Session) -> None:
    person = played.arrives("p")
    assert played.store.read(took_part, "local", "p", ("games",)) is None
    person.until("choose_target")
    assert played.store.read(took_part, "local", "p", ("other", "games")) == "games"
    assert played.store.read(took_part, "local", "p", ()) is None
