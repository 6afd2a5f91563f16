"""Live dialogs: who sits where, and what was said."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from deixis.collect.store.tables import Moment

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _big() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "talk",
        sa.Column("id", _big(), autoincrement=True, nullable=False),
        sa.Column("room", sa.String(length=60), nullable=False),
        sa.Column("trial", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("over", sa.String(length=20), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_talk")),
    )
    op.create_index("ix_talk_room", "talk", ["room", "over"], unique=False)
    op.create_table(
        "seat",
        sa.Column("id", _big(), autoincrement=True, nullable=False),
        sa.Column("talk_id", _big(), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("seen_at", Moment(), nullable=False),
        sa.CheckConstraint("role IN ('questioner', 'answerer')", name=op.f("ck_seat_role")),
        sa.ForeignKeyConstraint(["talk_id"], ["talk.id"], name=op.f("fk_seat_talk_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("talk_id", "role", name=op.f("uq_seat_talk_id_role")),
    )
    op.create_index(op.f("ix_seat_talk_id"), "seat", ["talk_id"], unique=False)
    op.create_index(op.f("ix_seat_token"), "seat", ["token"], unique=False)
    op.create_table(
        "line",
        sa.Column("id", _big(), autoincrement=True, nullable=False),
        sa.Column("talk_id", _big(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("by", sa.String(length=10), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["talk_id"], ["talk.id"], name=op.f("fk_line_talk_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_line")),
        sa.UniqueConstraint("talk_id", "seq", name=op.f("uq_line_talk_id_seq")),
        sa.UniqueConstraint("talk_id", "key", name=op.f("uq_line_talk_id_key")),
    )
    op.create_index(op.f("ix_line_talk_id"), "line", ["talk_id"], unique=False)
