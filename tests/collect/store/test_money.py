"""The ledger: one intent for each reason, and no way back to what may have been paid."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from tests.collect.small import START, Session

from deixis.collect.store import money
from deixis.collect.store.sessions import session
from deixis.errors import BadInput


def planned(at: Session, reason: str = "kind words", kind: str = "bonus") -> int:
    here = at.store.read(session, at.arrives(reason).key)
    made = at.store.write(
        lambda c: money.plan(
            c, session=here, kind=kind, reason=reason, amount=25, currency="USD", now=START
        )
    )
    assert made is not None
    return made


def test_the_same_reason_is_one_intent(played: Session) -> None:
    here = played.store.read(session, played.arrives("p").key)

    def plan(reason: str, amount: int = 25) -> int | None:
        return played.store.write(
            lambda c: money.plan(
                c,
                session=here,
                kind="bonus",
                reason=reason,
                amount=amount,
                currency="USD",
                now=START,
            )
        )

    first = plan("one")
    assert plan("one", 99) == first
    assert plan("two") != first
    assert plan("nothing", 0) is None
    assert played.store.read(money.totals, played.running.id) == {"bonus": {"planned": 50}}


def test_what_was_paid_can_never_be_planned_again() -> None:
    """From confirmed nothing follows, so no path leads from there to a second payment."""
    assert money.FOLLOWS["confirmed"] == ()
    assert "sent" not in money.FOLLOWS["unknown"]


def test_moves(played: Session) -> None:
    key = planned(played)
    assert played.store.write(money.move, key, "sent", START, "ref-1")
    assert not played.store.write(money.move, key, "sent", START)
    assert played.store.write(money.move, key, "unknown", START)
    with pytest.raises(BadInput, match="is unknown: it cannot become sent"):
        played.store.write(money.move, key, "sent", START)
    assert played.store.write(money.move, key, "confirmed", START)
    with pytest.raises(BadInput, match="is confirmed"):
        played.store.write(money.move, key, "planned", START)


def test_bonuses_that_were_never_heard_of_become_unknown(played: Session) -> None:
    key = planned(played)
    played.store.write(money.move, key, "sent", START)
    study = played.running.id
    assert played.store.write(money.forgotten, study, START + timedelta(minutes=9)) == 0
    assert played.store.write(money.forgotten, study, START + timedelta(minutes=11)) == 1
    assert played.store.read(money.totals, study) == {"bonus": {"unknown": 25}}


def test_hundredths() -> None:
    assert money.minor(Decimal("0.14")) == 14
    assert money.minor(Decimal("1.005")) == 101
