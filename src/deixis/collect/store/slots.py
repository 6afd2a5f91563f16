"""The slot ledger: who holds which unit, and until when.

A slot is a row: free, leased, done; a claim says whose it is or was. All functions act inside the
caller's transaction. Balanced arms (conditions) are claimed one person at a time, since a count
cannot be exact and raced at once; units of a single arm are claimed side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, exists, func, insert, select, update

from deixis.collect.pools.pool import Pool
from deixis.collect.store.locks import locked
from deixis.collect.store.tables import (
    MODES,
    AnyRow,
    arms,
    claims,
    hands,
    sessions,
    slots,
    studies,
    units,
    workers,
)
from deixis.seeds import digest

HELD = ("live", "done")
"""States of claims that hold a slot."""

COUNTED = (*HELD, "surplus")
"""States of claims that count for the most that one person may do."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A unit that somebody has taken on."""

    id: int
    unit: str
    arm: str


def install(c: Connection, study: int, pool: Pool) -> None:
    """Make arms, units and slots of a pool, or bring them to its present state.

    Slots are added where more are wanted and never taken away; units that are no longer in the
    pool are closed: what was done stays, nobody gets them anew. Units of things that other studies
    make are left alone, see `deixis.collect.store.things`.
    """
    for mode in MODES:
        known = _arms(c, study, pool, mode)
        rows = select(units.c.id, units.c.arm_id, units.c.key, units.c.wanted).where(
            units.c.arm_id.in_(list(known.values())), units.c.thing_id.is_(None)
        )
        before = {(r.arm_id, r.key): r for r in c.execute(rows)}
        wanted = {(known[u.arm], u.key): u for u in pool.units}
        new = [
            {"arm_id": arm, "key": key, "rank": digest("rank", key) >> 33, "wanted": u.wanted}
            for (arm, key), u in wanted.items()
            if (arm, key) not in before
        ]
        if new:
            c.execute(insert(units), [row | {"taken": 0, "open": True} for row in new])
        for key, row in before.items():
            here = key in wanted
            n = max(row.wanted, wanted[key].wanted) if here else row.wanted
            c.execute(update(units).where(units.c.id == row.id).values(open=here, wanted=n))
        add_slots(c, list(known.values()))


def _arms(c: Connection, study: int, pool: Pool, mode: str) -> dict[str, int]:
    rows = select(arms.c.name, arms.c.id).where(arms.c.study_id == study, arms.c.mode == mode)
    known = {row.name: row.id for row in c.execute(rows)}
    for name, condition in pool.arms.items():
        if name not in known:
            values = {"study_id": study, "mode": mode, "name": name, "condition": condition}
            known[name] = c.execute(
                insert(arms).values(values | {"taken": 0}).returning(arms.c.id)
            ).scalar_one()
    return known


def add_slots(c: Connection, within: list[int]) -> None:
    """As many slots as are wanted of each unit of these arms."""
    count = func.count(slots.c.id)
    rows = (
        select(units.c.id, units.c.wanted, count.label("n"))
        .outerjoin(slots, slots.c.unit_id == units.c.id)
        .where(units.c.arm_id.in_(within))
        .group_by(units.c.id, units.c.wanted)
        .having(count < units.c.wanted)
    )
    missing = [
        {"unit_id": unit, "number": number, "state": "free", "claim_id": None}
        for unit, wanted, n in c.execute(rows).all()
        for number in range(n + 1, wanted + 1)
    ]
    if missing:
        c.execute(insert(slots), missing)


def top_up(c: Connection, study: int, wanted: int, keys: list[str] | None = None) -> int:
    """Want more answers: of some units, or of all; those who had a unit do not get it again.

    Returns:
        How many units now want more.
    """
    within = select(arms.c.id).where(arms.c.study_id == study, arms.c.mode == "live")
    which = units.c.arm_id.in_(within) & (units.c.wanted < wanted)
    if keys is not None:
        which &= units.c.key.in_(keys)
    changed = c.execute(update(units).where(which).values(wanted=wanted)).rowcount
    add_slots(c, list(c.execute(within).scalars()))
    return changed


