"""Pages that are read: overview, study, visit, answers, money, exports, accounts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from deixis.collect.admin import figures
from deixis.collect.admin.agreement import agreement
from deixis.collect.admin.sign_in import needs, show
from deixis.collect.clock import now
from deixis.collect.context import collect_of
from deixis.collect.export.jobs import FORMS, archive, list_exports
from deixis.collect.platforms.prolific.hooks import client_for
from deixis.collect.pools.pool import Line
from deixis.collect.store.accounts import Account, list_accounts
from deixis.collect.store.people import raw_id

router = APIRouter(prefix="/admin", include_in_schema=False)

Viewer = Annotated[Account, Depends(needs("viewer"))]
Reviewer = Annotated[Account, Depends(needs("reviewer"))]
Owner = Annotated[Account, Depends(needs("owner"))]


@router.get("")
def overview(request: Request, account: Viewer) -> Response:
    """Every study in a line."""
    server = collect_of(request)
    rows = [
        {
            "study": running.study,
            "state": server.store.read(figures.state_of, running.id),
            "bars": server.store.read(figures.bars, running.id),
            "outcomes": server.store.read(figures.outcomes, running.id),
        }
        for running in server.studies.values()
    ]
    return show(request, "admin/overview.html", account, rows=rows, store=server.store.shown)


@router.get("/studies/{name}")
def study(
    request: Request, name: str, account: Viewer, mode: Literal["live", "test"] = "live"
) -> Response:
    """Progress, who is where, agreement, costs, what happened last."""
    server = collect_of(request)
    running = server.named(name)
    store = server.store
    link = f"/study/{name}?preview={server.preview(name)}"
    return show(
        request,
        "admin/study.html",
        account,
        study=running.study,
        hash=running.plan.hash,
        state=store.read(figures.state_of, running.id),
        mode=mode,
        arms=store.read(figures.bars, running.id, mode),
        outcomes=store.read(figures.outcomes, running.id, mode),
        tests=sum(store.read(figures.outcomes, running.id, "test").values()),
        here=store.read(figures.whereabouts, running.id, mode),
        ended=store.read(figures.ended, running.id, mode),
        agreement=store.read(agreement, running, mode),
        costs=store.read(figures.costs, running),
        recent=store.read(figures.recent, running.id),
        preview=link,
        forms=FORMS,
        exports=store.read(list_exports, running.id),
        asks=client_for(running) is not None,
        writes="write_contrast" in running.plan.types,
        collection=running.plan.pool.collection if isinstance(running.plan.pool, Line) else "",
    )


@router.get("/studies/{name}/live")
def live(
    request: Request, name: str, account: Viewer, mode: Literal["live", "test"] = "live"
) -> dict[str, Any]:
    """The numbers of the study's page that change by the second."""
    server = collect_of(request)
    running = server.named(name)
    moment = now()
    rows = server.store.read(figures.whereabouts, running.id, mode)
    return {
        "bars": [
            {"name": b.name, "done": b.done, "leased": b.leased, "all": b.all}
            for b in server.store.read(figures.bars, running.id, mode)
        ],
        "outcomes": server.store.read(figures.outcomes, running.id, mode),
        "here": [
            {
                "id": row.id,
                "worker": row.name,
                "mode": row.mode,
                "arm": row.arm,
                "phase": row.phase,
                "done": row.done,
                "seen": figures.seconds_since(row.seen_at, moment),
            }
            for row in rows
        ],
    }


@router.get("/studies/{name}/answers")
def flagged(request: Request, name: str, account: Reviewer) -> Response:
    """Answers that somebody may want to look at."""
    server = collect_of(request)
    running = server.named(name)
    rows = server.store.read(figures.flagged, running.id)
    return show(request, "admin/answers.html", account, study=running.study, rows=rows)


@router.get("/studies/{name}/money")
def money(request: Request, name: str, account: Reviewer) -> Response:
    """The ledger."""
    server = collect_of(request)
    running = server.named(name)
    return show(
        request,
        "admin/money.html",
        account,
        study=running.study,
        costs=server.store.read(figures.costs, running),
        rows=server.store.read(figures.ledger, running.id),
        asks=client_for(running) is not None,
    )


@router.get("/visits/{key}")
def visit(request: Request, key: int, account: Reviewer) -> Response:
    """One visit from its beginning, with every answer."""
    server = collect_of(request)
    found = server.store.read(figures.visit, key)
    if found is None:
        raise HTTPException(404)
    running = server.numbered(found["session"].study_id)
    raw = None
    if account.role == "owner":
        raw = server.store.read(raw_id, found["session"].worker_id)
    return show(request, "admin/visit.html", account, study=running.study, raw=raw, **found)


@router.get("/exports/{key}")
def download(request: Request, key: int, account: Reviewer) -> Response:
    """A finished export, as one archive."""
    server = collect_of(request)
    path = archive(server.home, key)
    if not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, media_type="application/zip", filename=path.name)


@router.get("/accounts")
def accounts(request: Request, account: Owner) -> Response:
    """Who may sign in."""
    rows = collect_of(request).store.read(list_accounts)
    return show(request, "admin/accounts.html", account, rows=rows, made=None)
