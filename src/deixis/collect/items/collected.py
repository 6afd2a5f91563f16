"""What studies of one collection have made, gathered from the store for a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, func, select

from deixis.collect.items.item import Item, Judgment
from deixis.collect.items.release import ENDS, Collected, Eight
from deixis.collect.items.workers import Paid, cost_table
from deixis.collect.pictures.gathered import Gathered
from deixis.collect.pictures.ledger import Ledger
from deixis.collect.pools.pairs import PairsOfPictures
from deixis.collect.running import Running
from deixis.collect.store import things
from deixis.collect.store.slots import COUNTED
from deixis.collect.store.tables import claims, hands, payments, readings, sessions, workers
from deixis.collect.store.tables import things as rows_of_things
from deixis.errors import BadInput

TASKS = {
    "rate": "image pruning",
    "write": "sentence writing",
    "judge": "validation",
    "again": "validation",
}
"""What the table of costs calls each stage."""


@dataclass(frozen=True)
class Collection:
    """Studies that hand things to each other.

    Attributes:
        name: of the collection.
        gathered: its pictures.
        studies: one or more for each stage.
    """

    name: str
    gathered: Gathered
    studies: tuple[Running, ...]


def collection(studies: Sequence[Running]) -> Collection:
    """The collection of some studies.

    Raises:
        BadInput: one is no stage of a collection, or they are of several.
    """
    pools = []
    for running in studies:
        pool = running.plan.pool
        if not isinstance(pool, PairsOfPictures):
            raise BadInput(f"{running.study.name}: its pool is not of kind pairs")
        pools.append(pool)
    names = {p.collection for p in pools}
    if len(names) != 1:
        raise BadInput(f"expected studies of one collection, got {len(names)}")
    return Collection(names.pop(), pools[0].gathered, tuple(studies))


def collected(c: Connection, made: Collection, mode: str = "live") -> Collected:
    """Everything that a release is made of, of one state of the store.

    People go by numbers, in the order in which they first wrote or judged.
    """
    ledger = Ledger(made.gathered.folder / "ledger.jsonl")
    ledger = _copy(ledger)
    numbers = _numbers(c, made.name, mode)
    eights, splits = {}, {}
    for row in things.every(c, made.name, mode, "eight"):
        body = row.body
        ledger.add("rate", "set", body["query"], row.state == "kept", row.why)
        if row.state == "kept":
            key = body["set"]
            eights[key] = Eight(key, row.synset, body["query"], tuple(body["pictures"]))
            splits[key] = row.split
    items = []
    for row in things.every(c, made.name, mode, "example"):
        if "sentence" not in row.body or row.why == "repeated":
            ledger.add("write", "example", row.key, False, row.why)
            continue
        item = _renamed(things.item(c, row), numbers)
        why = item.why if item.state in ENDS else "not judged to its end"
        ledger.add("validate", "example", item.id, item.state == "kept", why)
        items.append(item)
    for which, keeps, why in _read(c, made, mode):
        ledger.add("round", "sentence", which, keeps, why)
    kept = [i for i in items if i.state == "kept"]
    sentences = len({(i.writing.set, i.writing.number) for i in kept})
    costs = cost_table(paid(c, made, mode), sentences, len(kept))
    photos = made.gathered.photos
    return Collected(made.name, eights, photos, items, splits, ledger, costs)


def contents(made: Collection) -> Mapping[str, bytes]:
    """The files of all pictures by key."""
    return {key: made.gathered.content(key) for key in made.gathered.photos}


def paid(c: Connection, made: Collection, mode: str = "live") -> Iterator[Paid]:
    """What went to whom for which work; for simulations what would have gone."""
    for running in made.studies:
        stage = running.plan.pool.stage if isinstance(running.plan.pool, PairsOfPictures) else ""
        rows = _ledger(c, running) if mode == "live" else _would_be(c, running)
        for person, amount in rows:
            yield Paid(TASKS[stage], person, amount)


def _ledger(c: Connection, running: Running) -> Iterator[tuple[str, Decimal]]:
    rows = (
        select(workers.c.person_id, workers.c.name, func.sum(payments.c.amount))
        .join(workers, workers.c.id == payments.c.worker_id)
        .where(payments.c.study_id == running.id, payments.c.state != "cancelled")
        .group_by(workers.c.person_id, workers.c.name)
    )
    for person, name, amount in c.execute(rows):
        yield str(person or name), Decimal(int(amount)) / 100


def _would_be(c: Connection, running: Running) -> Iterator[tuple[str, Decimal]]:
    pay = running.study.pay
    own = (sessions.c.study_id == running.id) & (sessions.c.mode == "test")
    rows = (
        select(workers.c.person_id, workers.c.name, func.count(claims.c.id))
        .select_from(sessions.join(workers, workers.c.id == sessions.c.worker_id))
        .outerjoin(claims, (claims.c.session_id == sessions.c.id) & claims.c.state.in_(COUNTED))
        .where(own, sessions.c.outcome == "completed")
        .group_by(workers.c.person_id, workers.c.name, sessions.c.id)
    )
    for person, name, n in c.execute(rows):
        amount = pay.reward + pay.per_item * n
        if amount:
            yield str(person or name), amount


def _numbers(c: Connection, name: str, mode: str) -> dict[str, str]:
    rows = (
        select(hands.c.person_id, func.min(hands.c.id).label("first"))
        .join(rows_of_things, rows_of_things.c.id == hands.c.thing_id)
        .where(rows_of_things.c.collection == name, rows_of_things.c.mode == mode)
        .group_by(hands.c.person_id)
        .order_by("first")
    )
    return {str(person): str(n) for n, (person, _) in enumerate(c.execute(rows))}


def _renamed(item: Item, numbers: Mapping[str, str]) -> Item:
    writing = replace(item.writing, writer=numbers.get(item.writing.writer, "nobody"))
    said = tuple(Judgment(numbers[j.worker], j.verdict) for j in item.judgments)
    return replace(item, writing=writing, judgments=said)


def _read(c: Connection, made: Collection, mode: str) -> list[tuple[str, bool, str]]:
    """Sentences that were read by hand: which, whether they keep to the rules, and why not."""
    own = readings.c.study_id.in_([r.id for r in made.studies])
    rows = (
        select(readings.c.id, readings.c.round, readings.c.keeps, readings.c.rule)
        .join(workers, workers.c.id == readings.c.worker_id)
        .where(own, readings.c.keeps.is_not(None), workers.c.mode == mode)
        .order_by(readings.c.id)
    )
    return [
        (
            f"round {r.round}, reading {r.id}",
            r.keeps,
            "keeps to the guidelines" if r.keeps else r.rule,
        )
        for r in c.execute(rows)
    ]


def _copy(ledger: Ledger) -> Ledger:
    """The same decisions, kept in memory."""
    made = Ledger()
    made.decisions = list(ledger.decisions)
    return made


def summary(made: Collected) -> dict[str, Any]:
    """How many examples there are by state, and why they were dropped."""
    found: dict[str, int] = {}
    for item in made.items:
        name = item.state if item.state in ("written", "validated") else f"{item.state}: {item.why}"
        found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items()))
