"""Seats in live dialogs belong to sessions of studies."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    kind = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
    column = f"session_id {kind} CONSTRAINT fk_seat_session_id REFERENCES session (id)"
    op.execute(f"ALTER TABLE seat ADD COLUMN {column}")
    op.create_index(op.f("ix_seat_session_id"), "seat", ["session_id"])
