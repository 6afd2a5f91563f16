"""Connections to one server that are kept open and shared by threads.

A thin layer on the standard library: where hundreds of requests are under way at once, a client
library's own work for each request is most of what one waits for.
"""

from __future__ import annotations

import http.client
import select
import ssl
from dataclasses import dataclass
from threading import Lock
from urllib.parse import SplitResult, urlsplit

from deixis.errors import BadInput


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back.

    Attributes:
        status: of HTTP.
        wait: the header ``retry-after``; None where there is none.
        content: the body.
    """

    status: int
    wait: str | None
    content: bytes


class Connections:
    """Posts to one address; safe for any number of threads, each request on its own connection.

    Args:
        url: where to; http or https.
        headers: of every request.
        timeout: seconds without a byte after which a request has failed.
        kept: how many idle connections are kept.

    Raises:
        BadInput: the URL is none.
    """

    def __init__(self, url: str, headers: dict[str, str], timeout: float, kept: int) -> None:
        self._parts = _split(url)
        self._headers, self._timeout, self._kept = headers, timeout, kept
        self._secure = ssl.create_default_context() if self._parts.scheme == "https" else None
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = Lock()
        self._path = self._parts.path or "/"
        if self._parts.query:
            self._path += f"?{self._parts.query}"

    def post(self, body: bytes) -> Answer:
        """Send a body and wait for the answer.

        Raises:
            OSError, http.client.HTTPException: there is no answer.
        """
        connection = self._take()
        try:
            connection.request("POST", self._path, body, self._headers)
            response = connection.getresponse()
            content = response.read()
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._give(connection)
        return Answer(response.status, response.headers.get("retry-after"), content)

    def close(self) -> None:
        """Close those that are idle."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> http.client.HTTPConnection:
        """The connection used last that the server has not closed meanwhile, or a new one."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._new()
            if not _readable(connection):
                return connection
            connection.close()

    def _give(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < self._kept:
                self._idle.append(connection)
                return
        connection.close()

    def _new(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._secure is None:
            return http.client.HTTPConnection(host, port, timeout=self._timeout)
        return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=self._secure)


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadInput(f"--base-url {url}: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise BadInput(f"--base-url {url}: expected http:// or https:// and a host")
    return parts


def _readable(connection: http.client.HTTPConnection) -> bool:
    """Whether an idle connection has something to read: only its end can be that."""
    if connection.sock is None:
        return True
    if not hasattr(select, "poll"):  # Windows, where select takes any number of sockets
        return bool(select.select([connection.sock], [], [], 0)[0])
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN | select.POLLHUP)
    return bool(poll.poll(0))
