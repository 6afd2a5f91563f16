"""The application of live dialogs: a page, its module, the socket, and a look for who left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from deixis.collect.clock import now
from deixis.collect.live import log
from deixis.collect.live.log import Guest
from deixis.collect.live.parlour import Parlour
from deixis.collect.live.sockets import Live
from deixis.collect.store.engine import Store
from deixis.web.address import Address
from deixis.web.frame import frame
from deixis.web.pages import page

ASSETS = Path(__file__).parent / "assets"
REAP = 5.0
"""Seconds between two looks for people who have gone."""


async def reaping(reap: Callable[[], object]) -> None:
    """Look for people who have gone, now and then; until cancelled."""
    while True:
        await asyncio.sleep(REAP)
        try:
            await run_in_threadpool(reap)
        except Exception:
            logging.getLogger("deixis.collect").exception("a look for who has gone failed")


def make_live(store: Store, parlour: Parlour, address: Address) -> FastAPI:
    """The application of one parlour."""
    if parlour.bot:
        _ = parlour.bot.awake  # before people come
    live = Live(
        store, lambda name, token: (parlour, Guest(token)) if name == parlour.name else None
    )

    def reap() -> None:
        store.write(log.reap, parlour.room, parlour.policy, now())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        chores = [asyncio.create_task(reaping(reap)), asyncio.create_task(live.follow())]
        yield
        for chore in chores:
            chore.cancel()

    def home() -> Response:
        return RedirectResponse(f"/talk/{parlour.name}")

    def talk(request: Request, name: str) -> Response:
        if name != parlour.name:
            raise HTTPException(404)
        return page(request, "talk.html", parlour=parlour)

    app = frame(
        "deixis: live dialogs",
        packages=("deixis.collect",),
        assets={"live": ASSETS, "collect": ASSETS.parent.parent / "assets"},
        hosts=address.hosts,
        https=address.https,
        lifespan=lifespan,
    )
    app.include_router(live.router)
    app.add_api_route("/", home, include_in_schema=False)
    app.add_api_route("/talk/{name}", talk, include_in_schema=False)
    return app
