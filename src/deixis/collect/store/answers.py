"""Answers: drafts and finals as rows apart, and the first reply to every write."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from deixis.collect.store.tables import AnyRow, answers, steps, writes
from deixis.collect.trial import Score

# Built once, see `deixis.collect.store.sessions`.
_REPLY = select(writes).where(
    writes.c.session_id == bindparam("session"), writes.c.key == bindparam("key")
)
_DRAFT = (
    select(answers)
    .where(answers.c.step_id == bindparam("step"), ~answers.c.final)
    .order_by(answers.c.version.desc(), answers.c.id.desc())
    .limit(1)
)
_EARLIER = (
    select(steps.c.type, answers.c.detail)
    .join(answers, answers.c.step_id == steps.c.id)
    .where(
        steps.c.claim_id == bindparam("claim"),
        steps.c.position < bindparam("position"),
        answers.c.final,
    )
)


def first_reply(c: Connection, session: int, key: str) -> AnyRow | None:
    """What was said to a write when it came for the first time, or None."""
    return c.execute(_REPLY, {"session": session, "key": key}).one_or_none()


def remember(
    c: Connection,
    session: int,
    key: str,
    digest: str,
    status: int,
    reply: dict[str, Any],
    now: datetime,
) -> None:
    """Keep the reply to a write."""
    values = {"session_id": session, "key": key, "digest": digest, "status": status}
    c.execute(insert(writes).values(values | {"reply": reply, "at": now}))


def add_draft(
    c: Connection, step: AnyRow, version: int, response: Any, ms: float | None, now: datetime
) -> None:
    """One more draft; the one with the highest version counts."""
    values = _row(step, version, response, ms, now)
    c.execute(insert(answers).values(values | {"final": False, "detail": {}, "flags": []}))


def add_final(
    c: Connection,
    step: AnyRow,
    version: int,
    response: Any,
    ms: float | None,
    score: Score,
    now: datetime,
) -> None:
    """The final answer of a step; the schema refuses a second one."""
    scored = {
        "final": True,
        "detail": dict(score.detail),
        "right": score.right,
        "value": score.value,
        "flags": list(score.flags),
    }
    c.execute(insert(answers).values(_row(step, version, response, ms, now) | scored))
    c.execute(update(steps).where(steps.c.id == step.id).values(state="done"))


def _row(
    step: AnyRow, version: int, response: Any, ms: float | None, now: datetime
) -> dict[str, Any]:
    return {
        "session_id": step.session_id,
        "step_id": step.id,
        "version": version,
        "response": response,
        "ms": ms,
        "at": now,
    }


def draft(c: Connection, step: str) -> AnyRow | None:
    """The latest draft of a step, or None."""
    return c.execute(_DRAFT, {"step": step}).one_or_none()


def earlier(c: Connection, claim: int | None, position: int) -> dict[str, Any]:
    """Details of finals of the same unit that came before, by trial type."""
    if claim is None:
        return {}
    rows = c.execute(_EARLIER, {"claim": claim, "position": position})
    return {row.type: row.detail for row in rows}
