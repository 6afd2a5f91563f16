"""Rows of answers, sessions and payments, streamed from one state of the store.

Raw ids are in none of them: workers go by their keyed hashes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Select, select

from deixis.collect.store.tables import answers, claims, payments, sessions, steps, workers

CHUNK = 1000
"""Rows fetched at a time."""

ANSWERS = {
    "worker": "string",
    "visit": "int64",
    "study_hash": "string",
    "arm": "string",
    "phase": "string",
    "type": "string",
    "key": "string",
    "position": "int64",
    "response": "string",
    "detail": "string",
    "right": "bool_",
    "value": "float64",
    "flags": "string",
    "ms": "float64",
    "shown_at": "string",
    "at": "string",
    "claim": "string",
    "outcome": "string",
}
"""Columns of final answers with the types that Parquet gets; `response`, `detail`, `flags` are
JSON; times are ISO 8601 in UTC; `claim` is what became of the unit."""

SESSIONS = {
    "worker": "string",
    "visit": "int64",
    "study_hash": "string",
    "arm": "string",
    "phase": "string",
    "outcome": "string",
    "arrived_at": "string",
    "finished_at": "string",
    "platform": "string",
    "platform_status": "string",
}

PAYMENTS = {
    "worker": "string",
    "reason": "string",
    "kind": "string",
    "amount": "int64",
    "currency": "string",
    "state": "string",
    "reference": "string",
    "planned_at": "string",
    "sent_at": "string",
    "settled_at": "string",
}


def answer_rows(c: Connection, study: int, mode: str) -> Iterator[dict[str, Any]]:
    """Final answers, by session and position."""
    query = (
        select(
            workers.c.name.label("worker"),
            sessions.c.visit,
            sessions.c.study_hash,
            sessions.c.arm,
            steps.c.phase,
            steps.c.type,
            steps.c.key,
            steps.c.position,
            answers.c.response,
            answers.c.detail,
            answers.c.right,
            answers.c.value,
            answers.c.flags,
            answers.c.ms,
            steps.c.shown_at,
            answers.c.at,
            claims.c.state.label("claim"),
            sessions.c.outcome,
        )
        .select_from(answers)
        .join(steps, steps.c.id == answers.c.step_id)
        .join(sessions, sessions.c.id == answers.c.session_id)
        .join(workers, workers.c.id == sessions.c.worker_id)
        .outerjoin(claims, claims.c.id == steps.c.claim_id)
        .where(sessions.c.study_id == study, sessions.c.mode == mode, answers.c.final)
        .order_by(sessions.c.id, steps.c.position)
    )
    return _rows(c, query)


def session_rows(c: Connection, study: int, mode: str) -> Iterator[dict[str, Any]]:
    """Every visit."""
    columns = [sessions.c[name] for name in SESSIONS if name != "worker"]
    query = (
        select(workers.c.name.label("worker"), *columns)
        .join(workers, workers.c.id == sessions.c.worker_id)
        .where(sessions.c.study_id == study, sessions.c.mode == mode)
        .order_by(sessions.c.id)
    )
    return _rows(c, query)


def payment_rows(c: Connection, study: int, mode: str) -> Iterator[dict[str, Any]]:
    """The ledger of money."""
    columns = [payments.c[name] for name in PAYMENTS if name != "worker"]
    query = (
        select(workers.c.name.label("worker"), *columns)
        .join(workers, workers.c.id == payments.c.worker_id)
        .where(payments.c.study_id == study, workers.c.mode == mode)
        .order_by(payments.c.id)
    )
    return _rows(c, query)


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row with texts, numbers and truth values only, as files hold it."""
    made = {}
    for name, value in row.items():
        if isinstance(value, (dict, list)):
            made[name] = json.dumps(value, ensure_ascii=False, sort_keys=True)
        else:
            made[name] = value.isoformat() if hasattr(value, "isoformat") else value
    return made


def _rows(c: Connection, query: Select[Any]) -> Iterator[dict[str, Any]]:
    for row in c.execute(query.execution_options(yield_per=CHUNK)):
        yield dict(row._mapping)
