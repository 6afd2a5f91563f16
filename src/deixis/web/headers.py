"""What every response says about security, and how large a request may be."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors {ancestors}",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Nothing but our own files runs or loads, and no text can become markup."""


BROKEN = "Something broke on the server. Nothing that was saved is lost."


class SecurityHeaders:
    """Puts the policy on every response, whoever made it.

    Args:
        app: what answers.
        https: whether browsers may be told to come by HTTPS only.
        ancestors: who may show the pages in a frame, as in a content security policy.
    """

    def __init__(self, app: App, *, https: bool = False, ancestors: str = "'none'") -> None:
        self.app = app
        fields = {
            "content-security-policy": POLICY.format(ancestors=ancestors),
            "x-content-type-options": "nosniff",
            "referrer-policy": "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
        }
        if ancestors == "'none'":
            fields["x-frame-options"] = "DENY"
        if https:
            fields["strict-transport-security"] = "max-age=31536000"
        self.fields = [(k.encode(), v.encode()) for k, v in fields.items()]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", []))
                names = {name.lower() for name, _ in given}
                given += [f for f in self.fields if f[0] not in names]
                if b"cache-control" not in names:
                    given.append((b"cache-control", b"no-store"))
                message["headers"] = given
            await send(message)

        await self.app(scope, receive, sending)


class BodyLimit:
    """Refuses bodies beyond a size, before they are read into memory.

    Args:
        app: what answers.
        limit: bytes.
    """

    def __init__(self, app: App, *, limit: int = 256_000) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request, or say that it is too large."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self.limit:
            await _say(send, 413, "the request is too large")
            return
        read = 0

        async def receiving() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.limit:  # a body of no stated length
                raise HTTPException(413)
            return message

        await self.app(scope, receiving, send)


class Failsafe:
    """Answers in one sentence where the application broke; the trace goes to the log."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception:
            logging.getLogger("deixis.web").exception("%s broke", scope.get("path"))
            if started or scope["type"] != "http":
                raise
            html = b"text/html" in dict(scope["headers"]).get(b"accept", b"")
            await _say(send, 500, BROKEN, html)


async def _say(send: Send, status: int, sentence: str, html: bool = False) -> None:
    kind = b"text/html; charset=utf-8" if html else b"application/json"
    body = (f"<!doctype html><p>{sentence}" if html else json.dumps({"error": sentence})).encode()
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
