"""What researchers do: open and close, want more, review, pay, export, erase, keep accounts."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Form
from sqlalchemy import Connection, insert, select, update
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from deixis.collect.admin.sign_in import acts, show
from deixis.collect.clock import now
from deixis.collect.context import Collect, collect_of
from deixis.collect.export.jobs import FORMS, start_export
from deixis.collect.platforms.prolific import sync
from deixis.collect.platforms.prolific.client import Failed, Unknown
from deixis.collect.platforms.prolific.hooks import client_for
from deixis.collect.running import Running
from deixis.collect.store import money, people, slots
from deixis.collect.store.accounts import Account, add_account, list_accounts, remove_account
from deixis.collect.store.events import note
from deixis.collect.store.sessions import session
from deixis.collect.store.tables import AnyRow, claims, payments, reviews, sessions, studies
from deixis.errors import BadInput

router = APIRouter(prefix="/admin", include_in_schema=False)

Reviewer = Annotated[Account, Depends(acts("reviewer"))]
Owner = Annotated[Account, Depends(acts("owner"))]
Server = Annotated[Collect, Depends(collect_of)]


@router.post("/studies/{name}/state")
def set_state(
    name: str,
    account: Owner,
    server: Server,
    state: Annotated[Literal["open", "paused", "closed"], Form()],
) -> Response:
    """Open, pause or close a study; who has begun may always finish."""
    running = server.named(name)

    def job(c: Connection) -> None:
        c.execute(update(studies).where(studies.c.id == running.id).values(state=state))
        note(c, running.id, None, state, now(), by=account.name)

    server.store.write(job)
    return _back(f"/admin/studies/{name}")


@router.post("/studies/{name}/top-up")
def top_up(
    name: str,
    account: Owner,
    server: Server,
    wanted: Annotated[int, Form(ge=1, le=10_000)],
    keys: Annotated[str, Form(max_length=100_000)] = "",
) -> Response:
    """Want more answers of some items, or of all."""
    running = server.named(name)
    chosen = [line.strip() for line in keys.splitlines() if line.strip()]
    pool = running.plan.pool
    known = {unit.key for unit in pool.units} if pool else set()
    strangers = [key for key in chosen if key not in known]
    if strangers:
        raise HTTPException(422, f"this study has no item {strangers[0]!r}")

    def job(c: Connection) -> None:
        n = slots.top_up(c, running.id, wanted, chosen or None)
        note(c, running.id, None, "topped up", now(), by=account.name, wanted=wanted, units=n)

    server.store.write(job)
    return _back(f"/admin/studies/{name}")


@router.post("/studies/{name}/export")
def export(name: str, account: Reviewer, server: Server, form: Annotated[str, Form()]) -> Response:
    """Begin an export."""
    if form not in FORMS:
        raise HTTPException(422, f"there is no export {form!r}")
    start_export(server.store, server.named(name), form, account.name, server.home)
    return _back(f"/admin/studies/{name}#exports")


@router.post("/studies/{name}/look")
def look(name: str, account: Reviewer, server: Server) -> Response:
    """Ask the platform how things stand."""
    running = server.named(name)
    client = client_for(running)
    if client is None:
        raise HTTPException(409, "this study has no platform that can be asked")
    try:
        sync.reconcile(server.store, running, client)
    except (Failed, Unknown) as error:
        raise HTTPException(502, str(error)) from None
    finally:
        client.close()
    return _back(f"/admin/studies/{name}")


@router.post("/studies/{name}/pay")
def pay(name: str, account: Owner, server: Server) -> Response:
    """Pay the planned bonuses through the platform."""
    running = server.named(name)
    client = client_for(running)
    if client is None:
        raise HTTPException(409, "this study has no platform that can pay")
    try:
        said = sync.pay_bonuses(server.store, running, client)
    finally:
        client.close()
    server.store.write(note, running.id, None, "pay", now(), by=account.name, said=said)
    return _back(f"/admin/studies/{name}/money")


@router.post("/visits/{key}/review")
def review(
    key: int,
    account: Reviewer,
    server: Server,
    verdict: Annotated[Literal["approve", "reject", "note"], Form()],
    words: Annotated[str, Form(max_length=5_000)] = "",
    category: Annotated[str, Form(max_length=40)] = "OTHER",
) -> Response:
    """Approve or reject a visit, here and on the platform; or just say something of it."""
    here, running = _visit(server, key)
    client = client_for(running) if verdict != "note" and here.platform == "prolific" else None
    said = ""
    if client is not None:
        try:
            if verdict == "approve":
                said = sync.approve(server.store, running, client, key)
            else:
                said = sync.reject(server.store, running, client, key, words, category)
        except (BadInput, Failed) as error:
            raise HTTPException(409, str(error)) from None
        finally:
            client.close()

    def job(c: Connection) -> None:
        values = {"session_id": key, "verdict": verdict, "note": words, "by": account.name}
        c.execute(insert(reviews).values(values | {"at": now()}))
        note(c, running.id, key, verdict, now(), by=account.name, said=said)
        if verdict == "reject" and client is None:
            _rejected(c, key)

    server.store.write(job)
    return _back(f"/admin/visits/{key}")


def _rejected(c: Connection, key: int) -> None:
    """Give the places of a rejected visit to others; what was planned for it is not owed."""
    done = claims.c.state.in_(("live", "done", "surplus"))
    own = select(claims.c.id).where(claims.c.session_id == key, done)
    slots.release(c, list(c.execute(own).scalars()), "rejected")
    planned = select(payments.c.id).where(
        payments.c.session_id == key, payments.c.state == "planned"
    )
    for payment in c.execute(planned).scalars().all():
        money.move(c, payment, "cancelled", now())


@router.post("/visits/{key}/bonus")
def bonus(
    key: int,
    account: Owner,
    server: Server,
    amount: Annotated[str, Form(max_length=12)],
    reason: Annotated[str, Form(min_length=1, max_length=100)],
) -> Response:
    """Plan a bonus; the same reason twice is one bonus."""
    here, running = _visit(server, key)
    try:
        hundredths = money.minor(Decimal(amount))
    except (InvalidOperation, ValueError, OverflowError):  # no number, or none that is finite
        raise HTTPException(422, f"{amount!r} is no amount") from None
    if not 0 < hundredths < 10**7:
        raise HTTPException(422, "a bonus is more than 0 and less than 100,000")
    if here.mode != "live":
        raise HTTPException(409, "this visit was a test; nobody is paid for it")

    def job(c: Connection) -> None:
        money.plan(
            c,
            session=here,
            kind="bonus",
            reason=reason,
            amount=hundredths,
            currency=running.study.pay.currency,
            now=now(),
            remark=f"by {account.name}",
        )

    server.store.write(job)
    return _back(f"/admin/visits/{key}")


@router.post("/visits/{key}/screen-out")
def screen_out(key: int, account: Owner, server: Server) -> Response:
    """Pay somebody who was not eligible, through the platform."""
    _, running = _visit(server, key)
    client = client_for(running)
    if client is None:
        raise HTTPException(409, "this study has no platform that can pay")
    try:
        said = sync.screen_out(server.store, running, client, key)
    except BadInput as error:
        raise HTTPException(409, str(error)) from None
    finally:
        client.close()
    server.store.write(note, running.id, key, "screen out", now(), said=said)
    return _back(f"/admin/visits/{key}")


@router.post("/visits/{key}/erase")
def erase(key: int, account: Owner, server: Server) -> Response:
    """Erase the person behind a visit from its study."""
    here, running = _visit(server, key)
    server.store.write(people.erase, here.worker_id, now())
    return _back(f"/admin/studies/{running.study.name}")


@router.post("/payments/{key}")
def settle(
    key: int,
    account: Owner,
    server: Server,
    state: Annotated[Literal["planned", "sent", "confirmed", "cancelled"], Form()],
    reference: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Say what became of a payment that no platform tells of."""
    rows = select(payments.c.study_id).where(payments.c.id == key)
    study = server.store.read(lambda c: c.execute(rows).scalar_one_or_none())
    if study is None:
        raise HTTPException(404)
    try:
        server.store.write(money.move, key, state, now(), reference)
    except BadInput as error:
        raise HTTPException(409, str(error)) from None
    return _back(f"/admin/studies/{server.numbered(study).study.name}/money")


@router.post("/accounts")
def new_account(
    request: Request,
    account: Owner,
    server: Server,
    name: Annotated[str, Form(min_length=1, max_length=60)],
    role: Annotated[Literal["owner", "reviewer", "viewer"], Form()],
) -> Response:
    """Make an account, or give one a new password; it is shown once."""
    password = add_account(server.store, name, role)
    rows = server.store.read(list_accounts)
    made = {"name": name, "password": password}
    return show(request, "admin/accounts.html", account, rows=rows, made=made)


@router.post("/accounts/{name}/remove")
def drop_account(name: str, account: Owner, server: Server) -> Response:
    """Remove an account."""
    try:
        remove_account(server.store, name)
    except BadInput as error:
        raise HTTPException(409, str(error)) from None
    return _back("/admin/accounts")


def _visit(server: Collect, key: int) -> tuple[AnyRow, Running]:
    rows = select(sessions.c.id).where(sessions.c.id == key)
    if server.store.read(lambda c: c.execute(rows).scalar_one_or_none()) is None:
        raise HTTPException(404)
    here = server.store.read(session, key)
    return here, server.numbered(here.study_id)


def _back(where: str) -> Response:
    """To a page, after something was done; reloading it does nothing twice."""
    return RedirectResponse(where, 303)
