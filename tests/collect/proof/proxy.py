"""A bad network between browsers and a server: requests are lost, late, doubled, out of order."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np

FATES = ("sent", "lost before", "lost after", "late", "doubled", "overtaken")
"""What becomes of a request. A late one is slow; an overtaken one counts as lost for the browser,
and reaches the server after whatever the browser sends next."""

LONGEST = 64 * 1024


@dataclass
class Network:
    """The network's mood.

    Attributes:
        target: host and port of the server.
        rng: what it is drawn with.
        bad: the share of requests that do not just go through.
        delay: seconds, of which late requests take up to.
        fates: how often each came.
    """

    target: tuple[str, int]
    rng: np.random.Generator
    bad: float = 0.4
    delay: float = 0.3
    fates: Counter[str] = field(default_factory=Counter)
    later: set[asyncio.Task[bytes]] = field(default_factory=set)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection with one request."""
        try:
            request = await _message(reader)
            reply = await self.decide(request) if request else b""
            writer.write(reply)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the server is away: so the browser hears nothing
        finally:
            writer.close()

    async def decide(self, request: bytes) -> bytes:
        """What the browser hears of its request; nothing if the connection just ends."""
        bad = self.rng.random() < self.bad
        fate = FATES[int(self.rng.integers(1, len(FATES)))] if bad else "sent"
        pause = float(self.rng.random()) * self.delay
        self.fates[fate] += 1
        if fate == "lost before":
            return b""
        if fate == "late":
            await asyncio.sleep(pause)
        elif fate == "overtaken":
            task = asyncio.create_task(self.forward(request, pause))
            self.later.add(task)
            task.add_done_callback(self.later.discard)
            return b""
        elif fate == "doubled":
            await asyncio.gather(self.forward(request), self.forward(request, pause / 10))
        reply = await self.forward(request)
        return b"" if fate == "lost after" else reply

    async def forward(self, request: bytes, pause: float = 0) -> bytes:
        """To the server; gives its reply."""
        await asyncio.sleep(pause)
        reader, writer = await asyncio.open_connection(*self.target)
        try:
            writer.write(request)
            await writer.drain()
            return await reader.read(-1)
        finally:
            writer.close()


async def _message(reader: asyncio.StreamReader) -> bytes:
    """A whole request, with the wish that the connection be closed after it."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = [
        line for line in head[:-4].split(b"\r\n") if not line.lower().startswith(b"connection:")
    ]
    lengths = [int(v.split(b":")[1]) for v in lines if v.lower().startswith(b"content-length:")]
    body = await reader.readexactly(lengths[0]) if lengths else b""
    return b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + body


@asynccontextmanager
async def between(network: Network) -> AsyncIterator[str]:
    """The network on a free port; gives the address for browsers."""
    server = await asyncio.start_server(network.handle, "127.0.0.1", 0, limit=LONGEST)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()
        await server.wait_closed()
        await asyncio.gather(*network.later, return_exceptions=True)


def target(url: str) -> tuple[str, int]:
    """Host and port of an address."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port
