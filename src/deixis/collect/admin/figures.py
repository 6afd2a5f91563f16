"""What the researchers' pages show, read from the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Text, cast, func, select

from deixis.collect.running import Running
from deixis.collect.store import money
from deixis.collect.store.tables import (
    AnyRow,
    answers,
    arms,
    claims,
    events,
    payments,
    reviews,
    sessions,
    slots,
    steps,
    studies,
    units,
    workers,
)

SHOWN = 200
"""Rows of a list that are shown."""


@dataclass(frozen=True)
class Bar:
    """How far an arm has come.

    Attributes:
        name: of the arm.
        done: slots.
        leased: slots.
        all: slots.
    """

    name: str
    done: int
    leased: int
    all: int


def bars(c: Connection, study: int, mode: str = "live") -> list[Bar]:
    """Slots of each arm."""
    rows = (
        select(arms.c.id, arms.c.name, slots.c.state, func.count())
        .join(units, units.c.arm_id == arms.c.id)
        .join(slots, slots.c.unit_id == units.c.id)
        .where(arms.c.study_id == study, arms.c.mode == mode)
        .group_by(arms.c.id, arms.c.name, slots.c.state)
        .order_by(arms.c.id)
    )
    found: dict[str, dict[str, int]] = {}
    for _, name, state, n in c.execute(rows):
        found.setdefault(name, {})[state] = n
    return [
        Bar(name, by.get("done", 0), by.get("leased", 0), sum(by.values()))
        for name, by in found.items()
    ]


def state_of(c: Connection, study: int) -> str:
    """Whether a study is open, paused or closed."""
    return str(c.execute(select(studies.c.state).where(studies.c.id == study)).scalar_one())


def outcomes(c: Connection, study: int, mode: str = "live") -> dict[str, int]:
    """Sessions by how they ended."""
    outcome = func.coalesce(sessions.c.outcome, "under way")
    rows = (
        select(outcome, func.count())
        .where(sessions.c.study_id == study, sessions.c.mode == mode)
        .group_by(outcome)
    )
    return {str(name): int(n) for name, n in c.execute(rows)}


def whereabouts(c: Connection, study: int, mode: str) -> list[AnyRow]:
    """Who is where: sessions under way, the last heard of first."""
    finals = (
        select(func.count())
        .where(steps.c.session_id == sessions.c.id, steps.c.state == "done")
        .scalar_subquery()
    )
    until = (
        select(func.max(claims.c.until))
        .where(claims.c.session_id == sessions.c.id, claims.c.state == "live")
        .scalar_subquery()
    )
    rows = (
        select(
            sessions.c.id,
            workers.c.name,
            sessions.c.mode,
            sessions.c.arm,
            sessions.c.phase,
            sessions.c.arrived_at,
            sessions.c.seen_at,
            finals.label("done"),
            until.label("until"),
        )
        .join(workers, workers.c.id == sessions.c.worker_id)
        .where(sessions.c.study_id == study, sessions.c.mode == mode)
        .where(sessions.c.outcome.is_(None))
        .order_by(sessions.c.seen_at.desc())
        .limit(SHOWN)
    )
    return list(c.execute(rows).all())


def ended(c: Connection, study: int, mode: str) -> list[AnyRow]:
    """Sessions that have ended, the latest first."""
    flagged = (
        select(func.count())
        .where(answers.c.session_id == sessions.c.id, answers.c.final, _flagged())
        .scalar_subquery()
    )
    verdict = (
        select(reviews.c.verdict)
        .where(reviews.c.session_id == sessions.c.id, reviews.c.verdict != "note")
        .order_by(reviews.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    rows = (
        select(
            sessions.c.id,
            workers.c.name,
            sessions.c.mode,
            sessions.c.arm,
            sessions.c.outcome,
            sessions.c.finished_at,
            sessions.c.platform_status,
            flagged.label("flags"),
            verdict.label("verdict"),
        )
        .join(workers, workers.c.id == sessions.c.worker_id)
        .where(sessions.c.study_id == study, sessions.c.mode == mode)
        .where(sessions.c.outcome.is_not(None))
        .order_by(sessions.c.finished_at.desc())
        .limit(SHOWN)
    )
    return list(c.execute(rows).all())


def _flagged() -> Any:
    """Whether there are any: the JSON is longer than an empty list."""
    return func.length(cast(answers.c.flags, Text)) > len("[]")


def flagged(c: Connection, study: int) -> list[AnyRow]:
    """Final answers with flags, the latest first."""
    rows = (
        select(
            sessions.c.id,
            workers.c.name,
            sessions.c.mode,
            steps.c.phase,
            steps.c.key,
            answers.c.detail,
            answers.c.flags,
            answers.c.at,
        )
        .select_from(answers)
        .join(steps, steps.c.id == answers.c.step_id)
        .join(sessions, sessions.c.id == answers.c.session_id)
        .join(workers, workers.c.id == sessions.c.worker_id)
        .where(sessions.c.study_id == study, answers.c.final, _flagged())
        .order_by(answers.c.id.desc())
        .limit(SHOWN)
    )
    return list(c.execute(rows).all())


def visit(c: Connection, key: int) -> dict[str, Any] | None:
    """Everything about one session; None if there is none."""
    rows = (
        select(sessions, workers.c.name.label("worker"), workers.c.workload)
        .join(workers, workers.c.id == sessions.c.worker_id)
        .where(sessions.c.id == key)
    )
    here = c.execute(rows).one_or_none()
    if here is None:
        return None
    own = (
        select(steps, answers.c.response, answers.c.detail, answers.c.right, answers.c.value)
        .add_columns(answers.c.flags, answers.c.ms, answers.c.at)
        .outerjoin(answers, (answers.c.step_id == steps.c.id) & answers.c.final)
        .where(steps.c.session_id == key)
        .order_by(steps.c.position)
    )
    return {
        "session": here,
        "steps": list(c.execute(own).all()),
        "events": _all(c, select(events).where(events.c.session_id == key).order_by(events.c.id)),
        "reviews": _all(c, select(reviews).where(reviews.c.session_id == key)),
        "payments": _all(c, select(payments).where(payments.c.session_id == key)),
    }


def ledger(c: Connection, study: int) -> list[AnyRow]:
    """Payments, the latest first."""
    rows = (
        select(payments, workers.c.name.label("worker"))
        .join(workers, workers.c.id == payments.c.worker_id)
        .where(payments.c.study_id == study)
        .order_by(payments.c.id.desc())
        .limit(SHOWN)
    )
    return list(c.execute(rows).all())


@dataclass(frozen=True)
class Costs:
    """What a study costs, in units of its currency.

    Attributes:
        currency: as ISO 4217 writes it.
        paid: confirmed.
        owed: planned, sent, or not known whether paid.
        unknown: of these, not known whether paid.
        fee: what the platform takes on top of both.
        places: that are still to be filled.
        forecast: of all that is still to come, with fees, at the mean cost of a completed place.
    """

    currency: str
    paid: float
    owed: float
    unknown: float
    fee: float
    places: int
    forecast: float


def costs(c: Connection, running: Running) -> Costs:
    """Paid, owed and forecast of a study."""
    pay = running.study.pay
    by_state: dict[str, int] = {}
    for states in money.totals(c, running.id).values():
        for state, amount in states.items():
            by_state[state] = by_state.get(state, 0) + amount
    paid = by_state.get("confirmed", 0) / 100
    unknown = by_state.get("unknown", 0) / 100
    owed = (by_state.get("planned", 0) + by_state.get("sent", 0)) / 100 + unknown
    arms_now = bars(c, running.id)
    done, free = sum(b.done for b in arms_now), sum(b.all - b.done for b in arms_now)
    one_by_one = running.plan.pool is not None and running.plan.pool.one_by_one
    each = float(pay.per_item) + float(pay.reward) / (
        running.study.caps.per_visit if one_by_one else 1
    )
    mean = (paid + owed) / done if done and paid + owed else each
    return Costs(
        currency=pay.currency,
        paid=paid,
        owed=owed,
        unknown=unknown,
        fee=(paid + owed) * pay.fee,
        places=free,
        forecast=free * mean * (1 + pay.fee),
    )


def recent(c: Connection, study: int, n: int = 30) -> list[AnyRow]:
    """What happened last."""
    rows = select(events).where(events.c.study_id == study).order_by(events.c.id.desc()).limit(n)
    return _all(c, rows)


def seconds_since(moment: datetime | None, now: datetime) -> float | None:
    """How long ago, or None."""
    return None if moment is None else (now - moment).total_seconds()


def _all(c: Connection, query: Any) -> list[AnyRow]:
    found: Sequence[AnyRow] = c.execute(query).all()
    return list(found)
