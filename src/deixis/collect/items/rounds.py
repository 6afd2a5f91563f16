"""Rounds of writing: sentences drawn of each writer, read by hand, and the bonus that follows.

After Suhr et al. (ACL 2019): twenty sentences of each writer are read after a round; see
`deixis.collect.items.workers.bonus` for what they earn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from deixis.collect.items.workers import Bonus, bonus, sample
from deixis.collect.store import money
from deixis.collect.store.events import note
from deixis.collect.store.sessions import session
from deixis.collect.store.tables import AnyRow, answers, events, readings, sessions, steps, workers
from deixis.collect.study import Pay
from deixis.collect.trial_types.guidelines import RULES
from deixis.errors import BadInput

TYPE = "write_contrast"
BREAKS = (*RULES, "identification", "not true of the chosen pairs only", "no sentence")
"""What a sentence may fail by, as reviewers say it."""

_DRAWN = "round drawn"
_PAID = "round paid"


@dataclass(frozen=True, slots=True)
class Writer:
    """How a writer did in a round.

    Attributes:
        worker: the row of who it is.
        name: the keyed hash.
        read: sentences that were read.
        keep: of these, that keep to the guidelines.
        left: sentences that are still to be read.
        bonus: full, small or none, as things stand.
    """

    worker: int
    name: str
    read: int
    keep: int
    left: int
    bonus: Bonus


def draw_round(c: Connection, study: int, mode: str, by: str, now: datetime) -> int:
    """Draw sentences of all that were written since the last round.

    Returns:
        The number of the round.

    Raises:
        BadInput: nothing was written since, or the last round is not read to its end.
    """
    last = latest(c, study, mode)
    if any(w.left for w in writers(c, study, mode, last)):
        raise BadInput(f"round {last} is not read to its end yet")
    rows = (
        select(answers.c.id, sessions.c.worker_id)
        .join(steps, steps.c.id == answers.c.step_id)
        .join(sessions, sessions.c.id == answers.c.session_id)
        .where(
            sessions.c.study_id == study,
            sessions.c.mode == mode,
            steps.c.type == TYPE,
            answers.c.final,
            answers.c.id > _until(c, study, mode),
        )
        .order_by(answers.c.id)
    )
    by_worker: dict[int, list[str]] = {}
    for answer, worker in c.execute(rows):
        by_worker.setdefault(worker, []).append(str(answer))
    if not by_worker:
        raise BadInput("nothing was written since the last round")
    number = last + 1
    drawn = [
        {"study_id": study, "worker_id": worker, "answer_id": int(answer), "round": number}
        | {"keeps": None, "rule": "", "by": "", "at": now}
        for worker, own in by_worker.items()
        for answer in sample(own, str(worker), number)
    ]
    c.execute(insert(readings), drawn)
    until = max(int(a) for own in by_worker.values() for a in own)
    note(c, study, None, _DRAWN, now, by=by, round=number, mode=mode, until=until, n=len(drawn))
    return number


def latest(c: Connection, study: int, mode: str) -> int:
    """The number of the last round; 0 before the first."""
    return max((row.detail["round"] for row in _rounds(c, study, mode)), default=0)


def sentences(c: Connection, study: int, mode: str, number: int) -> list[AnyRow]:
    """What is to be read in a round, with whether it keeps to the guidelines where known."""
    rows = (
        select(readings, answers.c.detail, answers.c.flags, workers.c.name, answers.c.session_id)
        .join(answers, answers.c.id == readings.c.answer_id)
        .join(workers, workers.c.id == readings.c.worker_id)
        .where(readings.c.study_id == study, readings.c.round == number, workers.c.mode == mode)
        .order_by(readings.c.worker_id, readings.c.id)
    )
    return list(c.execute(rows).all())


def writers(c: Connection, study: int, mode: str, number: int) -> list[Writer]:
    """How each writer of a round did."""
    by_worker: dict[int, list[AnyRow]] = {}
    for row in sentences(c, study, mode, number):
        by_worker.setdefault(row.worker_id, []).append(row)
    return [_writer(worker, own) for worker, own in by_worker.items()]


def _writer(worker: int, own: Sequence[AnyRow]) -> Writer:
    read = [row.keeps for row in own if row.keeps is not None]
    earned = bonus(sum(read), len(read))
    return Writer(worker, own[0].name, len(read), sum(read), len(own) - len(read), earned)


def mark(c: Connection, reading: int, rule: str, by: str, now: datetime) -> AnyRow:
    """Say that a sentence keeps to the guidelines, or which one it breaks.

    Args:
        c: inside a transaction.
        reading: its row.
        rule: empty if it keeps to all; else one of `BREAKS`.
        by: the reviewer.
        now: the time.

    Raises:
        BadInput: there is no such reading or rule, or its round was paid already.
    """
    row = c.execute(select(readings).where(readings.c.id == reading)).one_or_none()
    if row is None:
        raise BadInput(f"there is no sentence {reading} to be read")
    if rule and rule not in BREAKS:
        raise BadInput(f"there is no guideline {rule!r} (known: {', '.join(BREAKS)})")
    kind = c.execute(select(workers.c.mode).where(workers.c.id == row.worker_id)).scalar_one()
    if is_paid(c, row.study_id, kind, row.round):
        raise BadInput(f"round {row.round} was paid already")
    values: dict[str, Any] = {"keeps": not rule, "rule": rule, "by": by, "at": now}
    c.execute(update(readings).where(readings.c.id == reading).values(values))
    return row


def is_paid(c: Connection, study: int, mode: str, number: int) -> bool:
    """Whether the bonuses of a round were planned."""
    return any(row.detail["round"] == number for row in _rounds(c, study, mode, _PAID))


def pay_round(
    c: Connection, study: int, mode: str, pay: Pay, by: str, now: datetime
) -> dict[str, int]:
    """Plan the bonuses of the last round; whoever asks twice finds the first ones.

    Returns:
        How many writers get the full bonus, the smaller one, and none.

    Raises:
        BadInput: there is no round, or it is not read to its end.
    """
    number = latest(c, study, mode)
    found = writers(c, study, mode, number)
    left = sum(w.left for w in found)
    if not number or left:
        raise BadInput(f"round {number}: {left} sentences are still to be read")
    amounts = {"full": pay.round_full, "small": pay.round_small, "none": 0}
    counts = dict.fromkeys(amounts, 0)
    for writer in found:
        counts[writer.bonus] += 1
        own = select(func.max(sessions.c.id)).where(sessions.c.worker_id == writer.worker)
        amount = amounts[writer.bonus]
        if mode == "live" and amount:
            money.plan(
                c,
                session=session(c, c.execute(own).scalar_one()),
                kind="bonus",
                reason=f"round {number}",
                amount=money.minor(pay.round_full if writer.bonus == "full" else pay.round_small),
                currency=pay.currency,
                now=now,
                remark=f"{writer.keep} of {writer.read} sentences keep to the guidelines",
            )
    if not is_paid(c, study, mode, number):
        note(c, study, None, _PAID, now, by=by, round=number, mode=mode, **counts)
    return counts


def _rounds(c: Connection, study: int, mode: str, kind: str = _DRAWN) -> list[AnyRow]:
    rows = select(events.c.detail).where(events.c.study_id == study, events.c.kind == kind)
    return [row for row in c.execute(rows.order_by(events.c.id)) if row.detail["mode"] == mode]


def _until(c: Connection, study: int, mode: str) -> int:
    """The last answer that earlier rounds were drawn from."""
    return max((int(row.detail["until"]) for row in _rounds(c, study, mode)), default=0)
