"""The log of live dialogs in the store: the truth about them, whatever sockets do."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, FromClause, bindparam, func, insert, select, update

from deixis.collect.live.game import SEATS, Entry, Game, after, fold, owed
from deixis.collect.store.locks import locked
from deixis.collect.store.tables import AnyRow, lines, seats, sessions, talks, workers
from deixis.collect.trial import Refused
from deixis.seeds import digest


@dataclass(frozen=True, slots=True)
class Policy:
    """How long to wait for whom, in seconds.

    Attributes:
        fresh: somebody heard so lately can be given a partner.
        grace: a partner may be away for so long.
        lobby: somebody may wait for a partner for so long.
    """

    fresh: float = 15
    grace: float = 90
    lobby: float = 300


@dataclass(frozen=True, slots=True)
class Room:
    """What dialogs of one kind have in common.

    Attributes:
        name: of the study.
        trials: ids of its trials.
        rounds: in each dialog.
        pools: size of the pool of each trial.
        bots: seats that bots take.
    """

    name: str
    trials: tuple[str, ...]
    rounds: int
    pools: Mapping[str, int]
    bots: tuple[str, ...] = ()

    def game(self, trial: str) -> Game:
        """A dialog's beginning; bots are always ready."""
        return Game(self.rounds, self.pools[trial], ready=frozenset(self.bots))


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a dialog."""

    talk: int
    role: str
    trial: str


@dataclass(frozen=True, slots=True)
class Guest:
    """Who takes a seat.

    Attributes:
        token: what names the seat; only its hash is kept.
        session: the visit of a study that it belongs to, if any.
        person: whose visit it is, where that is known.
    """

    token: str
    session: int | None = None
    person: int | None = None


# Built once: these are asked with every message, and building them costs as much as asking.
_ENTRIES = (
    select(lines)
    .where(lines.c.talk_id == bindparam("talk"), lines.c.seq > bindparam("since"))
    .order_by(lines.c.seq)
)
_LOCK = locked(select(talks.c.id).where(talks.c.id == bindparam("talk")))
_KNOWN = select(lines.c.seq).where(
    lines.c.talk_id == bindparam("talk"), lines.c.key == bindparam("key")
)
_HEARD = (
    update(seats)
    .where(seats.c.talk_id == bindparam("talk"), seats.c.role == bindparam("seat"))
    .values(seen_at=bindparam("at"))
)
_GROWN = (
    update(talks)
    .where(talks.c.id == bindparam("talk"))
    .values(seq=bindparam("last"), over=bindparam("why"))
)
_LINE = insert(lines)


def sit(c: Connection, room: Room, guest: Guest, policy: Policy, now: datetime) -> Seat:
    """The seat of a guest: the one it has, else one beside somebody who waits, else a new dialog.

    A token is good for one dialog: after its end it leads there still. Nobody gets a partner who is
    the same person, nor a picture that they have talked about before.

    Args:
        c: inside a transaction.
        room: which kind of dialog.
        guest: who comes.
        policy: who counts as being there.
        now: the time.

    Raises:
        Refused: this person has talked about every picture.
    """
    own = select(seats.c.talk_id, seats.c.role, talks.c.trial).join(
        talks, talks.c.id == seats.c.talk_id
    )
    mine = own.where(seats.c.token == hashed(guest.token), talks.c.room == room.name)
    known = c.execute(mine.order_by(seats.c.id.desc()).limit(1)).first()
    if known is None:
        before = _talked_about(c, room, guest)
        found = _beside(c, room, guest, before, policy, now)
        return found or _new(c, room, guest, before, now)
    heard(c, known.talk_id, known.role, now)
    return Seat(known.talk_id, known.role, known.trial)


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _people() -> FromClause:
    """Seats with whose they are."""
    return seats.join(sessions, sessions.c.id == seats.c.session_id).join(
        workers, workers.c.id == sessions.c.worker_id
    )


def _talked_about(c: Connection, room: Room, guest: Guest) -> set[str]:
    """Trials that a person has had a seat in."""
    if guest.person is None:
        return set()
    rows = (
        select(talks.c.trial)
        .select_from(_people().join(talks, talks.c.id == seats.c.talk_id))
        .where(talks.c.room == room.name, workers.c.person_id == guest.person)
    )
    return set(c.execute(rows).scalars())


def _beside(
    c: Connection, room: Room, guest: Guest, before: set[str], policy: Policy, now: datetime
) -> Seat | None:
    """A seat beside somebody who was heard lately, and is alone."""
    if room.bots:
        return None
    taken = func.count(seats.c.id)
    alone = (
        select(talks.c.id, talks.c.trial, func.max(seats.c.role).label("role"))
        .join(seats, seats.c.talk_id == talks.c.id)
        .where(talks.c.room == room.name, talks.c.over == "", talks.c.trial.not_in(before))
        .group_by(talks.c.id, talks.c.trial)
        .having(taken == 1, func.max(seats.c.seen_at) >= now - timedelta(seconds=policy.fresh))
        .order_by(talks.c.id)
        .limit(1)
    )
    talk = c.execute(alone).first()
    if talk is None:
        return None
    role = next(s for s in SEATS if s != talk.role)
    return _take(c, talk.id, role, guest, talk.trial, now)


def _new(c: Connection, room: Room, guest: Guest, before: set[str], now: datetime) -> Seat:
    """A new dialog about the trial that was talked about least."""
    rows = select(talks.c.trial, func.count().label("n")).where(talks.c.room == room.name)
    counts = {row.trial: row.n for row in c.execute(rows.group_by(talks.c.trial))}
    left = [t for t in room.trials if t not in before]
    if not left:
        raise Refused("You have talked about all pictures that there are. Thank you!")
    trial = min(left, key=lambda t: (counts.get(t, 0), digest("talk", t)))
    values = {"room": room.name, "trial": trial, "seq": 0, "over": "", "at": now}
    talk = c.execute(insert(talks).values(values).returning(talks.c.id)).scalar_one()
    free = [s for s in SEATS if s not in room.bots]
    return _take(c, talk, free[talk % len(free)], guest, trial, now)


def _take(c: Connection, talk: int, role: str, guest: Guest, trial: str, now: datetime) -> Seat:
    values = {"talk_id": talk, "role": role, "token": hashed(guest.token), "seen_at": now}
    c.execute(insert(seats).values(values | {"session_id": guest.session}))
    return Seat(talk, role, trial)


def seated(c: Connection, talk: int) -> list[str]:
    """Roles that people have taken."""
    return list(c.execute(select(seats.c.role).where(seats.c.talk_id == talk)).scalars())


def game_of(c: Connection, room: Room, talk: int, known: Game | None = None) -> Game:
    """Where a dialog stands, by its log.

    Args:
        c: a connection.
        room: which kind of dialog.
        talk: the dialog.
        known: where it stood at some time; only what was said since is read.
    """
    if known is None:
        known = room.game(trial_of(c, talk))
    return fold(known, entries(c, talk, known.seq))


def trial_of(c: Connection, talk: int) -> str:
    """The trial that a dialog is about."""
    return str(c.execute(select(talks.c.trial).where(talks.c.id == talk)).scalar_one())


def entries(c: Connection, talk: int, since: int = 0) -> list[Entry]:
    """The log of a dialog behind a sequence number."""
    return [_entry(row) for row in c.execute(_ENTRIES, {"talk": talk, "since": since})]


def _entry(row: AnyRow) -> Entry:
    return Entry(row.seq, row.by, row.kind, row.body)


def say(
    c: Connection,
    room: Room,
    talk: int,
    by: str,
    key: str,
    kind: str,
    body: Mapping[str, Any],
    now: datetime,
    known: Game | None = None,
) -> tuple[int, Game]:
    """Add a line to a dialog, once for each key.

    Returns:
        Its sequence number, of a repeat the first one; and where the dialog stands then.

    Raises:
        Refused: it is not that seat's turn, or it says nothing.
    """
    c.execute(_LOCK, {"talk": talk}).one()
    before = c.execute(_KNOWN, {"talk": talk, "key": f"{by}/{key}"}).scalar_one_or_none()
    game = game_of(c, room, talk, known)
    if before is not None:
        return int(before), game
    made = after(game, Entry(game.seq + 1, by, kind, body))
    row = {"talk_id": talk, "seq": made.seq, "key": f"{by}/{key}", "by": by}
    c.execute(_LINE, row | {"kind": kind, "body": dict(body), "at": now})
    c.execute(_GROWN, {"talk": talk, "last": made.seq, "why": made.over})
    return made.seq, made


def heard(c: Connection, talk: int, role: str, now: datetime) -> None:
    """Note that somebody is still there."""
    c.execute(_HEARD, {"talk": talk, "seat": role, "at": now})


def outcome(c: Connection, token: str) -> tuple[str, str]:
    """How the dialog of a seat ended, and what the seat is owed; empty while it goes on."""
    rows = (
        select(seats.c.role, seats.c.talk_id, talks.c.over)
        .join(talks, talks.c.id == seats.c.talk_id)
        .where(seats.c.token == hashed(token), talks.c.over != "")
        .order_by(seats.c.id.desc())
        .limit(1)
    )
    seat = c.execute(rows).first()
    if seat is None:
        return "", ""
    last = select(lines.c.by).where(lines.c.talk_id == seat.talk_id, lines.c.kind == "end")
    ended_by = c.execute(last).scalars().first() or ""
    if seat.over == "erased":
        return "left", "stayed"
    return seat.over, owed(Game(0, 0, over=seat.over, ended_by=ended_by), seat.role)


def open_talks(c: Connection, which: Collection[int]) -> dict[int, tuple[int, int]]:
    """The last sequence number, and the number of people, of each of these dialogs."""
    rows = (
        select(talks.c.id, talks.c.seq, func.count(seats.c.id))
        .join(seats, seats.c.talk_id == talks.c.id)
        .where(talks.c.id.in_(which))
        .group_by(talks.c.id, talks.c.seq)
    )
    return {talk: (seq, n) for talk, seq, n in c.execute(rows)}


def reap(c: Connection, room: Room, policy: Policy, now: datetime) -> int:
    """End dialogs that somebody has left, or to which nobody came; how many were ended.

    Whoever stays is told so and is paid for it, see `deixis.collect.live.game.owed`. Somebody who
    waits for a partner is told in the end that nobody came, however faithfully they wait.
    """
    ended = 0
    open_ = select(talks.c.id, talks.c.at).where(talks.c.room == room.name, talks.c.over == "")
    for talk in c.execute(open_).all():
        rows = select(seats.c.role, seats.c.seen_at).where(seats.c.talk_id == talk.id)
        seen = {row.role: row.seen_at for row in c.execute(rows)}
        alone = len(seen) + len(room.bots) < len(SEATS)
        if alone and now - talk.at > timedelta(seconds=policy.lobby):
            say(c, room, talk.id, min(seen), "end", "end", {"why": "nobody came"}, now)
            ended += 1
            continue
        gone = [role for role, at in seen.items() if now - at > timedelta(seconds=policy.grace)]
        if alone or not gone:
            continue
        first = min(gone, key=lambda r: seen[r])
        say(c, room, talk.id, first, "end", "end", {"why": "partner lost"}, now)
        ended += 1
    return ended


def walk_out(c: Connection, session: int, now: datetime) -> None:
    """Somebody leaves the study in the middle of a dialog: it ends, and the partner is told."""
    rows = (
        select(talks.c.id, talks.c.seq, seats.c.role)
        .join(seats, seats.c.talk_id == talks.c.id)
        .where(seats.c.session_id == session, talks.c.over == "")
    )
    for talk, seq, role in c.execute(locked(rows, of=talks)).all():
        row = {"talk_id": talk, "seq": seq + 1, "key": f"{role}/left the study", "by": role}
        c.execute(_LINE, row | {"kind": "end", "body": {"why": "left"}, "at": now})
        c.execute(_GROWN, {"talk": talk, "last": seq + 1, "why": "left"})


def forget(c: Connection, session: Iterable[int]) -> None:
    """Erase what people of some sessions said; that it was said, and when, stays in the log."""
    own = c.execute(select(seats).where(seats.c.session_id.in_(list(session)))).all()
    for seat in own:
        here = (lines.c.talk_id == seat.talk_id) & (lines.c.by == seat.role)
        blank = {"question": {"text": "erased"}, "answer": {"text": "erased"}}
        for kind, body in (blank | {"guess": {"place": 0}}).items():
            c.execute(update(lines).where(here, lines.c.kind == kind).values(body=body))
        gone = {"token": f"erased-{secrets.token_hex(8)}", "session_id": None}
        c.execute(update(seats).where(seats.c.id == seat.id).values(gone))
        c.execute(update(talks).where(talks.c.id == seat.talk_id).values(over="erased"))
