"""Bring Prolific's state and ours together: by asking, whatever a webhook says or a person did.

Money moves in small steps, each written down before the next: planned, sent, confirmed. A payment
that may or may not have happened is unknown, and stays so until somebody says what became of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, select

from deixis.collect import flow
from deixis.collect.clock import now
from deixis.collect.platforms.prolific.client import Client, Failed, Unknown
from deixis.collect.platforms.prolific.platform import Prolific
from deixis.collect.running import Running
from deixis.collect.store import money, slots
from deixis.collect.store.engine import Store
from deixis.collect.store.events import note
from deixis.collect.store.locks import locked
from deixis.collect.store.people import raw_id
from deixis.collect.store.sessions import change, session
from deixis.collect.store.tables import AnyRow, claims, payments, sessions
from deixis.errors import BadInput

OVER = ("RETURNED", "TIMED-OUT", "REJECTED")
"""Statuses in which somebody no longer holds a place there."""


@dataclass
class Told:
    """What a reconciliation found and did.

    Attributes:
        seen: submissions that were looked at.
        strangers: ids of submissions of people who never came to us.
        changed: what was done, as (session, sentence).
    """

    seen: int = 0
    strangers: list[str] = field(default_factory=list)
    changed: list[tuple[int, str]] = field(default_factory=list)


def reconcile(store: Store, running: Running, client: Client) -> Told:
    """Ask Prolific for every submission, and act on what changed there.

    Raises:
        Unknown: Prolific does not answer; nothing is lost, ask again later.
        Failed: Prolific says no, for instance because the token is wrong.
    """
    told = Told()
    platform = _prolific(running)
    for submission in client.submissions(platform.study):
        told.seen += 1
        key, status = str(submission["id"]), str(submission["status"]).upper()

        def job(
            c: Connection, key: str = key, status: str = status
        ) -> list[tuple[int, str]] | None:
            return _heard(c, running, key, status, now())

        done = store.write(job)
        if done is None:
            told.strangers.append(key)
        else:
            told.changed += done
    return told


def _heard(
    c: Connection, running: Running, key: str, status: str, moment: datetime
) -> list[tuple[int, str]] | None:
    """Act on the status of one submission; None if it is nobody we know."""
    rows = select(sessions.c.id).where(
        sessions.c.study_id == running.id,
        sessions.c.platform == "prolific",
        sessions.c.platform_session == key,
    )
    found = c.execute(rows).scalar_one_or_none()
    if found is None:
        return None
    here = session(c, found, lock=True)
    if here.platform_status == status:
        return []
    change(c, found, platform_status=status, platform_at=moment)
    note(c, running.id, found, "platform", moment, status=status)
    sentence = _act(c, running, here, status, moment)
    return [(found, sentence)] if sentence else []


def _act(c: Connection, running: Running, here: AnyRow, status: str, moment: datetime) -> str:
    if status in OVER:
        if here.outcome is None:
            flow.finish(c, running.plan, here, "returned", moment)
        state = "rejected" if status == "REJECTED" else "returned"
        done = select(claims.c.id).where(
            claims.c.session_id == here.id, claims.c.state.in_(("done", "surplus"))
        )
        slots.release(c, list(c.execute(done).scalars()), state)
        _settle(c, here, "reward", "cancelled", moment)
        return f"{status.lower()}: the place is free again"
    if status == "APPROVED":
        _settle(c, here, "reward", "confirmed", moment)
        return "approved: the reward is paid"
    if status == "SCREENED OUT":
        _settle(c, here, "screened", "confirmed", moment)
        return "screened out"
    if status == "AWAITING REVIEW" and here.outcome is None:
        note(c, running.id, here.id, "says done, is not", moment)
        return "handed in before the end: please look"
    return ""


def _settle(c: Connection, here: AnyRow, kind: str, state: str, moment: datetime) -> None:
    """Move the session's payments of a kind as far as the ledger allows."""
    own = select(payments).where(payments.c.session_id == here.id, payments.c.kind == kind)
    for row in c.execute(own).all():
        if state == "confirmed" and row.state in ("planned", "unknown"):
            if row.state == "planned":
                money.move(c, row.id, "sent", moment)
            money.move(c, row.id, "confirmed", moment)
        elif row.state != state and state in money.FOLLOWS[row.state]:
            money.move(c, row.id, state, moment)


def approve(store: Store, running: Running, client: Client, key: int) -> str:
    """Approve a session's submission; a repeat changes nothing."""
    here = _submitted(store, running, key)
    own = _payments(store, key, "reward", ("planned", "sent"))
    _move(store, own, "sent")
    return _ask(store, own, lambda: client.approve(here.platform_session), "approved")