def claim(
    c: Connection, *, study: int, session: AnyRow, cap: int, until: datetime, now: datetime
) -> Claim | None:
    """Take on a unit: the least served, of the least served arm, that this person never had.

    Args:
        c: inside a transaction.
        study: its row.
        session: the row of who asks.
        cap: how many units one person may take on.
        until: when the lease ends.
        now: the time.

    Returns:
        None if nothing is left for this person.
    """
    several = select(func.count()).where(arms.c.study_id == study, arms.c.mode == session.mode)
    balanced = c.execute(several).scalar_one() > 1
    if balanced:
        c.execute(locked(select(studies.c.id).where(studies.c.id == study)))
    expire(c, now, study)
    had = select(workers.c.workload).where(workers.c.id == session.worker_id)
    if c.execute(had).scalar_one() >= cap:
        return None
    unit = _free_unit(c, study, session, balanced)
    if unit is None:
        return None
    free = select(slots.c.id).where(slots.c.unit_id == unit.id, slots.c.state == "free")
    slot = c.execute(locked(free.order_by(slots.c.number).limit(1))).scalar_one()
    values = {
        "unit_id": unit.id,
        "session_id": session.id,
        "worker_id": session.worker_id,
        "state": "live",
        "leased_at": now,
        "until": until,
    }
    made = c.execute(insert(claims).values(values).returning(claims.c.id)).scalar_one()
    _take(c, slot, made, unit.id, session.worker_id)
    return Claim(made, unit.key, unit.arm)


def _free_unit(c: Connection, study: int, session: AnyRow, balanced: bool) -> AnyRow | None:
    """The unit to take on, locked; without balance, one that nobody else is claiming just now."""
    had = exists().where(claims.c.unit_id == units.c.id, claims.c.worker_id == session.worker_id)
    person = select(workers.c.person_id).where(workers.c.id == session.worker_id).scalar_subquery()
    touched = exists().where(hands.c.thing_id == units.c.thing_id, hands.c.person_id == person)
    free = (
        select(units.c.id, units.c.key, arms.c.name.label("arm"))
        .join(arms, arms.c.id == units.c.arm_id)
        .where(
            arms.c.study_id == study,
            arms.c.mode == session.mode,
            units.c.open,
            units.c.taken < units.c.wanted,
            ~had,
            ~touched,
        )
        .order_by(arms.c.taken, units.c.taken, units.c.rank)
        .limit(1)
    )
    if not balanced:
        found = c.execute(locked(free, of=units, skip=True)).one_or_none()
        if found is not None:
            return found
    return c.execute(locked(free, of=units)).one_or_none()


def _take(c: Connection, slot: int, claim_id: int, unit: int, worker: int) -> None:
    c.execute(update(slots).where(slots.c.id == slot).values(state="leased", claim_id=claim_id))
    _count_unit(c, unit, 1)
    _count_worker(c, worker, 1)


def _count_unit(c: Connection, unit: int, by: int) -> None:
    c.execute(update(units).where(units.c.id == unit).values(taken=units.c.taken + by))
    arm = select(units.c.arm_id).where(units.c.id == unit).scalar_subquery()
    c.execute(update(arms).where(arms.c.id == arm).values(taken=arms.c.taken + by))


def _count_worker(c: Connection, worker: int, by: int) -> None:
    c.execute(
        update(workers).where(workers.c.id == worker).values(workload=workers.c.workload + by)
    )


def renew(c: Connection, session: int, until: datetime, now: datetime) -> None:
    """Keep what a session holds for longer: it has been heard; what has lapsed stays lapsed."""
    live = (claims.c.session_id == session) & (claims.c.state == "live") & (claims.c.until >= now)
    c.execute(update(claims).where(live).values(until=until))


def retake(c: Connection, claim_id: int, until: datetime) -> bool:
    """Take an expired claim up again, if its unit still has a free slot.

    Returns:
        Whether it has one; the claim is live again then.
    """
    row = c.execute(locked(select(claims).where(claims.c.id == claim_id))).one()
    unit = c.execute(locked(select(units).where(units.c.id == row.unit_id))).one()
    if row.state != "expired" or unit.taken >= unit.wanted:
        return False
    slot = c.execute(
        select(slots.c.id)
        .where(slots.c.unit_id == row.unit_id, slots.c.state == "free")
        .order_by(slots.c.number)
        .limit(1)
    ).scalar_one()
    c.execute(update(claims).where(claims.c.id == claim_id).values(state="live", until=until))
    _take(c, slot, claim_id, row.unit_id, row.worker_id)
    return True


