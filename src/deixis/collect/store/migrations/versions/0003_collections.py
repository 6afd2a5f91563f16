"""Collections: what studies hand to each other, who had it in hand, and what was read by hand."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from deixis.collect.store.tables import Moment

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _big() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _id() -> sa.Column[int]:
    return sa.Column("id", _big(), autoincrement=True, nullable=False)


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "thing",
        _id(),
        sa.Column("collection", sa.String(length=60), nullable=False),
        sa.Column("mode", sa.String(length=4), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("synset", sa.Text(), nullable=False),
        sa.Column("split", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.CheckConstraint("mode IN ('live', 'test')", name=op.f("ck_thing_mode")),
        sa.CheckConstraint("kind IN ('eight', 'example')", name=op.f("ck_thing_kind")),
        sa.CheckConstraint(
            "state IN ('written', 'validated', 'kept', 'dropped')", name=op.f("ck_thing_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_thing")),
        sa.UniqueConstraint("collection", "kind", "key", name=op.f("uq_thing_collection_kind_key")),
    )
    op.create_index("ix_thing_line", "thing", ["collection", "mode", "kind", "state"])
    # In one statement: making the table anew would drop what refers to its rows.
    kind = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
    column = f"thing_id {kind} CONSTRAINT fk_unit_thing_id REFERENCES thing (id)"
    op.execute(f"ALTER TABLE unit ADD COLUMN {column}")
    op.create_index(op.f("ix_unit_thing_id"), "unit", ["thing_id"])
    op.create_table(
        "hand",
        _id(),
        sa.Column("thing_id", _big(), nullable=False),
        sa.Column("person_id", _big(), nullable=False),
        sa.Column("study_id", _big(), nullable=False),
        sa.Column("role", sa.String(length=6), nullable=False),
        sa.Column("said", sa.String(length=10), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.CheckConstraint("role IN ('wrote', 'judged')", name=op.f("ck_hand_role")),
        sa.ForeignKeyConstraint(["thing_id"], ["thing.id"], name=op.f("fk_hand_thing_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_hand_person_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_hand_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hand")),
        sa.UniqueConstraint("thing_id", "person_id", name=op.f("uq_hand_thing_id_person_id")),
    )
    for column in ("thing_id", "person_id", "study_id"):
        op.create_index(op.f(f"ix_hand_{column}"), "hand", [column])
    op.create_table(
        "reading",
        _id(),
        sa.Column("study_id", _big(), nullable=False),
        sa.Column("worker_id", _big(), nullable=False),
        sa.Column("answer_id", _big(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("keeps", sa.Boolean(), nullable=True),
        sa.Column("rule", sa.String(length=40), nullable=False),
        sa.Column("by", sa.String(length=60), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_reading_study_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["worker.id"], name=op.f("fk_reading_worker_id")),
        sa.ForeignKeyConstraint(["answer_id"], ["answer.id"], name=op.f("fk_reading_answer_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reading")),
        sa.UniqueConstraint("answer_id", name=op.f("uq_reading_answer_id")),
    )
    for column in ("study_id", "worker_id"):
        op.create_index(op.f(f"ix_reading_{column}"), "reading", [column])
