"""Counts of a study, and whether they add up."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select

from deixis.collect.store import slots
from deixis.collect.store.tables import answers, arms, claims, sessions, steps, units
from deixis.collect.store.tables import slots as slot_rows


def counts(c: Connection, study: int, mode: str) -> dict[str, Any]:
    """Sessions by outcome, slots and claims by state, answers; all of one state of the store."""
    own = (sessions.c.study_id == study) & (sessions.c.mode == mode)
    outcome = func.coalesce(sessions.c.outcome, "under way")
    of_arms = (arms.c.study_id == study) & (arms.c.mode == mode)
    return {
        "sessions": _by(c, select(outcome, func.count()).where(own).group_by(outcome)),
        "slots": slot_counts(c, study, mode),
        "claims": _by(
            c,
            select(claims.c.state, func.count())
            .join(sessions, sessions.c.id == claims.c.session_id)
            .where(own)
            .group_by(claims.c.state),
        ),
        "units": c.execute(
            select(func.count()).select_from(units.join(arms)).where(of_arms)
        ).scalar_one(),
        "finals": _answers(c, own, True),
        "drafts": _answers(c, own, False),
        "steps": _by(
            c,
            select(steps.c.state, func.count())
            .join(sessions, sessions.c.id == steps.c.session_id)
            .where(own)
            .group_by(steps.c.state),
        ),
    }


def slot_counts(c: Connection, study: int, mode: str) -> dict[str, int]:
    """How many slots are free, leased and done."""
    rows = (
        select(slot_rows.c.state, func.count())
        .join(units, units.c.id == slot_rows.c.unit_id)
        .join(arms, arms.c.id == units.c.arm_id)
        .where(arms.c.study_id == study, arms.c.mode == mode)
        .group_by(slot_rows.c.state)
    )
    return {"free": 0, "leased": 0, "done": 0} | _by(c, rows)


def faults(c: Connection, study: int, mode: str) -> list[str]:
    """Sentences on what does not add up; empty as long as all is well."""
    found = slots.faults(c)
    n = counts(c, study, mode)
    if n["slots"]["leased"] != n["claims"].get("live", 0):
        found.append(f"{n['slots']['leased']} slots are leased, {n['claims'].get('live', 0)} live")
    if n["slots"]["done"] != n["claims"].get("done", 0):
        found.append(f"{n['slots']['done']} slots are done, {n['claims'].get('done', 0)} claims")
    if n["steps"].get("done", 0) != n["finals"]:
        found.append(f"{n['steps'].get('done', 0)} steps are done, {n['finals']} have an answer")
    return found


def _answers(c: Connection, own: Any, final: bool) -> int:
    rows = select(func.count()).select_from(answers.join(sessions)).where(own)
    return int(c.execute(rows.where(answers.c.final == final)).scalar_one())


def _by(c: Connection, query: Any) -> dict[str, int]:
    return {str(name): int(n) for name, n in c.execute(query)}
