"""Signing in: a signed strict cookie, a token in every form, a role for every page."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from deixis.collect.clock import now
from deixis.collect.context import Collect, collect_of
from deixis.collect.store.accounts import LASTS, Account, sign_in, sign_out, signed_in
from deixis.web.accounts import Role, form_token, may, same, sign, unsigned
from deixis.web.pages import page

COOKIE = "deixis-admin"
TRIES = 6
WITHIN = 300.0
"""So many failures in so many seconds, and a name has to wait."""

router = APIRouter(prefix="/admin", include_in_schema=False)
_failures: dict[tuple[str, str], deque[float]] = {}


def account_of(request: Request) -> Account | None:
    """Who has signed in, by the cookie."""
    server = collect_of(request)
    login = unsigned(server.secret, "admin", request.cookies.get(COOKIE, ""))
    if login is None:
        return None
    return server.store.read(signed_in, login, now())


def needs(role: Role) -> Callable[..., Account]:
    """What a route depends on: somebody with this role or a mightier one.

    Whoever asks for a page without having signed in is sent to where one can.
    """

    def check(request: Request) -> Account:
        account = account_of(request)
        if account is None:
            reads = request.method == "GET" and "text/html" in request.headers.get("accept", "")
            raise HTTPException(*((303, "", {"location": "/admin/sign-in"}) if reads else (401,)))
        if not may(account.role, role):
            raise HTTPException(403)
        return account

    check.__name__ = f"needs_{role}"
    return check


def acts(role: Role) -> Callable[..., Account]:
    """The same for what changes something: the form's token must be that of the login."""
    reads = needs(role)

    def check(request: Request, form: Annotated[str, Form(alias="form_token")] = "") -> Account:
        account = reads(request)
        _own_origin(request)
        if not same(form, form_token(collect_of(request).secret, account.login)):
            raise HTTPException(403, "This form is out of date; please reload the page.")
        return account

    check.__name__ = f"acts_{role}"
    return check


def show(
    request: Request, template: str, account: Account, status: int = 200, **values: Any
) -> Response:
    """A page for somebody who has signed in."""
    token = form_token(collect_of(request).secret, account.login)
    return page(
        request, template, status, account=account, form_token=token, moment_now=now(), **values
    )


@router.get("/sign-in")
def sign_in_page(request: Request) -> Response:
    """Where one signs in."""
    return page(request, "admin/sign_in.html", failed="")


@router.post("/sign-in")
def do_sign_in(
    request: Request,
    server: Annotated[Collect, Depends(collect_of)],
    name: Annotated[str, Form(max_length=60)],
    password: Annotated[str, Form(max_length=200)],
) -> Response:
    """Check name and password; after too many failures, wait."""
    _own_origin(request)
    key = (name, request.client.host if request.client else "")
    recent = _failures.setdefault(key, deque(maxlen=TRIES))
    if len(recent) == TRIES and time.monotonic() - recent[0] < WITHIN:
        sentence = "Too many wrong passwords; please wait five minutes."
        return page(request, "admin/sign_in.html", 429, failed=sentence)
    login = sign_in(server.store, name, password, now())
    if login is None:
        recent.append(time.monotonic())
        sentence = "Name and password do not fit."
        return page(request, "admin/sign_in.html", 403, failed=sentence)
    recent.clear()
    response = RedirectResponse("/admin", 303)
    response.set_cookie(
        COOKIE,
        sign(server.secret, "admin", login),
        max_age=int(LASTS.total_seconds()),
        path="/admin",
        secure=server.address.https,
        httponly=True,
        samesite="strict",
    )
    return response


@router.post("/sign-out")
def do_sign_out(request: Request, account: Annotated[Account, Depends(acts("viewer"))]) -> Response:
    """End this login."""
    sign_out(collect_of(request).store, account.login)
    response = RedirectResponse("/admin/sign-in", 303)
    response.delete_cookie(COOKIE, path="/admin")
    return response


def _own_origin(request: Request) -> None:
    """Refuse what another site sent; browsers say where a form comes from."""
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise HTTPException(403, "This form came from another site.")
    origin = request.headers.get("origin")
    if origin and urlsplit(origin).netloc != request.headers.get("host"):
        raise HTTPException(403, "This form came from another site.")
