"""What a person gets next. Everything is decided here, in the store's transaction.

A session walks through the phases of its study. Entering a phase makes its steps; a step is open,
then done; when none is open, the next phase begins, or the session is finished.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, bindparam, exists, func, insert, select, update

from deixis.collect.plan import Plan
from deixis.collect.pools.pool import Line
from deixis.collect.store import slots
from deixis.collect.store.events import note
from deixis.collect.store.money import minor
from deixis.collect.store.money import plan as plan_payment
from deixis.collect.store.sessions import change, session
from deixis.collect.store.tables import AnyRow, answers, arms, claims, sessions, steps, units
from deixis.collect.study import Phase

_OPEN = (
    select(steps)
    .where(steps.c.session_id == bindparam("key"), steps.c.state == "open")
    .order_by(steps.c.position)
    .limit(1)
)


def advance(c: Connection, plan: Plan, key: int, now: datetime) -> None:
    """Go on until there is an open step that may be answered, or an outcome.

    Args:
        c: inside a transaction that holds the session's lock.
        plan: of its study.
        key: the session.
        now: the time.
    """
    while (here := session(c, key)).outcome is None:
        step = open_step(c, key)
        if step is not None and _holds(c, plan, here, step, now):
            if step.shown_at is None:
                c.execute(update(steps).where(steps.c.id == step.id).values(shown_at=now))
            return
        if step is None and not _another(c, plan, here, now):
            _enter_next(c, plan, here, now)


def open_step(c: Connection, key: int) -> AnyRow | None:
    """The session's first open step."""
    return c.execute(_OPEN, {"key": key}).one_or_none()


def lease(plan: Plan, now: datetime) -> datetime:
    """Until when a place is kept for somebody heard now."""
    return now + timedelta(minutes=plan.study.caps.minutes)


def after_final(c: Connection, plan: Plan, here: AnyRow, step: AnyRow, now: datetime) -> None:
    """A step has its final answer: is its unit done, and what comes next?"""
    unit_done = step.claim_id is not None and plan.phases[step.phase].use == "pool"
    if unit_done:
        left = exists().where(steps.c.claim_id == step.claim_id, steps.c.state != "done")
        if not c.execute(select(left)).scalar_one():
            slots.complete(c, step.claim_id, now)
            if isinstance(plan.pool, Line):
                plan.pool.done(c, step.claim_id, now)
    advance(c, plan, here.id, now)


def finish(c: Connection, plan: Plan, here: AnyRow, outcome: str, now: datetime) -> None:
    """End a session: give back what it holds, and write down what is owed."""
    change(c, here.id, outcome=outcome, finished_at=now)
    held = select(claims.c.id).where(claims.c.session_id == here.id, claims.c.state == "live")
    slots.release(c, list(c.execute(held).scalars()), "returned")
    note(c, here.study_id, here.id, "finished", now, outcome=outcome)
    if here.mode == "live":
        _owe(c, plan, here, outcome, now)


def _owe(c: Connection, plan: Plan, here: AnyRow, outcome: str, now: datetime) -> None:
    pay = plan.study.pay
    owed: list[tuple[str, str, int]] = []
    if outcome == "completed":
        done = ("done", "surplus")
        items = _count(c, claims.c.session_id == here.id, claims.c.state.in_(done))
        reward = {"nothing": Decimal(0), "waited": pay.waited}.get(_talked(c, here), pay.reward)
        owed.append(("reward", "reward", minor(reward + pay.per_item * items)))
        owed.append(("bonus", "right answers", minor(pay.per_right * _right(c, plan, here))))
    elif outcome in ("not_eligible", "failed_quiz"):
        owed.append(("screened", "screened out", minor(pay.screened)))
    for kind, reason, amount in owed:
        plan_payment(
            c,
            session=here,
            kind=kind,
            reason=f"{reason}, visit {here.visit}",
            amount=amount,
            currency=pay.currency,
            now=now,
        )


