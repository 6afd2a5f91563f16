"""What studies of a collection hand to each other: sets of eight, and examples with their state.

A thing is made in the transaction of the answer that it comes from. The study behind takes it on
as a unit of its own: by a timer, and whenever somebody there finds nothing left to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, exists, func, insert, select, update

from deixis.collect.items.item import EXTRA, Item, Judgment, Writing, fold
from deixis.collect.store import slots
from deixis.collect.store.locks import locked
from deixis.collect.store.tables import AnyRow, arms, claims, hands, things, units
from deixis.seeds import digest


def add(
    c: Connection,
    *,
    collection: str,
    mode: str,
    kind: str,
    key: str,
    state: str,
    why: str,
    body: Mapping[str, Any],
    now: datetime,
    synset: str = "",
    split: str = "",
) -> int | None:
    """Make a thing, once for each key.

    Returns:
        Its row; None if it is there already.
    """
    known = (things.c.collection == collection) & (things.c.kind == kind) & (things.c.key == key)
    if c.execute(select(things.c.id).where(known)).first() is not None:
        return None
    values = {
        "collection": collection,
        "mode": mode,
        "kind": kind,
        "key": key,
        "synset": synset,
        "split": split,
        "state": state,
        "why": why,
        "body": dict(body),
        "at": now,
    }
    return int(c.execute(insert(things).values(values).returning(things.c.id)).scalar_one())


def find(c: Connection, collection: str, kind: str, key: str, *, lock: bool = False) -> AnyRow:
    """A thing by its key; locked, so that what two people do to it comes one after the other."""
    rows = select(things).where(
        things.c.collection == collection, things.c.kind == kind, things.c.key == key
    )
    return c.execute(locked(rows) if lock else rows).one()


def every(c: Connection, collection: str, mode: str, kind: str, within: str = "") -> list[AnyRow]:
    """All things of a kind, or those whose keys begin so, in the order in which they were made."""
    rows = select(things).where(
        things.c.collection == collection, things.c.mode == mode, things.c.kind == kind
    )
    if within:
        rows = rows.where(things.c.key.startswith(within, autoescape=True))
    return list(c.execute(rows.order_by(things.c.id)).all())


def touch(
    c: Connection, thing: int, person: int | None, study: int, role: str, said: str, now: datetime
) -> None:
    """Note who wrote or judged an example; the schema refuses a second time."""
    if person is not None:
        values = {"thing_id": thing, "person_id": person, "study_id": study, "role": role}
        c.execute(insert(hands).values(values | {"said": said, "at": now}))


def hands_of(c: Connection, thing: int) -> list[AnyRow]:
    """Who had an example in hand, in order."""
    rows = select(hands).where(hands.c.thing_id == thing).order_by(hands.c.id)
    return list(c.execute(rows).all())


def item(c: Connection, thing: AnyRow) -> Item:
    """An example with its judgments; people go by the rows of their persons."""
    body, people = thing.body, hands_of(c, thing.id)
    writer = next((str(h.person_id) for h in people if h.role == "wrote"), "nobody")
    writing = Writing(
        body["set"],
        body["number"],
        writer,
        body["sentence"],
        tuple(body["pictures"]),
        tuple(body["chosen"]),
    )
    said = [Judgment(str(h.person_id), h.said) for h in people if h.role == "judged"]
    return fold(Item(writing, body["pair"]), said, extra=extra_of(thing))


def extra_of(thing: AnyRow) -> int:
    """How many further judgments an example must have, by its split."""
    return 0 if thing.split == "train" else EXTRA


def settle(c: Connection, thing: AnyRow) -> None:
    """Write down where an example stands after all judgments."""
    made = item(c, thing)
    here = things.c.id == thing.id
    c.execute(update(things).where(here).values(state=made.state, why=made.why))


def supply(
    c: Connection,
    study: int,
    *,
    collection: str,
    kind: str,
    state: str,
    wanted: int,
    splits: tuple[str, ...] = (),
) -> int:
    """Make units of a study from things that have come to a state, and close those that left it.

    Returns:
        How many units are new.
    """
    made = 0
    for arm, mode in c.execute(select(arms.c.id, arms.c.mode).where(arms.c.study_id == study)):
        ready = (
            (things.c.collection == collection)
            & (things.c.mode == mode)
            & (things.c.kind == kind)
            & (things.c.state == state)
        )
        if splits:
            ready &= things.c.split.in_(splits)
        has = exists().where(units.c.thing_id == things.c.id, units.c.arm_id == arm)
        rows = c.execute(select(things.c.id, things.c.key).where(ready, ~has)).all()
        new = [
            {
                "arm_id": arm,
                "key": row.key,
                "rank": digest("rank", row.key) >> 33,
                "wanted": wanted,
                "taken": 0,
                "open": True,
                "thing_id": row.id,
            }
            for row in rows
        ]
        if new:
            c.execute(insert(units), new)
            slots.add_slots(c, [arm])
        still = exists().where(things.c.id == units.c.thing_id, ready)
        own = (units.c.arm_id == arm) & units.c.thing_id.is_not(None)
        c.execute(update(units).where(own, units.c.open, ~still).values(open=False))
        c.execute(update(units).where(own, ~units.c.open, still).values(open=True))
        made += len(new)
    return made


def counted(c: Connection, collection: str, mode: str, column: str) -> dict[str, dict[str, int]]:
    """How many sets of eight each split has, by synset; or examples by state, with ``state``."""
    kind, by = ("eight", things.c.split) if column == "split" else ("example", things.c.state)
    rows = (
        select(things.c.synset, by, func.count())
        .where(things.c.collection == collection, things.c.mode == mode, things.c.kind == kind)
        .group_by(things.c.synset, by)
    )
    if kind == "eight":
        rows = rows.where(things.c.state == "kept")
    found: dict[str, dict[str, int]] = {}
    for synset, name, n in c.execute(rows):
        found.setdefault(synset, {})[name] = int(n)
    return found


def forget(c: Connection, person: int | None, study: int) -> None:
    """Erase what a person of a study wrote and judged; what was judged is to be judged anew."""
    if person is None:
        return
    own = (hands.c.person_id == person) & (hands.c.study_id == study)
    rows = c.execute(select(hands.c.thing_id, hands.c.role).where(own)).all()
    wrote = [r.thing_id for r in rows if r.role == "wrote"]
    _close(c, wrote)
    for row in c.execute(select(things).where(things.c.id.in_(wrote))).all():
        body = {k: v for k, v in row.body.items() if k != "sentence"}
        gone = {"state": "dropped", "why": "erased", "body": body}
        c.execute(update(things).where(things.c.id == row.id).values(gone))
    c.execute(hands.delete().where(own))
    judged = [r.thing_id for r in rows if r.role == "judged"]
    for row in c.execute(select(things).where(things.c.id.in_(judged))).all():
        if "sentence" in row.body:
            settle(c, row)


def _close(c: Connection, wrote: Iterable[int]) -> None:
    """Nobody gets these any more, nor goes on with them."""
    which = units.c.thing_id.in_(list(wrote))
    c.execute(update(units).where(which).values(open=False))
    live = select(claims.c.id).join(units, units.c.id == claims.c.unit_id)
    held = c.execute(live.where(which, claims.c.state == "live")).scalars()
    slots.release(c, list(held), "returned")