def reject(
    store: Store, running: Running, client: Client, key: int, message: str, category: str
) -> str:
    """Reject a session's submission: its places are free again, its reward is not owed.

    Raises:
        BadInput: the message is too short for Prolific.
    """
    if len(message) < 100:
        raise BadInput(f"Prolific wants 100 characters of explanation; this has {len(message)}")
    here = _submitted(store, running, key)
    try:
        client.reject(here.platform_session, message, category)
    except Unknown as error:
        return f"not known whether it was rejected, the next look will tell: {error}"

    def job(c: Connection) -> None:
        _heard(c, running, here.platform_session, "REJECTED", now())

    store.write(job)
    return "rejected"


def screen_out(store: Store, running: Running, client: Client, key: int) -> str:
    """Pay somebody who turned out not to be eligible, and give the place anew."""
    here = _submitted(store, running, key)
    own = _payments(store, key, "screened", ("planned",))
    if not own:
        return "nothing is owed"
    study, amount = _prolific(running).study, sum(row.amount for row in own)
    _move(store, own, "sent")
    return _ask(
        store,
        own,
        lambda: client.screen_out(study, [here.platform_session], amount),
        "screened out",
    )


def pay_bonuses(store: Store, running: Running, client: Client) -> str:
    """Pay every planned bonus of the study in one list.

    The list is written first, which pays nothing; then the rows are marked as sent, with the
    list's id, and that is on disk before the one call that pays.
    """
    own = store.read(_planned_bonuses, running.id)
    if not own:
        return "no bonus is planned"
    amounts: dict[str, int] = {}
    kept = []
    for row in own:
        person = store.read(raw_id, row.worker_id)
        if person is not None:  # an erased person can no longer be paid
            amounts[person] = amounts.get(person, 0) + row.amount
            kept.append(row)
    if not kept:
        return "no bonus can be paid: the people were erased"
    try:
        reference = client.prepare_bonuses(_prolific(running).study, sorted(amounts.items()))
    except (Failed, Unknown) as error:
        return f"nothing was paid: {error}"
    taken = _move(store, kept, "sent", reference)
    if len(taken) < len(kept):
        _move(store, taken, "planned")
        return "nothing was paid: somebody else is paying just now"
    return _ask(
        store, kept, lambda: client.pay_bonuses(reference), f"{len(kept)} bonuses paid", True
    )


def _ask(
    store: Store,
    rows: Sequence[AnyRow],
    call: Callable[[], None],
    done: str,
    confirms: bool = False,
) -> str:
    """The one call that moves money, and what the ledger says after it.

    A refusal is sure not to have paid; silence is not sure of anything.
    """
    try:
        call()
    except Failed as error:
        _move(store, rows, "planned")
        return f"nothing was done: {error}"
    except Unknown as error:
        _move(store, rows, "unknown")
        return f"not known whether it was done; nothing is sent again by itself: {error}"
    if confirms:
        _move(store, rows, "confirmed")
    return done


def _move(store: Store, rows: Sequence[AnyRow], state: str, reference: str = "") -> list[AnyRow]:
    """Move payments, those that still can; gives the ones that moved."""

    def job(c: Connection) -> list[AnyRow]:
        moved = []
        for row in rows:
            held = locked(select(payments.c.state).where(payments.c.id == row.id))
            if state in money.FOLLOWS[c.execute(held).scalar_one()]:
                money.move(c, row.id, state, now(), reference)
                moved.append(row)
        return moved

    return store.write(job)


def _payments(store: Store, key: int, kind: str, states: tuple[str, ...]) -> list[AnyRow]:
    own = select(payments).where(
        payments.c.session_id == key, payments.c.kind == kind, payments.c.state.in_(states)
    )
    return store.read(lambda c: list(c.execute(own).all()))


def _planned_bonuses(c: Connection, study: int) -> list[AnyRow]:
    own = select(payments).where(
        payments.c.study_id == study, payments.c.kind == "bonus", payments.c.state == "planned"
    )
    return list(c.execute(own.order_by(payments.c.id)).all())


def _submitted(store: Store, running: Running, key: int) -> AnyRow:
    here = store.read(session, key)
    if here.study_id != running.id or not here.platform_session:
        raise BadInput("this visit did not come from Prolific")
    return here


def _prolific(running: Running) -> Prolific:
    if not isinstance(running.platform, Prolific) or not running.platform.study:
        raise BadInput(f"{running.study.name}: its file names no study on Prolific")
    return running.platform