def _talked(c: Connection, here: AnyRow) -> str:
    """What the session's live dialogs are owed for: the least of them; empty if there were none."""
    rows = (
        select(answers.c.detail)
        .join(steps, steps.c.id == answers.c.step_id)
        .where(answers.c.session_id == here.id, answers.c.final, steps.c.type == "dialog")
    )
    owed = {detail["owed"] for detail in c.execute(rows).scalars()}
    return next((o for o in ("nothing", "waited", "stayed", "all") if o in owed), "")


def _right(c: Connection, plan: Plan, here: AnyRow) -> int:
    """Right choices among the pool's trials; catch trials are not paid for."""
    pooled = [p.name for p in plan.study.phases if p.use == "pool"]
    rows = (
        select(func.count())
        .select_from(answers.join(steps, steps.c.id == answers.c.step_id))
        .where(
            answers.c.session_id == here.id,
            answers.c.final,
            answers.c.right,
            steps.c.phase.in_(pooled),
            ~steps.c.key.like("catch/%"),
        )
    )
    return int(c.execute(rows).scalar_one())


def _count(c: Connection, *where: Any) -> int:
    return int(c.execute(select(func.count()).where(*where)).scalar_one())


def _holds(c: Connection, plan: Plan, here: AnyRow, step: AnyRow, now: datetime) -> bool:
    """Whether the step may still be answered.

    If its place is gone and nothing of it was done, its steps are dropped, so that another place is
    looked for.
    """
    if step.claim_id is None:
        return True
    held = c.execute(select(claims).where(claims.c.id == step.claim_id)).one()
    if held.state == "live" and held.until >= now:
        return True
    if held.state == "live":
        slots.release(c, [held.id], "expired")
    if slots.retake(c, held.id, lease(plan, now)):
        note(c, here.study_id, here.id, "came back", now)
        return True
    own = steps.c.claim_id == step.claim_id
    if c.execute(select(exists().where(own, steps.c.state == "done"))).scalar_one():
        return True  # whoever has begun may finish; the place is counted as surplus
    c.execute(update(steps).where(own, steps.c.state == "open").values(state="dropped"))
    note(c, here.study_id, here.id, "place given away", now)
    if not (plan.pool and plan.pool.one_by_one):
        change(c, here.id, phase=_before(plan, plan.pooled))
    return False


def _before(plan: Plan, phase: str | None) -> str:
    """The phase before a phase; empty for the first."""
    place = plan.order.index(phase) if phase else 0
    return plan.order[place - 1] if place else ""


def _another(c: Connection, plan: Plan, here: AnyRow, now: datetime) -> bool:
    """Take on one more unit, in a phase that hands them out one by one."""
    phase = plan.phases.get(here.phase)
    if phase is None or phase.use != "pool" or plan.pool is None or not plan.pool.one_by_one:
        return False
    done = _count(c, claims.c.session_id == here.id, claims.c.state.in_(slots.COUNTED))
    if here.stopping or done >= plan.study.caps.per_visit:
        return False
    taken = _claim(c, plan, here, now)
    if taken is None:
        if not done:
            finish(c, plan, here, "full", now)
        return not done
    _add(c, here, phase, plan.keys(phase, taken.unit, here.seed), taken.id)
    return True


def _enter_next(c: Connection, plan: Plan, here: AnyRow, now: datetime) -> None:
    place = plan.order.index(here.phase) + 1 if here.phase else 0
    if place == len(plan.order):
        finish(c, plan, here, "completed", now)
        return
    phase = plan.phases[plan.order[place]]
    if phase.once and _did(c, here, phase):
        change(c, here.id, phase=phase.name)
        return
    pool = plan.pool
    claim_id, unit = None, ""
    if phase.use != "own" and pool is not None and not pool.one_by_one:
        held = _packet(c, plan, here, now)
        if held is None:
            finish(c, plan, here, "full", now)
            return
        claim_id, unit = held.id, held.unit
    change(c, here.id, phase=phase.name)
    note(c, here.study_id, here.id, "phase", now, name=phase.name)
    if phase.use == "pool" and pool is not None and pool.one_by_one:
        if not here.arm:
            change(c, here.id, arm=next(iter(pool.arms)))
        return  # units are taken on one by one
    _add(c, here, phase, plan.keys(phase, unit, here.seed), claim_id)


