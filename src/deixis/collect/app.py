"""The application: studies for people, and pages for those who run them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from deixis import registry
from deixis.collect import api, pages
from deixis.collect.admin import changes, rounds, sign_in
from deixis.collect.admin import pages as admin_pages
from deixis.collect.clock import now
from deixis.collect.context import Collect
from deixis.collect.live.app import ASSETS, REAP
from deixis.collect.live.sockets import Live
from deixis.collect.platforms.prolific import hooks
from deixis.collect.pools.pool import Line
from deixis.collect.store import slots
from deixis.errors import BadInput
from deixis.web.frame import frame

HERE = Path(__file__).parent
EXPIRE = 30.0
"""Seconds between two looks for leases that are over."""

ASK = 120.0
"""Seconds between two questions to a platform how things stand there."""


Chore = tuple[Callable[[], object], float]
"""What is done again and again, and how many seconds lie between."""


def make_app(server: Collect) -> FastAPI:
    """The application of a server: store, studies, secret, address."""
    parlours = server.parlours
    parlours.wake()
    live = Live(server.store, parlours.find)

    def expire() -> None:
        server.store.write(slots.expire, now())

    def supply() -> None:
        for running in server.studies.values():
            if isinstance(running.plan.pool, Line) and running.plan.pooling:
                server.store.write(running.plan.pool.supply, running.id)

    def ask() -> None:
        for running in server.studies.values():
            hooks.look(server.store, running)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        chores: list[Chore] = [(expire, EXPIRE), (supply, EXPIRE), (ask, ASK)]
        if parlours:
            chores.append((parlours.reap, REAP))
        tasks = [asyncio.create_task(_again(chore, every)) for chore, every in chores]
        tasks.append(asyncio.create_task(live.follow()))
        yield
        for task in tasks:
            task.cancel()

    app = frame(
        "deixis: studies for people",
        packages=("deixis.collect",),
        assets={"collect": HERE / "assets", "live": ASSETS},
        hosts=server.address.hosts,
        https=server.address.https,
        lifespan=lifespan,
    )
    app.state.collect = server
    for part in (api, pages, sign_in, admin_pages, changes, rounds, hooks):
        app.include_router(part.router)
    app.include_router(live.router)
    app.add_api_route("/static/types/{name}.js", _module, include_in_schema=False)
    return app


def _module(name: str) -> Response:
    """The ES module of a trial type, which lies beside its Python file wherever that is."""
    try:
        path = registry.find("collect.trial_types", name).module
    except BadInput:
        raise HTTPException(404) from None
    return FileResponse(path, media_type="text/javascript", headers={"cache-control": "no-cache"})


async def _again(chore: Callable[[], object], every: float) -> None:
    """Do a chore now and then; one that fails is tried again next time."""
    while True:
        await asyncio.sleep(every)
        try:
            await run_in_threadpool(chore)
        except Exception:
            logging.getLogger("deixis.collect").exception("a chore failed")
