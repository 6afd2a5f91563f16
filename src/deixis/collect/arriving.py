"""Somebody follows a link: is it somebody we know, may they take part, and which visit is it?"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from deixis.collect import flow
from deixis.collect.live import log
from deixis.collect.plan import Plan
from deixis.collect.platforms.platform import Arrival
from deixis.collect.store import slots
from deixis.collect.store.events import note
from deixis.collect.store.people import took_part, unapproved, worker_of
from deixis.collect.store.sessions import (
    attach,
    begin,
    change,
    full,
    last_visit,
    session,
    session_of,
    study_named,
)
from deixis.collect.store.tables import steps
from deixis.collect.trial import Refused
from deixis.web.accounts import token_hash

CLOSED = "This study is not open now. Thank you for your interest."
FULL = "This study has all the participants it needs. Thank you for your interest."
NOT_YET = (
    "This study is for people whose work in an earlier one was looked at and approved. If you took "
    "part there, please come back later."
)
BEFORE = "You have taken part in an earlier study of this kind, so this one is not for you."


def arrive(
    c: Connection, plan: Plan, arrival: Arrival, token: str, mode: str, now: datetime
) -> int:
    """The session of somebody who follows a link: the one that is under way, or a new one.

    Args:
        c: inside a transaction.
        plan: of the study.
        arrival: what the link says.
        token: made by the browser; a repeat with the same one changes nothing.
        mode: live or test.
        now: the time.

    Returns:
        The row of the session; it has an open step or an outcome.

    Raises:
        Refused: this person may not take part, or nobody may now.
    """
    known = session_of(c, token)
    if known is not None:
        return resume(c, plan, known.id, now)
    study = study_named(c, plan.study.name)
    assert study is not None  # it was installed when the server started
    name = plan.study.platform.get("name", "local")
    platform = str(name) if mode == "live" else f"{name} (test)"
    raw = arrival.person or f"nobody:{token_hash(token)}"
    barred = took_part(c, platform, raw, plan.study.eligibility.not_in)
    worker = worker_of(c, study, platform, raw, mode, now)
    last = last_visit(c, study.id, worker.id)
    if last is not None and (last.outcome is None or last.visit >= plan.study.caps.visits):
        attach(c, token, last.id, now)
        return resume(c, plan, last.id, now)
    if barred:
        raise Refused(BEFORE)
    wanted = plan.study.eligibility.approved_in
    if mode == "live" and unapproved(c, platform, raw, wanted) is not None:
        raise Refused(NOT_YET)
    if study.state != "open" and mode == "live":
        raise Refused(CLOSED)
    cap = plan.study.caps.people
    if cap is not None and full(c, study.id, mode, cap):
        raise Refused(FULL)
    made = begin(
        c,
        study=study,
        worker=worker.id,
        visit=last.visit + 1 if last else 1,
        mode=mode,
        platform=(platform, arrival.study, arrival.session),
        captured=dict(arrival.captured),
        now=now,
    )
    attach(c, token, made, now)
    flow.advance(c, plan, made, now)
    return made


def resume(c: Connection, plan: Plan, key: int, now: datetime) -> int:
    """Go on with a session: after a refresh, on another device, a day later."""
    here = session(c, key, lock=True)
    if here.outcome is None:
        change(c, key, seen_at=now)
        slots.renew(c, key, flow.lease(plan, now), now)
        flow.advance(c, plan, key, now)
    return key


def stop(c: Connection, plan: Plan, key: int, now: datetime) -> None:
    """Somebody has had enough of a phase that hands out unit after unit; what is done counts."""
    here = session(c, key, lock=True)
    phase = plan.phases.get(here.phase)
    if here.outcome is not None or phase is None or phase.use != "pool":
        return
    step = flow.open_step(c, key)
    if step is not None and step.claim_id is not None:
        own = steps.update().where(steps.c.claim_id == step.claim_id, steps.c.state == "open")
        c.execute(own.values(state="dropped"))
        slots.release(c, [step.claim_id], "returned")
    change(c, key, stopping=True, seen_at=now)
    note(c, here.study_id, key, "stopped", now)
    flow.advance(c, plan, key, now)


def leave(c: Connection, plan: Plan, key: int, now: datetime) -> None:
    """Somebody leaves the study for good."""
    here = session(c, key, lock=True)
    if here.outcome is None:
        log.walk_out(c, key, now)
        flow.finish(c, plan, here, "withdrawn", now)
