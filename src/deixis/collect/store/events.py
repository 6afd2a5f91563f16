"""The log of what happened, in order; rows are only ever added."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert

from deixis.collect.store.tables import events


def note(
    c: Connection, /, study: int, session: int | None, kind: str, now: datetime, **detail: Any
) -> None:
    """Write down that something happened.

    Args:
        c: inside a transaction.
        study: its row.
        session: whose it is, if anybody's.
        kind: one or two words.
        now: the time.
        detail: what else there is to know; no raw ids.
    """
    values = {"study_id": study, "session_id": session, "kind": kind, "detail": detail, "at": now}
    c.execute(insert(events).values(values))
