"""The frame of every server for people: policy, static files, templates, errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

from deixis import __version__
from deixis.web.headers import BodyLimit, Failsafe, SecurityHeaders
from deixis.web.pages import environment, page

ASSETS = Path(__file__).parent / "assets"
KINDS = (".js", ".css", ".svg", ".png", ".webmanifest")
"""What static folders give out; Python files beside them stay where they are."""

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


class Assets(StaticFiles):
    """Static files of some kinds only, checked for changes on every use."""

    async def get_response(self, path: str, scope: Any) -> Response:
        """One file, or 404 for other kinds."""
        if not path.endswith(KINDS):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def frame(
    title: str,
    *,
    packages: tuple[str, ...] = (),
    assets: Mapping[str, Path] | None = None,
    hosts: list[str] | None = None,
    https: bool = False,
    ancestors: str = "'none'",
    body: int = 256_000,
    lifespan: Lifespan | None = None,
) -> FastAPI:
    """An application with everything that all of ours share.

    Args:
        title: of the application.
        packages: whose folders ``templates`` hold its pages.
        assets: folders of static files by the name they get under ``/static/``; ``web`` is there.
        hosts: names by which it may be called.
        https: whether people reach it by HTTPS.
        ancestors: who may show its pages in a frame.
        body: bytes that a request may hold.
        lifespan: what goes on while it runs.
    """
    app = FastAPI(
        title=title,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
    )
    for name, folder in {"web": ASSETS, **(assets or {})}.items():
        app.mount(f"/static/{name}", Assets(directory=folder), name=f"static-{name}")
    app.state.templates = environment(*packages)
    app.add_exception_handler(HTTPException, _error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_middleware(BodyLimit, limit=body)
    app.add_middleware(Failsafe)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=hosts or ["*"], www_redirect=False)
    app.add_middleware(SecurityHeaders, https=https, ancestors=ancestors)
    return app


class Said(BaseModel):
    """One sentence on what went wrong."""

    error: str


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a router says of its errors in its description: each is one sentence."""
    return {status: {"model": Said} for status in statuses}


SENTENCES = {
    401: "Please sign in first.",
    403: "This is not for you to see or do.",
    404: "There is nothing at this address.",
    405: "This address cannot be used in that way.",
    413: "That is too large.",
}


def _error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = error.detail if isinstance(error.detail, str) and error.detail else ""
    if not sentence or error.status_code == 404:
        sentence = SENTENCES.get(error.status_code, sentence)
    return say(request, error.status_code, sentence, error.headers)


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(p) for p in first["loc"])
    return say(request, 422, f"{where}: {first['msg']}")


def say(
    request: Request, status: int, sentence: str, headers: Mapping[str, str] | None = None
) -> Response:
    """One sentence: as a page for people, as JSON for programs."""
    if "text/html" in request.headers.get("accept", ""):
        response: Response = page(request, "error.html", status, sentence=sentence)
    else:
        response = JSONResponse({"error": sentence}, status)
    response.headers.update(headers or {})
    return response
