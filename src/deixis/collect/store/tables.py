"""The tables. What must never happen is forbidden here, in the schema, not in code."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Row,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

AnyRow: TypeAlias = Row[*tuple[Any, ...]]
"""A row of any table or query."""

MODES = ("live", "test")
"""People in earnest, and everybody else (previews, simulations): apart in every count."""


class Moment(TypeDecorator[datetime]):
    """A time in UTC with its offset: a timestamp with zone, or in SQLite a text that sorts."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """The column of a dialect."""
        kind = DateTime(timezone=True) if dialect.name == "postgresql" else String(32)
        return dialect.type_descriptor(kind)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Into the store."""
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc if dialect.name == "postgresql" else utc.isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Out of the store."""
        found: datetime | None = datetime.fromisoformat(value) if isinstance(value, str) else value
        return None if found is None else found.astimezone(UTC)


def _key() -> Column[int]:
    kind = BigInteger().with_variant(Integer, "sqlite")
    return Column("id", kind, primary_key=True, autoincrement=True)


def _to(target: str, name: str | None = None, **more: Any) -> Column[Any]:
    """A reference to a row of another table."""
    more = {"nullable": False, "index": True} | more
    return Column(name or f"{target}_id", ForeignKey(f"{target}.id"), **more)


studies = Table(
    "study",
    metadata,
    _key(),
    Column("name", String(60), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("hash", String(16), nullable=False),
    Column("title", Text, nullable=False),
    Column("body", JSON, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("state", String(10), nullable=False),
    Column("installed_at", Moment, nullable=False),
    CheckConstraint("state IN ('open', 'paused', 'closed')", name="state"),
)

arms = Table(
    "arm",
    metadata,
    _key(),
    _to("study"),
    Column("mode", String(4), nullable=False),
    Column("name", String(60), nullable=False),
    Column("condition", Text, nullable=False),
    Column("taken", Integer, nullable=False, server_default=text("0")),
    UniqueConstraint("study_id", "mode", "name"),
    CheckConstraint("mode IN ('live', 'test')", name="mode"),
    CheckConstraint("taken >= 0", name="taken"),
)

things = Table(
    "thing",
    metadata,
    _key(),
    Column("collection", String(60), nullable=False),
    Column("mode", String(4), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("key", String(80), nullable=False),
    Column("synset", Text, nullable=False),
    Column("split", String(10), nullable=False),
    Column("state", String(10), nullable=False),
    Column("why", Text, nullable=False),
    Column("body", JSON, nullable=False),
    Column("at", Moment, nullable=False),
    UniqueConstraint("collection", "kind", "key"),
    CheckConstraint("mode IN ('live', 'test')", name="mode"),
    CheckConstraint("kind IN ('eight', 'example')", name="kind"),
    CheckConstraint("state IN ('written', 'validated', 'kept', 'dropped')", name="state"),
)
"""What studies of a collection hand to each other: sets of eight, and examples."""

Index("ix_thing_line", things.c.collection, things.c.mode, things.c.kind, things.c.state)

units = Table(
    "unit",
    metadata,
    _key(),
    _to("arm"),
    Column("key", Text, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("taken", Integer, nullable=False, server_default=text("0")),
    Column("open", Boolean, nullable=False),
    _to("thing", nullable=True),
    UniqueConstraint("arm_id", "key"),
    # Slots that are leased or done: never more than there are.
    CheckConstraint("taken >= 0 AND taken <= wanted", name="taken"),
)
Index("ix_unit_queue", units.c.arm_id, units.c.open, units.c.taken, units.c.rank)

people = Table(
    "person",
    metadata,
    _key(),
    Column("platform", String(40), nullable=False),
    Column("raw", Text, nullable=False),
    UniqueConstraint("platform", "raw"),
)
"""The only place of raw ids."""

workers = Table(
    "worker",
    metadata,
    _key(),
    _to("study"),
    _to("person", nullable=True),
    Column("name", String(32), nullable=False),
    Column("mode", String(4), nullable=False),
    Column("workload", Integer, nullable=False, server_default=text("0")),
    Column("joined_at", Moment, nullable=False),
    UniqueConstraint("study_id", "name"),
    UniqueConstraint("study_id", "person_id"),
    CheckConstraint("mode IN ('live', 'test')", name="mode"),
)
"""A person in one study, under a keyed hash; `workload` counts claims that are live or done."""

hands = Table(
    "hand",
    metadata,
    _key(),
    _to("thing"),
    _to("person"),
    _to("study"),
    Column("role", String(6), nullable=False),
    Column("said", String(10), nullable=False),
    Column("at", Moment, nullable=False),
    # Whoever wrote a sentence does not judge it, and nobody judges an example twice, in whatever
    # study: each example passes through a person's hands once.
    UniqueConstraint("thing_id", "person_id"),
    CheckConstraint("role IN ('wrote', 'judged')", name="role"),
)
"""Who wrote and who judged an example, and what they said of it."""

sessions = Table(
    "session",
    metadata,
    _key(),
    _to("study"),
    _to("worker"),
    Column("visit", Integer, nullable=False),
    Column("mode", String(4), nullable=False),
    Column("study_hash", String(16), nullable=False),
    Column("seed", String(32), nullable=False),
    Column("arm", String(60), nullable=False),
    Column("phase", String(60), nullable=False),
    Column("outcome", String(20)),
    Column("stopping", Boolean, nullable=False),
    Column("arrived_at", Moment, nullable=False),
    Column("seen_at", Moment, nullable=False),
    Column("finished_at", Moment),
    Column("platform", String(40), nullable=False),
    Column("platform_study", Text, nullable=False),
    Column("platform_session", Text, nullable=False),
    Column("platform_status", String(40), nullable=False),
    Column("platform_at", Moment),
    Column("captured", JSON, nullable=False),
    UniqueConstraint("study_id", "worker_id", "visit"),
    CheckConstraint("(outcome IS NULL) = (finished_at IS NULL)", name="finished"),
)
Index("ix_session_open", sessions.c.study_id, sessions.c.mode, sessions.c.outcome)
Index("ix_session_platform", sessions.c.platform, sessions.c.platform_session)

tokens = Table(
    "token",
    metadata,
    Column("id", String(64), primary_key=True),
    _to("session"),
    Column("made_at", Moment, nullable=False),
)
"""Hashes of the tokens by which browsers name their session."""

claims = Table(
    "claim",
    metadata,
    _key(),
    _to("unit"),
    _to("session"),
    _to("worker"),
    Column("state", String(10), nullable=False),
    Column("leased_at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("done_at", Moment),
    # Nobody gets a unit twice, whatever became of the first time.
    UniqueConstraint("worker_id", "unit_id"),
    CheckConstraint(
        "state IN ('live', 'done', 'surplus', 'expired', 'returned', 'rejected')", name="state"
    ),
)
Index("ix_claim_lease", claims.c.state, claims.c.until)

slots = Table(
    "slot",
    metadata,
    _key(),
    _to("unit"),
    Column("number", Integer, nullable=False),
    Column("state", String(6), nullable=False),
    Column("claim_id", ForeignKey("claim.id"), unique=True),
    UniqueConstraint("unit_id", "number"),
    CheckConstraint("state IN ('free', 'leased', 'done')", name="state"),
    CheckConstraint("(state = 'free') = (claim_id IS NULL)", name="claim"),
)

steps = Table(
    "step",
    metadata,
    Column("id", String(32), primary_key=True),
    _to("session"),
    Column("position", Integer, nullable=False),
    Column("phase", String(60), nullable=False),
    Column("type", String(40), nullable=False),
    Column("key", Text, nullable=False),
    _to("claim", nullable=True),
    Column("state", String(7), nullable=False),
    Column("shown_at", Moment),
    UniqueConstraint("session_id", "position"),
    CheckConstraint("state IN ('open', 'done', 'dropped')", name="state"),
)

answers = Table(
    "answer",
    metadata,
    _key(),
    _to("session"),
    Column("step_id", ForeignKey("step.id"), nullable=False),
    Column("final", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("response", JSON, nullable=False),
    Column("detail", JSON, nullable=False),
    Column("right", Boolean),
    Column("value", Float),
    Column("flags", JSON, nullable=False),
    Column("ms", Float),
    Column("at", Moment, nullable=False),
    Index("ix_answer_step_id", "step_id", "version"),
)
Index(
    "uq_answer_final",
    answers.c.step_id,
    unique=True,
    sqlite_where=text("final"),
    postgresql_where=text("final"),
)
"""Drafts and finals are rows apart; a step has one final answer, and nothing is overwritten."""

writes = Table(
    "write",
    metadata,
    Column("session_id", ForeignKey("session.id"), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("digest", String(32), nullable=False),
    Column("status", Integer, nullable=False),
    Column("reply", JSON, nullable=False),
    Column("at", Moment, nullable=False),
)
"""The first reply to each write; a repeat gets it again."""

events = Table(
    "event",
    metadata,
    _key(),
    _to("study"),
    _to("session", nullable=True),
    Column("kind", String(40), nullable=False),
    Column("detail", JSON, nullable=False),
    Column("at", Moment, nullable=False),
)
"""What happened, in order; never changed."""

reviews = Table(
    "review",
    metadata,
    _key(),
    _to("session"),
    Column("verdict", String(10), nullable=False),
    Column("note", Text, nullable=False),
    Column("by", String(60), nullable=False),
    Column("at", Moment, nullable=False),
    CheckConstraint("verdict IN ('approve', 'reject', 'note')", name="verdict"),
)

readings = Table(
    "reading",
    metadata,
    _key(),
    _to("study"),
    _to("worker"),
    Column("answer_id", ForeignKey("answer.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("keeps", Boolean),
    Column("rule", String(40), nullable=False),
    Column("by", String(60), nullable=False),
    Column("at", Moment, nullable=False),
    UniqueConstraint("answer_id"),
)
"""Sentences drawn to be read by hand after a round, and whether they keep to the guidelines."""

payments = Table(
    "payment",
    metadata,
    _key(),
    _to("study"),
    _to("worker"),
    _to("session", nullable=True),
    Column("reason", String(120), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("amount", Integer, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("state", String(10), nullable=False),
    Column("reference", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("planned_at", Moment, nullable=False),
    Column("sent_at", Moment),
    Column("settled_at", Moment),
    # One intent for each reason: whoever asks twice finds the first.
    UniqueConstraint("study_id", "worker_id", "reason"),
    CheckConstraint("amount > 0", name="amount"),
    CheckConstraint("kind IN ('reward', 'bonus', 'screened')", name="kind"),
    CheckConstraint(
        "state IN ('planned', 'sent', 'confirmed', 'unknown', 'cancelled')", name="state"
    ),
)
"""The ledger of money, in hundredths of the currency."""

notices = Table(
    "notice",
    metadata,
    Column("id", String(120), primary_key=True),
    Column("kind", String(60), nullable=False),
    Column("body", JSON, nullable=False),
    Column("at", Moment, nullable=False),
)
"""Events that a platform told us of, by its id: each acts once."""

admins = Table(
    "admin",
    metadata,
    _key(),
    Column("name", String(60), nullable=False, unique=True),
    Column("password", Text, nullable=False),
    Column("role", String(10), nullable=False),
    Column("made_at", Moment, nullable=False),
    CheckConstraint("role IN ('owner', 'reviewer', 'viewer')", name="role"),
)

logins = Table(
    "login",
    metadata,
    Column("id", String(64), primary_key=True),
    _to("admin"),
    Column("until", Moment, nullable=False),
)

exports = Table(
    "export",
    metadata,
    _key(),
    _to("study"),
    Column("form", String(20), nullable=False),
    Column("state", String(10), nullable=False),
    Column("note", Text, nullable=False),
    Column("by", String(60), nullable=False),
    Column("at", Moment, nullable=False),
    CheckConstraint("state IN ('running', 'done', 'failed')", name="state"),
)

talks = Table(
    "talk",
    metadata,
    _key(),
    Column("room", String(60), nullable=False),
    Column("trial", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("over", String(20), nullable=False),
    Column("at", Moment, nullable=False),
)
"""Live dialogs; `seq` and `over` repeat what their lines say, so that they can be looked up."""

Index("ix_talk_room", talks.c.room, talks.c.over)

seats = Table(
    "seat",
    metadata,
    _key(),
    _to("talk"),
    Column("role", String(10), nullable=False),
    Column("token", String(64), nullable=False, index=True),
    Column("seen_at", Moment, nullable=False),
    _to("session", nullable=True),
    UniqueConstraint("talk_id", "role"),
    CheckConstraint("role IN ('questioner', 'answerer')", name="role"),
)

lines = Table(
    "line",
    metadata,
    _key(),
    _to("talk"),
    Column("seq", Integer, nullable=False),
    Column("key", String(80), nullable=False),
    Column("by", String(10), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("body", JSON, nullable=False),
    Column("at", Moment, nullable=False),
    # The log of a dialog: no number twice, and nothing said twice.
    UniqueConstraint("talk_id", "seq"),
    UniqueConstraint("talk_id", "key"),
)
