"""The application: studies for people, and pages for those who run them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from deixis import registry
from deixis.collect import api, pages
from deixis.collect.context import Collect
from deixis.collect.clock import now
from deixis.collect.store import slots
from deixis.errors import BadInput
from deixis.web.frame import frame

HERE = Path(__file__).parent
EVERY = 30.0
"""Seconds between two looks for leases that are over."""


def make_app(server: Collect, *, chores: tuple[Callable[[], None], ...] = ()) -> FastAPI:
    """The application of a server.

    Args:
        server: store, studies, secret, address.
        chores: what else is done now and then, such as asking a platform how things stand.
    """

    def expire() -> None:
        server.store.write(lambda c: slots.expire(c, now()))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(_again(chore, EVERY)) for chore in (expire, *chores)]
        yield
        for task in tasks:
            task.cancel()

    app = frame(
        "deixis: studies for people",
        packages=("deixis.collect",),
        assets={"collect": HERE / "assets"},
        hosts=server.address.hosts,
        https=server.address.https,
        lifespan=lifespan,
    )
    app.state.collect = server
    app.include_router(api.router)
    app.include_router(pages.router)
    app.add_api_route("/static/types/{name}.js", _module, include_in_schema=False)
    return app


def _module(name: str) -> Response:
    """The ES module of a trial type, which lies beside its Python file wherever that is."""
    try:
        path = registry.find("collect.trial_types", name).module
    except BadInput:
        raise HTTPException(404) from None
    return FileResponse(path, media_type="text/javascript", headers={"cache-control": "no-cache"})


async def _again(chore: Callable[[], None], every: float) -> None:
    while True:
        await asyncio.sleep(every)
        await run_in_threadpool(chore)
