"""The log of live dialogs in the store: the truth about them, whatever sockets do."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from deixis.collect.live.game import SEATS, Entry, Game, after, fold
from deixis.collect.store.tables import AnyRow, lines, seats, talks
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


def sit(c: Connection, room: Room, token: str, policy: Policy, now: datetime) -> Seat:
    """The seat of a token: the one it has, else one beside somebody who waits, else a new dialog.

    A token is good for one dialog: after its end it leads there still.

    Args:
        c: inside a transaction.
        room: which kind of dialog.
        token: the person's own; only its hash is kept.
        policy: who counts as being there.
        now: the time.
    """
    name = hashed(token)
    own = select(seats.c.talk_id, seats.c.role, talks.c.trial).join(
        talks, talks.c.id == seats.c.talk_id
    )
    mine = own.where(seats.c.token == name, talks.c.room == room.name)
    known = c.execute(mine.order_by(seats.c.id.desc()).limit(1)).first()
    if known is None:
        return _beside(c, room, name, policy, now) or _new(c, room, name, now)
    heard(c, known.talk_id, known.role, now)
    return Seat(known.talk_id, known.role, known.trial)


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _beside(c: Connection, room: Room, name: str, policy: Policy, now: datetime) -> Seat | None:
    """A seat beside somebody who was heard lately, and is alone."""
    if room.bots:
        return None
    taken = func.count(seats.c.id)
    alone = (
        select(talks.c.id, talks.c.trial, func.max(seats.c.role).label("role"))
        .join(seats, seats.c.talk_id == talks.c.id)
        .where(talks.c.room == room.name, talks.c.over == "")
        .group_by(talks.c.id, talks.c.trial)
        .having(taken == 1, func.max(seats.c.seen_at) >= now - timedelta(seconds=policy.fresh))
        .order_by(talks.c.id)
        .limit(1)
    )
    talk = c.execute(alone).first()
    if talk is None:
        return None
    role = next(s for s in SEATS if s != talk.role)
    return _take(c, talk.id, role, name, talk.trial, now)


def _new(c: Connection, room: Room, name: str, now: datetime) -> Seat:
    """A new dialog about the trial that was talked about least."""
    rows = select(talks.c.trial, func.count().label("n")).where(talks.c.room == room.name)
    counts = {row.trial: row.n for row in c.execute(rows.group_by(talks.c.trial))}
    trial = min(room.trials, key=lambda t: (counts.get(t, 0), digest("talk", t)))
    values = {"room": room.name, "trial": trial, "seq": 0, "over": "", "at": now}
    talk = c.execute(insert(talks).values(values).returning(talks.c.id)).scalar_one()
    free = [s for s in SEATS if s not in room.bots]
    return _take(c, talk, free[talk % len(free)], name, trial, now)


def _take(c: Connection, talk: int, role: str, name: str, trial: str, now: datetime) -> Seat:
    values = {"talk_id": talk, "role": role, "token": name, "seen_at": now}
    c.execute(insert(seats).values(values))
    return Seat(talk, role, trial)


def seated(c: Connection, talk: int) -> list[str]:
    """Roles that people have taken."""
    return list(c.execute(select(seats.c.role).where(seats.c.talk_id == talk)).scalars())


def game_of(c: Connection, room: Room, talk: int) -> Game:
    """Where a dialog stands, by its log."""
    trial = c.execute(select(talks.c.trial).where(talks.c.id == talk)).scalar_one()
    return fold(room.game(trial), entries(c, talk))


def entries(c: Connection, talk: int, since: int = 0) -> list[Entry]:
    """The log of a dialog behind a sequence number."""
    rows = select(lines).where(lines.c.talk_id == talk, lines.c.seq > since)
    return [_entry(row) for row in c.execute(rows.order_by(lines.c.seq))]


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
) -> int:
    """Add a line to a dialog, once for each key.

    Returns:
        Its sequence number; of a repeat the first one.

    Raises:
        Refused: it is not that seat's turn, or it says nothing.
    """
    c.execute(select(talks.c.id).where(talks.c.id == talk).with_for_update()).one()
    known = select(lines.c.seq).where(lines.c.talk_id == talk, lines.c.key == f"{by}/{key}")
    before = c.execute(known).scalar_one_or_none()
    if before is not None:
        return int(before)
    game = game_of(c, room, talk)
    made = after(game, Entry(game.seq + 1, by, kind, body))
    row = {"talk_id": talk, "seq": made.seq, "key": f"{by}/{key}", "by": by}
    c.execute(insert(lines).values(row | {"kind": kind, "body": dict(body), "at": now}))
    here = talks.c.id == talk
    c.execute(update(talks).where(here).values(seq=made.seq, over=made.over))
    return made.seq


def heard(c: Connection, talk: int, role: str, now: datetime) -> None:
    """Note that somebody is still there."""
    here = (seats.c.talk_id == talk) & (seats.c.role == role)
    c.execute(update(seats).where(here).values(seen_at=now))


def reap(c: Connection, room: Room, policy: Policy, now: datetime) -> int:
    """End dialogs that somebody has left, or to which nobody came; how many were ended.

    Whoever stays is told so and is paid for it, see `deixis.collect.live.game.owed`.
    """
    ended = 0
    open_ = select(talks.c.id).where(talks.c.room == room.name, talks.c.over == "")
    for talk in list(c.execute(open_).scalars()):
        rows = select(seats.c.role, seats.c.seen_at).where(seats.c.talk_id == talk)
        seen = {row.role: row.seen_at for row in c.execute(rows)}
        alone = len(seen) + len(room.bots) < len(SEATS)
        limit = timedelta(seconds=policy.lobby if alone else policy.grace)
        gone = [role for role, at in seen.items() if now - at > limit]
        if not gone:
            continue
        why = "nobody came" if alone else "partner lost"
        say(c, room, talk, min(gone, key=lambda r: seen[r]), "end", "end", {"why": why}, now)
        ended += 1
    return ended
