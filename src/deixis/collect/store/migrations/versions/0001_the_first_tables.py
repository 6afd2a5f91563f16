"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from deixis.collect.store.tables import Moment

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "admin",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("made_at", Moment(), nullable=False),
        sa.CheckConstraint("role IN ('owner', 'reviewer', 'viewer')", name=op.f("ck_admin_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admin")),
        sa.UniqueConstraint("name", name=op.f("uq_admin_name")),
    )
    op.create_table(
        "notice",
        sa.Column("id", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    op.create_table(
        "person",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("platform", sa.String(length=40), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("platform", "raw", name=op.f("uq_person_platform_raw")),
    )
    op.create_table(
        "study",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=16), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("installed_at", Moment(), nullable=False),
        sa.CheckConstraint("state IN ('open', 'paused', 'closed')", name=op.f("ck_study_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
        sa.UniqueConstraint("name", name=op.f("uq_study_name")),
    )
    op.create_table(
        "arm",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("study_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("mode", sa.String(length=4), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("condition", sa.Text(), nullable=False),
        sa.Column("taken", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("mode IN ('live', 'test')", name=op.f("ck_arm_mode")),
        sa.CheckConstraint("taken >= 0", name=op.f("ck_arm_taken")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_arm_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arm")),
        sa.UniqueConstraint("study_id", "mode", "name", name=op.f("uq_arm_study_id_mode_name")),
    )
    with op.batch_alter_table("arm", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_arm_study_id"), ["study_id"], unique=False)

    op.create_table(
        "export",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("study_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("form", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("by", sa.String(length=60), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.CheckConstraint("state IN ('running', 'done', 'failed')", name=op.f("ck_export_state")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_export_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_export")),
    )
    with op.batch_alter_table("export", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_export_study_id"), ["study_id"], unique=False)

    op.create_table(
        "login",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("admin_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("until", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["admin_id"], ["admin.id"], name=op.f("fk_login_admin_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login")),
    )
    with op.batch_alter_table("login", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_login_admin_id"), ["admin_id"], unique=False)

    op.create_table(
        "worker",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("study_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("mode", sa.String(length=4), nullable=False),
        sa.Column("workload", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("joined_at", Moment(), nullable=False),
        sa.CheckConstraint("mode IN ('live', 'test')", name=op.f("ck_worker_mode")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_worker_person_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_worker_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_worker_study_id_name")),
        sa.UniqueConstraint("study_id", "person_id", name=op.f("uq_worker_study_id_person_id")),
    )
    with op.batch_alter_table("worker", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_worker_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_worker_study_id"), ["study_id"], unique=False)

    op.create_table(
        "session",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("study_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "worker_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("visit", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=4), nullable=False),
        sa.Column("study_hash", sa.String(length=16), nullable=False),
        sa.Column("seed", sa.String(length=32), nullable=False),
        sa.Column("arm", sa.String(length=60), nullable=False),
        sa.Column("phase", sa.String(length=60), nullable=False),
        sa.Column("outcome", sa.String(length=20), nullable=True),
        sa.Column("stopping", sa.Boolean(), nullable=False),
        sa.Column("arrived_at", Moment(), nullable=False),
        sa.Column("seen_at", Moment(), nullable=False),
        sa.Column("finished_at", Moment(), nullable=True),
        sa.Column("platform", sa.String(length=40), nullable=False),
        sa.Column("platform_study", sa.Text(), nullable=False),
        sa.Column("platform_session", sa.Text(), nullable=False),
        sa.Column("platform_status", sa.String(length=40), nullable=False),
        sa.Column("platform_at", Moment(), nullable=True),
        sa.Column("captured", sa.JSON(), nullable=False),
        sa.CheckConstraint(
            "(outcome IS NULL) = (finished_at IS NULL)", name=op.f("ck_session_finished")
        ),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_session_study_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["worker.id"], name=op.f("fk_session_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sa.UniqueConstraint(
            "study_id", "worker_id", "visit", name=op.f("uq_session_study_id_worker_id_visit")
        ),
    )
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index("ix_session_open", ["study_id", "mode", "outcome"], unique=False)
        batch_op.create_index("ix_session_platform", ["platform", "platform_session"], unique=False)
        batch_op.create_index(batch_op.f("ix_session_study_id"), ["study_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_session_worker_id"), ["worker_id"], unique=False)

    op.create_table(
        "unit",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("arm_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.CheckConstraint("taken >= 0 AND taken <= wanted", name=op.f("ck_unit_taken")),
        sa.ForeignKeyConstraint(["arm_id"], ["arm.id"], name=op.f("fk_unit_arm_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unit")),
        sa.UniqueConstraint("arm_id", "key", name=op.f("uq_unit_arm_id_key")),
    )
    with op.batch_alter_table("unit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_unit_arm_id"), ["arm_id"], unique=False)
        batch_op.create_index("ix_unit_queue", ["arm_id", "open", "taken", "rank"], unique=False)

    op.create_table(
        "claim",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("unit_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column(
            "worker_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("leased_at", Moment(), nullable=False),
        sa.Column("until", Moment(), nullable=False),
        sa.Column("done_at", Moment(), nullable=True),
        sa.CheckConstraint(
            "state IN ('live', 'done', 'surplus', 'expired', 'returned', 'rejected')",
            name=op.f("ck_claim_state"),
        ),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name=op.f("fk_claim_session_id")),
        sa.ForeignKeyConstraint(["unit_id"], ["unit.id"], name=op.f("fk_claim_unit_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["worker.id"], name=op.f("fk_claim_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim")),
        sa.UniqueConstraint("worker_id", "unit_id", name=op.f("uq_claim_worker_id_unit_id")),
    )
    with op.batch_alter_table("claim", schema=None) as batch_op:
        batch_op.create_index("ix_claim_lease", ["state", "until"], unique=False)
        batch_op.create_index(batch_op.f("ix_claim_session_id"), ["session_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_claim_unit_id"), ["unit_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_claim_worker_id"), ["worker_id"], unique=False)

    op.create_table(
        "event",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("study_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name=op.f("fk_event_session_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_event_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_session_id"), ["session_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_event_study_id"), ["study_id"], unique=False)

    op.create_table(
        "payment",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("study_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "worker_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column(
            "session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("reason", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("planned_at", Moment(), nullable=False),
        sa.Column("sent_at", Moment(), nullable=True),
        sa.Column("settled_at", Moment(), nullable=True),
        sa.CheckConstraint("kind IN ('reward', 'bonus', 'screened')", name=op.f("ck_payment_kind")),
        sa.CheckConstraint(
            "state IN ('planned', 'sent', 'confirmed', 'unknown', 'cancelled')",
            name=op.f("ck_payment_state"),
        ),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payment_amount")),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name=op.f("fk_payment_session_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_payment_study_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["worker.id"], name=op.f("fk_payment_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment")),
        sa.UniqueConstraint(
            "study_id", "worker_id", "reason", name=op.f("uq_payment_study_id_worker_id_reason")
        ),
    )
    with op.batch_alter_table("payment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_payment_session_id"), ["session_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_payment_study_id"), ["study_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_payment_worker_id"), ["worker_id"], unique=False)

    op.create_table(
        "review",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column(
            "session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("verdict", sa.String(length=10), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("by", sa.String(length=60), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.CheckConstraint(
            "verdict IN ('approve', 'reject', 'note')", name=op.f("ck_review_verdict")
        ),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name=op.f("fk_review_session_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review")),
    )
    with op.batch_alter_table("review", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_review_session_id"), ["session_id"], unique=False)

    op.create_table(
        "token",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column(
            "session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("made_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name=op.f("fk_token_session_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_session_id"), ["session_id"], unique=False)

    op.create_table(
        "write",
        sa.Column(
            "session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("reply", sa.JSON(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name=op.f("fk_write_session_id")),
        sa.PrimaryKeyConstraint("session_id", "key", name=op.f("pk_write")),
    )
    op.create_table(
        "slot",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("unit_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=6), nullable=False),
        sa.Column("claim_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.CheckConstraint("(state = 'free') = (claim_id IS NULL)", name=op.f("ck_slot_claim")),
        sa.CheckConstraint("state IN ('free', 'leased', 'done')", name=op.f("ck_slot_state")),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_slot_claim_id")),
        sa.ForeignKeyConstraint(["unit_id"], ["unit.id"], name=op.f("fk_slot_unit_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slot")),
        sa.UniqueConstraint("claim_id", name=op.f("uq_slot_claim_id")),
        sa.UniqueConstraint("unit_id", "number", name=op.f("uq_slot_unit_id_number")),
    )
    with op.batch_alter_table("slot", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_slot_unit_id"), ["unit_id"], unique=False)

    op.create_table(
        "step",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column(
            "session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=60), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("claim_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("state", sa.String(length=7), nullable=False),
        sa.Column("shown_at", Moment(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'done', 'dropped')", name=op.f("ck_step_state")),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_step_claim_id")),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name=op.f("fk_step_session_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_step")),
        sa.UniqueConstraint("session_id", "position", name=op.f("uq_step_session_id_position")),
    )
    with op.batch_alter_table("step", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_step_claim_id"), ["claim_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_step_session_id"), ["session_id"], unique=False)

    op.create_table(
        "answer",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column(
            "session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("step_id", sa.String(length=32), nullable=False),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("response", sa.JSON(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("right", sa.Boolean(), nullable=True),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("ms", sa.Float(), nullable=True),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name=op.f("fk_answer_session_id")),
        sa.ForeignKeyConstraint(["step_id"], ["step.id"], name=op.f("fk_answer_step_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer")),
    )
    with op.batch_alter_table("answer", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_answer_session_id"), ["session_id"], unique=False)
        batch_op.create_index("ix_answer_step_id", ["step_id", "version"], unique=False)
        batch_op.create_index(
            "uq_answer_final",
            ["step_id"],
            unique=True,
            sqlite_where=sa.text("final"),
            postgresql_where=sa.text("final"),
        )