def complete(c: Connection, claim_id: int, now: datetime) -> None:
    """Everything of a claim is answered: its slot is done.

    A claim whose slot went to somebody else meanwhile is surplus: kept, and counted apart.
    """
    row = c.execute(locked(select(claims).where(claims.c.id == claim_id))).one()
    if row.state == "live":
        c.execute(update(slots).where(slots.c.claim_id == claim_id).values(state="done"))
    elif row.state == "expired":
        _count_worker(c, row.worker_id, 1)
    else:  # it has ended already, one way or another
        return
    end = "done" if row.state == "live" else "surplus"
    c.execute(update(claims).where(claims.c.id == claim_id).values(state=end, done_at=now))


def release(c: Connection, claim_ids: list[int], state: str) -> None:
    """Give slots back: `state` says why (expired, returned, rejected)."""
    for claim_id in claim_ids:
        row = c.execute(locked(select(claims).where(claims.c.id == claim_id))).one()
        if row.state in HELD:
            own = slots.c.claim_id == claim_id
            c.execute(update(slots).where(own).values(state="free", claim_id=None))
            _count_unit(c, row.unit_id, -1)
        if row.state in COUNTED:
            _count_worker(c, row.worker_id, -1)
        c.execute(update(claims).where(claims.c.id == claim_id).values(state=state))


def expire(c: Connection, now: datetime, study: int | None = None) -> int:
    """Give back what nobody was heard of in time; called by a timer and before each claim.

    Returns:
        How many leases ended.
    """
    lapsed = (
        select(claims.c.id)
        .where(claims.c.state == "live", claims.c.until < now)
        .order_by(claims.c.id)
    )
    if study is not None:
        lapsed = lapsed.join(sessions, sessions.c.id == claims.c.session_id).where(
            sessions.c.study_id == study
        )
    over = list(c.execute(locked(lapsed, of=claims, skip=True)).scalars())
    release(c, over, "expired")
    return len(over)


def faults(c: Connection) -> list[str]:
    """Sentences on counts that do not add up; empty as long as all is well."""
    found = []
    held = select(slots.c.unit_id, func.count().label("n")).where(slots.c.state != "free")
    per_unit = held.group_by(slots.c.unit_id).subquery()
    rows = (
        select(units.c.id, units.c.taken, func.coalesce(per_unit.c.n, 0))
        .outerjoin(per_unit, per_unit.c.unit_id == units.c.id)
        .where(units.c.taken != func.coalesce(per_unit.c.n, 0))
    )
    found += [f"unit {i} counts {t} slots as taken, it has {n}" for i, t, n in c.execute(rows)]
    per_arm = select(units.c.arm_id, func.sum(units.c.taken).label("n")).group_by(units.c.arm_id)
    sums = per_arm.subquery()
    rows = (
        select(arms.c.id, arms.c.taken, func.coalesce(sums.c.n, 0))
        .outerjoin(sums, sums.c.arm_id == arms.c.id)
        .where(arms.c.taken != func.coalesce(sums.c.n, 0))
    )
    found += [f"arm {i} counts {t} slots as taken, its units {n}" for i, t, n in c.execute(rows)]
    own = select(claims.c.worker_id, func.count().label("n")).where(claims.c.state.in_(COUNTED))
    per_worker = own.group_by(claims.c.worker_id).subquery()
    rows = (
        select(workers.c.id, workers.c.workload, func.coalesce(per_worker.c.n, 0))
        .outerjoin(per_worker, per_worker.c.worker_id == workers.c.id)
        .where(workers.c.workload != func.coalesce(per_worker.c.n, 0))
    )
    found += [f"worker {i} counts {t} items, the claims {n}" for i, t, n in c.execute(rows)]
    rows = (
        select(slots.c.id, slots.c.state, claims.c.state)
        .join(claims, claims.c.id == slots.c.claim_id)
        .where(
            ((slots.c.state == "leased") & (claims.c.state != "live"))
            | ((slots.c.state == "done") & (claims.c.state != "done"))
        )
    )
    found += [f"slot {i} is {s}, its claim {k}" for i, s, k in c.execute(rows)]
    lost = (
        select(func.count())
        .select_from(claims)
        .where(claims.c.state.in_(HELD), ~exists().where(slots.c.claim_id == claims.c.id))
    )
    without = c.execute(lost).scalar_one()
    return [*found, f"{without} claims hold no slot"] if without else found
