"""Pages on rounds of writing, sentences read one by one; and on a collection with its costs."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from deixis.collect.admin.sign_in import acts, needs, show
from deixis.collect.clock import now
from deixis.collect.context import Collect, collect_of
from deixis.collect.items import rounds
from deixis.collect.items.collected import collection, paid
from deixis.collect.items.workers import cost_table
from deixis.collect.pools.pool import Line
from deixis.collect.store import things
from deixis.collect.store.accounts import Account
from deixis.errors import BadInput

router = APIRouter(prefix="/admin", include_in_schema=False)

Reader = Annotated[Account, Depends(needs("reviewer"))]
Reviewer = Annotated[Account, Depends(acts("reviewer"))]
Owner = Annotated[Account, Depends(acts("owner"))]
Server = Annotated[Collect, Depends(collect_of)]
Mode = Literal["live", "test"]


@router.get("/studies/{name}/rounds")
def read(
    request: Request, name: str, account: Reader, server: Server, mode: Mode = "live"
) -> Response:
    """The last round, sentence by sentence, and how each writer did."""
    running = server.named(name)
    store = server.store
    number = store.read(rounds.latest, running.id, mode)
    return show(
        request,
        "admin/rounds.html",
        account,
        study=running.study,
        mode=mode,
        number=number,
        rows=store.read(rounds.sentences, running.id, mode, number),
        writers=store.read(rounds.writers, running.id, mode, number),
        paid=store.read(rounds.is_paid, running.id, mode, number),
        breaks=rounds.BREAKS,
    )


@router.get("/collections/{name}")
def whole(
    request: Request, name: str, account: Reader, server: Server, mode: Mode = "live"
) -> Response:
    """A collection: how far its examples are, by synset, and what it has cost."""
    studies = [
        r
        for r in server.studies.values()
        if isinstance(r.plan.pool, Line) and r.plan.pool.collection == name
    ]
    if not studies:
        raise HTTPException(404)
    store = server.store
    states = store.read(things.counted, name, mode, "state")
    splits = store.read(things.counted, name, mode, "split")
    kept = sum(by.get("kept", 0) for by in states.values())
    costs = store.read(lambda c: cost_table(list(paid(c, collection(studies), mode)), 0, kept))
    return show(
        request,
        "admin/collection.html",
        account,
        name=name,
        mode=mode,
        studies=[r.study for r in studies],
        states=states,
        splits=splits,
        costs=costs,
        currency=studies[0].study.pay.currency,
    )


@router.post("/studies/{name}/rounds")
def draw_or_pay(
    name: str,
    account: Owner,
    server: Server,
    what: Annotated[Literal["draw", "pay"], Form()],
    mode: Annotated[Mode, Form()] = "live",
) -> Response:
    """Draw sentences of a new round, or plan the bonuses of the last one."""
    running = server.named(name)
    try:
        if what == "draw":
            server.store.write(rounds.draw_round, running.id, mode, account.name, now())
        else:
            pay = running.study.pay
            server.store.write(rounds.pay_round, running.id, mode, pay, account.name, now())
    except BadInput as error:
        raise HTTPException(409, str(error)) from None
    return RedirectResponse(f"/admin/studies/{name}/rounds?mode={mode}", 303)


@router.post("/readings/{key}")
def mark(
    key: int,
    account: Reviewer,
    server: Server,
    rule: Annotated[str, Form(max_length=40)] = "",
    mode: Annotated[Mode, Form()] = "live",
) -> Response:
    """Say that a sentence keeps to the guidelines, or which one it breaks."""
    try:
        row = server.store.write(rounds.mark, key, rule, account.name, now())
    except BadInput as error:
        raise HTTPException(409, str(error)) from None
    name = server.numbered(row.study_id).study.name
    return RedirectResponse(f"/admin/studies/{name}/rounds?mode={mode}#reading-{key}", 303)
