"""Who took part: raw ids in one table, keyed hashes everywhere else, and how to erase a person."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime

from sqlalchemy import Connection, delete, exists, func, insert, select, update

from deixis.collect.live import log
from deixis.collect.store import slots, things
from deixis.collect.store.events import note
from deixis.collect.store.locks import locked
from deixis.collect.store.tables import (
    AnyRow,
    answers,
    claims,
    events,
    payments,
    people,
    readings,
    reviews,
    sessions,
    steps,
    studies,
    tokens,
    workers,
    writes,
)


def worker_name(secret: str, platform: str, raw: str) -> str:
    """The name of a person in one study: an HMAC by the study's key, which no export holds.

    >>> worker_name("k", "prolific", "5f1") != worker_name("other", "prolific", "5f1")
    True
    """
    text = f"{platform}\x1f{raw}".encode()
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()[:20]


def worker_of(
    c: Connection, study: AnyRow, platform: str, raw: str, mode: str, now: datetime
) -> AnyRow:
    """The worker behind a platform's id in this study, made if need be."""
    name = worker_name(study.secret, platform, raw)
    known = select(workers).where(workers.c.study_id == study.id, workers.c.name == name)
    found = c.execute(locked(known)).one_or_none()
    if found is None:
        values = {
            "study_id": study.id,
            "person_id": _person(c, platform, raw),
            "name": name,
            "mode": mode,
            "workload": 0,
            "joined_at": now,
        }
        c.execute(insert(workers).values(values))
        found = c.execute(known).one()
    return found


def took_part(c: Connection, platform: str, raw: str, names: tuple[str, ...]) -> str | None:
    """The first of these studies in which a person has answered beyond consent, or None."""
    if not names:
        return None
    rows = (
        select(studies.c.name)
        .join(workers, workers.c.study_id == studies.c.id)
        .join(people, people.c.id == workers.c.person_id)
        .where(
            studies.c.name.in_(names),
            people.c.platform == platform,
            people.c.raw == raw,
            exists().where(claims.c.worker_id == workers.c.id),
        )
        .order_by(studies.c.name)
        .limit(1)
    )
    return c.execute(rows).scalar_one_or_none()


def unapproved(c: Connection, platform: str, raw: str, names: tuple[str, ...]) -> str | None:
    """The first of these studies in which the latest verdict on a person is not to approve."""
    for name in names:
        rows = (
            select(reviews.c.verdict)
            .join(sessions, sessions.c.id == reviews.c.session_id)
            .join(workers, workers.c.id == sessions.c.worker_id)
            .join(people, people.c.id == workers.c.person_id)
            .join(studies, studies.c.id == workers.c.study_id)
            .where(studies.c.name == name, people.c.platform == platform, people.c.raw == raw)
            .where(reviews.c.verdict != "note")
            .order_by(reviews.c.id.desc())
            .limit(1)
        )
        if c.execute(rows).scalar_one_or_none() != "approve":
            return name
    return None


def erase(c: Connection, worker: int, now: datetime) -> dict[str, int]:
    """Erase a person from one study: answers, drafts, events, tokens, captured parameters.

    Places are given back. What was paid stays in the ledger, under a name that leads nowhere. The
    raw id goes unless the person is in another study too.

    Returns:
        How many rows of each kind went.
    """
    row = c.execute(locked(select(workers).where(workers.c.id == worker))).one()
    own = select(sessions.c.id).where(sessions.c.worker_id == worker)
    held = select(claims.c.id).where(claims.c.worker_id == worker)
    slots.release(c, list(c.execute(held).scalars()), "returned")
    things.forget(c, row.person_id, row.study_id)
    log.forget(c, list(c.execute(own).scalars()))
    texts = select(answers.c.id).where(answers.c.session_id.in_(own))
    c.execute(delete(readings).where(readings.c.answer_id.in_(texts)))
    gone = {}
    for table in (answers, writes, tokens, events, reviews, steps):
        gone[table.name] = c.execute(delete(table).where(table.c.session_id.in_(own))).rowcount
    c.execute(delete(claims).where(claims.c.worker_id == worker))
    c.execute(
        update(payments).where(payments.c.worker_id == worker).values(note="", session_id=None)
    )
    blank = {"captured": {}, "platform_session": "", "platform_study": "", "seed": ""}
    ended = {
        "outcome": func.coalesce(sessions.c.outcome, "withdrawn"),
        "finished_at": func.coalesce(sessions.c.finished_at, now),
    }
    c.execute(update(sessions).where(sessions.c.worker_id == worker).values(blank | ended))
    name = f"erased-{secrets.token_hex(6)}"
    c.execute(update(workers).where(workers.c.id == worker).values(name=name, person_id=None))
    others = exists().where(workers.c.person_id == people.c.id)
    person = (people.c.id == row.person_id) & ~others
    gone["person"] = c.execute(delete(people).where(person)).rowcount
    note(c, row.study_id, None, "erased", now)
    return gone


def find(c: Connection, study: str, person: str) -> int | None:
    """The worker in a study whom a platform's id or a name of an export means, or None."""
    rows = (
        select(workers.c.id)
        .join(studies, studies.c.id == workers.c.study_id)
        .outerjoin(people, people.c.id == workers.c.person_id)
        .where(studies.c.name == study, (people.c.raw == person) | (workers.c.name == person))
    )
    return c.execute(rows.limit(1)).scalar_one_or_none()


def raw_id(c: Connection, worker: int) -> str | None:
    """The platform's id of a worker; None if erased."""
    rows = select(people.c.raw).join(workers, workers.c.person_id == people.c.id)
    return c.execute(rows.where(workers.c.id == worker)).scalar_one_or_none()


def _person(c: Connection, platform: str, raw: str) -> int:
    known = select(people.c.id).where(people.c.platform == platform, people.c.raw == raw)
    found = c.execute(known).scalar_one_or_none()
    if found is None:
        values = {"platform": platform, "raw": raw}
        found = c.execute(insert(people).values(values).returning(people.c.id)).scalar_one()
    return int(found)
