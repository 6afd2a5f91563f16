"""Who may look: this machine only, or whoever has the token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from deixis.errors import BadInput
from deixis.web.accounts import same, token_hash
from deixis.web.address import SHORTEST, Address, check_address, weak
from deixis.web.frame import say

COOKIE = "deixis_explore"
HEADER = "x-deixis"
"""Our own scripts send it; another site's page cannot without asking, and is refused."""

Next = Callable[[Request], Awaitable[Response]]


def check_token(address: Address, token: str) -> None:
    """Refuse an address that others can reach without a token that cannot be guessed.

    Raises:
        BadInput: there is none, or it is weak; or plain HTTP is open to others.
    """
    if not token:
        if not address.loopback or address.public:
            raise BadInput(
                f"{address.public or address.host} can be reached from other machines: "
                f"give --token with {SHORTEST} random characters or more"
            )
        return
    if weak(token):
        raise BadInput(f"--token is short or easy to guess; expected {SHORTEST} random characters")
    check_address(address, token)


class Guard:
    """Lets requests through that bring the token: once in the link, from then on in a cookie.

    Args:
        token: empty for none, on this machine alone.
        https: whether cookies may travel by HTTPS only.
    """

    def __init__(self, token: str, https: bool) -> None:
        self.token, self.https = token, https

    async def __call__(self, request: Request, call_next: Next) -> Response:
        """Answer one request."""
        if request.method not in ("GET", "HEAD") and HEADER not in request.headers:
            return say(request, 403, f"Requests that ask for work need the header {HEADER}.")
        if not self.token:
            return await call_next(request)
        kept = token_hash(self.token)
        if same(request.cookies.get(COOKIE, ""), kept):
            return await call_next(request)
        given = request.query_params.get("token", "")
        if request.method == "GET" and same(given, self.token):
            rest = [(k, v) for k, v in parse_qsl(request.url.query, True) if k != "token"]
            target = request.url.path.lstrip("/") + (f"?{urlencode(rest)}" if rest else "")
            response: Response = RedirectResponse(f"/{target}", 303)
            response.set_cookie(COOKIE, kept, httponly=True, samesite="strict", secure=self.https)
            return response
        return say(request, 401, "Open the link with the token that the command printed.")
