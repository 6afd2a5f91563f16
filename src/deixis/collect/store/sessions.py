"""Sessions: one visit of one person, found by the token that the browser made."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from deixis.collect.store.events import note
from deixis.collect.store.locks import locked
from deixis.collect.store.tables import AnyRow, sessions, studies, tokens
from deixis.web.accounts import token_hash

# Built once: these are asked with every request, and building them costs as much as asking.
_SESSION = select(sessions).where(sessions.c.id == bindparam("key"))
_LOCKED = locked(_SESSION)
_BY_TOKEN = (
    select(sessions)
    .join(tokens, tokens.c.session_id == sessions.c.id)
    .where(tokens.c.id == bindparam("token"))
)


def study_named(c: Connection, name: str) -> AnyRow | None:
    """The row of a study, or None."""
    return c.execute(select(studies).where(studies.c.name == name)).one_or_none()


def session_of(c: Connection, token: str) -> AnyRow | None:
    """The session that a token names, or None."""
    return c.execute(_BY_TOKEN, {"token": token_hash(token)}).one_or_none()


def session(c: Connection, key: int, *, lock: bool = False) -> AnyRow:
    """A session by its row; locked, so that writes of one person come one after the other."""
    return c.execute(_LOCKED if lock else _SESSION, {"key": key}).one()


def attach(c: Connection, token: str, key: int, now: datetime) -> None:
    """Let a token name a session."""
    c.execute(insert(tokens).values(id=token_hash(token), session_id=key, made_at=now))


def last_visit(c: Connection, study: int, worker: int) -> AnyRow | None:
    """A worker's latest session, or None."""
    rows = select(sessions).where(sessions.c.study_id == study, sessions.c.worker_id == worker)
    return c.execute(rows.order_by(sessions.c.visit.desc()).limit(1)).one_or_none()


def full(c: Connection, study: int, mode: str, cap: int) -> bool:
    """Whether so many sessions are under way or completed.

    The study stays locked until what follows is there to be counted: else all who arrive in the
    same moment would find the last place free.
    """
    c.execute(locked(select(studies.c.id).where(studies.c.id == study)))
    going = sessions.c.outcome.is_(None) | (sessions.c.outcome == "completed")
    rows = select(func.count()).where(sessions.c.study_id == study, sessions.c.mode == mode, going)
    return int(c.execute(rows).scalar_one()) >= cap


def begin(
    c: Connection,
    *,
    study: AnyRow,
    worker: int,
    visit: int,
    mode: str,
    platform: tuple[str, str, str],
    captured: dict[str, str],
    now: datetime,
) -> int:
    """A new session.

    Args:
        c: inside a transaction.
        study: the row of its study.
        worker: whose it is.
        visit: from 1.
        mode: live or test.
        platform: its name, and its names of study and session.
        captured: other parameters of the link.
        now: the time.
    """
    values = {
        "study_id": study.id,
        "worker_id": worker,
        "visit": visit,
        "mode": mode,
        "study_hash": study.hash,
        "seed": secrets.token_hex(16),
        "arm": "",
        "phase": "",
        "stopping": False,
        "arrived_at": now,
        "seen_at": now,
        "platform": platform[0],
        "platform_study": platform[1],
        "platform_session": platform[2],
        "platform_status": "",
        "captured": captured,
    }
    made = c.execute(insert(sessions).values(values).returning(sessions.c.id)).scalar_one()
    note(c, study.id, made, "arrived", now, visit=visit, mode=mode)
    return int(made)


def change(c: Connection, key: int, **values: Any) -> None:
    """Set columns of a session."""
    c.execute(update(sessions).where(sessions.c.id == key).values(values))
