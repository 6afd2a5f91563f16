"""The ledger of money: what is meant to be paid, what was sent, and what became of it.

An intent is written once for each reason before anything is sent; a payment whose fate is unknown
is never sent again by itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from deixis.collect.store.events import note
from deixis.collect.store.locks import locked
from deixis.collect.store.tables import AnyRow, payments
from deixis.errors import BadInput

FOLLOWS = {
    "planned": ("sent", "cancelled"),
    "sent": ("confirmed", "unknown", "planned"),
    "unknown": ("confirmed", "planned", "cancelled"),
    "confirmed": (),
    "cancelled": ("planned",),
}
"""What each state may become; from sent back to planned only where it surely was not paid."""

PATIENCE = timedelta(minutes=10)
"""How long a payment may be under way."""


def minor(amount: Decimal) -> int:
    """Hundredths of a currency, rounded half up.

    >>> minor(Decimal("1.205"))
    121
    """
    return int((amount * 100).quantize(Decimal(1), rounding="ROUND_HALF_UP"))


def plan(
    c: Connection,
    *,
    session: AnyRow,
    kind: str,
    reason: str,
    amount: int,
    currency: str,
    now: datetime,
    remark: str = "",
) -> int | None:
    """Write down that somebody is to be paid; once for each reason.

    Returns:
        The row, new or from before; None for nothing to pay.
    """
    if amount <= 0:
        return None
    known = select(payments.c.id).where(
        payments.c.study_id == session.study_id,
        payments.c.worker_id == session.worker_id,
        payments.c.reason == reason,
    )
    found = c.execute(known).scalar_one_or_none()
    if found is not None:
        return int(found)
    values = {
        "study_id": session.study_id,
        "worker_id": session.worker_id,
        "session_id": session.id,
        "reason": reason,
        "kind": kind,
        "amount": amount,
        "currency": currency,
        "state": "planned",
        "reference": "",
        "note": remark,
        "planned_at": now,
    }
    made = c.execute(insert(payments).values(values).returning(payments.c.id)).scalar_one()
    return int(made)


def move(c: Connection, payment: int, state: str, now: datetime, reference: str = "") -> bool:
    """Note what became of a payment.

    Returns:
        False if it is in that state already.

    Raises:
        BadInput: a payment in its state cannot come to this one.
    """
    row = c.execute(locked(select(payments).where(payments.c.id == payment))).one()
    if row.state == state:
        return False
    if state not in FOLLOWS[row.state]:
        raise BadInput(f"payment {payment} is {row.state}: it cannot become {state}")
    values: dict[str, Any] = {"state": state}
    if reference:
        values["reference"] = reference
    if state == "sent":
        values["sent_at"] = now
    if state in ("confirmed", "cancelled"):
        values["settled_at"] = now
    c.execute(update(payments).where(payments.c.id == payment).values(values))
    note(c, row.study_id, row.session_id, "payment", now, reason=row.reason, state=state)
    return True


def forgotten(c: Connection, study: int, now: datetime) -> int:
    """Bonuses that were sent long ago and never heard of: what became of them is unknown.

    So it is when a server dies between sending and the answer.

    Returns:
        How many there are.
    """
    late = select(payments.c.id).where(
        payments.c.study_id == study,
        payments.c.kind == "bonus",
        payments.c.state == "sent",
        payments.c.sent_at < now - PATIENCE,
    )
    found = list(c.execute(late).scalars())
    for payment in found:
        move(c, payment, "unknown", now)
    return len(found)


def totals(c: Connection, study: int) -> dict[str, dict[str, int]]:
    """Hundredths of the currency by kind and state; only live people are ever paid."""
    rows = (
        select(payments.c.kind, payments.c.state, func.sum(payments.c.amount))
        .where(payments.c.study_id == study)
        .group_by(payments.c.kind, payments.c.state)
    )
    found: dict[str, dict[str, int]] = {}
    for kind, state, amount in c.execute(rows):
        found.setdefault(kind, {})[state] = int(amount)
    return found
