"""Run an application: until interrupted, or beside this thread for as long as a block lasts."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from deixis.errors import BadInput
from deixis.web.address import Address

WAITING = 512
"""Connections that may wait until the application has started, or is busy."""


def bind(address: Address) -> socket.socket:
    """A socket that listens, so that the port is known and taken before anything is printed.

    Raises:
        BadInput: there is no such port, or it is in use, or not ours to use.
    """
    if not 0 <= address.port < 2**16:
        raise BadInput(f"--port: expected 0 to 65535, got {address.port}")
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((address.host.strip("[]"), address.port))
        made.listen(WAITING)
    except OSError as error:
        made.close()
        raise BadInput(
            f"cannot listen on {address.host}:{address.port}: {error.strerror}"
        ) from None
    return made


def url(address: Address, listening: socket.socket) -> str:
    """Where people find the server, without a slash at the end."""
    if address.public:
        return address.public.rstrip("/")
    host = f"[{address.host}]" if ":" in address.host else address.host
    scheme = "https" if address.certificate else "http"
    return f"{scheme}://{host}:{listening.getsockname()[1]}"


def config(app: Any, address: Address) -> uvicorn.Config:
    """How uvicorn is run: no access log (it would hold participants' ids), no server header."""
    certificate, key = address.certificate or (None, None)
    return uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(address.public),
        ssl_certfile=certificate,
        ssl_keyfile=str(key) if key else None,
        timeout_graceful_shutdown=10,
    )


def serve(app: Any, address: Address, ready: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Args:
        app: the application.
        address: where.
        ready: called with the URL when the port is taken.
    """
    listening = bind(address)
    ready(url(address, listening))
    uvicorn.Server(config(app, address)).run(sockets=[listening])


@contextmanager
def running(app: Any, address: Address | None = None) -> Iterator[str]:
    """The application served beside this thread, on a free port unless told; gives its URL."""
    address = address or Address(port=0)
    listening = bind(address)
    server = uvicorn.Server(config(app, address))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the server did not start")
            time.sleep(0.005)
        yield url(address, listening)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