def _did(c: Connection, here: AnyRow, phase: Phase) -> bool:
    """Whether the worker has done a phase on an earlier visit."""
    rows = select(
        exists().where(
            steps.c.session_id == sessions.c.id,
            sessions.c.worker_id == here.worker_id,
            sessions.c.id != here.id,
            steps.c.phase == phase.name,
            steps.c.state == "done",
        )
    )
    return bool(c.execute(rows).scalar_one())


def _packet(c: Connection, plan: Plan, here: AnyRow, now: datetime) -> slots.Claim | None:
    """The unit that a session has, or now takes on."""
    usable = claims.c.state.in_(("live", "surplus", "done"))
    rows = (
        select(claims.c.id, units.c.key, arms.c.name)
        .join(units, units.c.id == claims.c.unit_id)
        .join(arms, arms.c.id == units.c.arm_id)
        .where(claims.c.session_id == here.id)
        .where(usable | exists().where(steps.c.claim_id == claims.c.id, steps.c.state == "done"))
    )
    found = c.execute(rows).first()
    if found is not None:
        return slots.Claim(found.id, found.key, found.name)
    taken = _claim(c, plan, here, now)
    if taken is not None:
        change(c, here.id, arm=taken.arm)
    return taken


def _claim(c: Connection, plan: Plan, here: AnyRow, now: datetime) -> slots.Claim | None:
    cap = plan.study.caps.per_person
    until = lease(plan, now)
    named = {"study": here.study_id, "session": here, "cap": cap, "until": until, "now": now}
    taken = slots.claim(c, **named)
    if taken is None and isinstance(plan.pool, Line) and plan.pool.supply(c, here.study_id):
        taken = slots.claim(c, **named)
    if taken is not None:
        note(c, here.study_id, here.id, "took on", now, unit=taken.unit, arm=taken.arm)
    return taken


def _add(
    c: Connection,
    here: AnyRow,
    phase: Phase,
    keys: Iterable[tuple[str, str]],
    claim_id: int | None,
) -> None:
    last = select(func.max(steps.c.position)).where(steps.c.session_id == here.id)
    start = c.execute(last).scalar_one()
    rows = [
        {
            "id": secrets.token_urlsafe(12),
            "session_id": here.id,
            "position": position,
            "phase": phase.name,
            "type": kind,
            "key": key,
            "claim_id": claim_id,
            "state": "open",
            "shown_at": None,
        }
        for position, (kind, key) in enumerate(keys, start=0 if start is None else start + 1)
    ]
    c.execute(insert(steps), rows)


def try_again(c: Connection, here: AnyRow, step: AnyRow) -> None:
    """One more step like this one, before anything else comes."""
    last = select(func.max(steps.c.position)).where(steps.c.session_id == here.id)
    row = {
        "id": secrets.token_urlsafe(12),
        "session_id": here.id,
        "position": c.execute(last).scalar_one() + 1,
        "phase": step.phase,
        "type": step.type,
        "key": step.key,
        "claim_id": step.claim_id,
        "state": "open",
        "shown_at": None,
    }
    c.execute(insert(steps).values(row))


def attempts(c: Connection, step: AnyRow) -> int:
    """How often the trial of a step has been answered in its session."""
    return _count(
        c,
        steps.c.session_id == step.session_id,
        steps.c.phase == step.phase,
        steps.c.key == step.key,
        steps.c.state == "done",
    )
