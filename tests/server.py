"""A real server on this machine, for tests of downloads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Quiet(BaseHTTPRequestHandler):
    """Answers with headers and a body, and prints nothing."""

    def send(self, code: int, content: bytes = b"", **headers: str) -> None:
        """One whole answer; underscores in names of headers stand for hyphens."""
        self.send_response(code)
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(handler: type[Quiet], state: Any) -> Iterator[Any]:
    """A server whose handlers have `state`, which is told its address; it runs for a block."""
    own = type("Own", (handler,), {"state": state})
    with ThreadingHTTPServer(("127.0.0.1", 0), own) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        state.address = f"http://127.0.0.1:{http.server_port}"
        yield state
        http.shutdown()
        thread.join()
