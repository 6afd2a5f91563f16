from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from deixis.collect.store.locks import locked
from deixis.collect.store.tables import claims, slots


def test_rows_are_held_without_their_keys() -> None:
    rows = select(claims.c.id).join(slots, slots.c.claim_id == claims.c.id)
    held = {
        "FOR NO KEY UPDATE": locked(rows),
        "FOR NO KEY UPDATE OF claim SKIP LOCKED": locked(rows, of=claims, skip=True),
    }
    for end, query in held.items():
        assert str(query.compile(dialect=postgresql.dialect())).endswith(end)
        assert "FOR" not in str(query.compile(dialect=sqlite.dialect()))
