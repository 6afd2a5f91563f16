"""Connections: kept open, replaced where the server closed them, and over TLS."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException

import pytest

from deixis.errors import BadInput
from deixis.players.chat.connections import Connections

Serve = Callable[[socket.socket, int], None]


@contextmanager
def listening(serve: Serve) -> Iterator[tuple[str, list[int]]]:
    """A server of raw sockets; gives its URL, and for each connection how often it was used."""
    listener = socket.create_server(("127.0.0.1", 0))
    used: list[int] = []

    def one(connection: socket.socket, number: int) -> None:
        with connection:
            while read_request(connection):
                used[number] += 1
                serve(connection, used[number])

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            used.append(0)
            threading.Thread(target=one, args=(connection, len(used) - 1), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1?a=b", used
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def read_request(connection: socket.socket) -> bool:
    """Read one request to its end; False where there is none."""
    try:
        head = b""
        while b"\r\n\r\n" not in head:
            more = connection.recv(65536)
            if not more:
                return False
            head += more
        top, _, rest = head.partition(b"\r\n\r\n")
        length = next(h for h in top.lower().split(b"\r\n") if h.startswith(b"content-length"))
        size = int(length.split(b":")[1])
        while len(rest) < size:
            rest += connection.recv(65536)
    except OSError:
        return False
    assert top.startswith(b"POST /v1?a=b HTTP/1.1\r\n")
    return True


def send(connection: socket.socket, content: bytes, *headers: str) -> None:
    """One response."""
    lines = ["HTTP/1.1 200 OK", f"content-length: {len(content)}", *headers, "", ""]
    connection.sendall("\r\n".join(lines).encode() + content)


def opened(url: str, timeout: float = 10) -> Connections:
    return Connections(url, {"content-type": "application/json"}, timeout, 4)


def test_one_connection_serves_one_thread() -> None:
    with listening(lambda c, n: send(c, b"%d" % n)) as (url, used):
        made = opened(url)
        assert [made.post(b"{}").content for _ in range(5)] == [b"1", b"2", b"3", b"4", b"5"]
        assert used == [5]
        made.close()


def test_threads_do_not_mix_answers_and_few_stay_idle() -> None:
    with listening(lambda c, n: send(c, b"x" * n)) as (url, used):
        made = opened(url)
        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda _: made.post(b"{}"), range(200)))
        assert sum(used) == 200
        assert {a.status for a in answers} == {200}
        assert len(made._idle) <= 4
        made.close()


def test_a_connection_that_the_server_closed_is_not_used_again() -> None:
    def once(connection: socket.socket, _: int) -> None:
        send(connection, b"{}")  # it promises to stay, and goes
        connection.shutdown(socket.SHUT_RDWR)

    with listening(once) as (url, used):
        made = opened(url)
        for _ in range(3):
            assert made.post(b"{}").content == b"{}"
            idle = made._idle[0].sock
            assert idle is not None
            idle.settimeout(5)
            assert idle.recv(1, socket.MSG_PEEK) == b""
        assert used == [1, 1, 1]
        made.close()


def test_a_server_that_says_close() -> None:
    with listening(lambda c, _: send(c, b"{}", "connection: close", "retry-after: 3")) as (url, _):
        made = opened(url)
        assert made.post(b"{}").wait == "3"
        assert made._idle == []


@pytest.mark.parametrize("half", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"])
def test_an_answer_that_breaks_off(half: bytes) -> None:
    def broken(connection: socket.socket, _: int) -> None:
        connection.sendall(half)
        connection.shutdown(socket.SHUT_RDWR)

    with listening(broken) as (url, _):
        made = opened(url)
        with pytest.raises((OSError, HTTPException)):
            made.post(b"{}")
        assert made._idle == []


def test_a_server_that_says_nothing() -> None:
    with listening(lambda c, _: None) as (url, _), pytest.raises(TimeoutError):
        opened(url, timeout=0.05).post(b"{}")


def test_plain_servers_are_no_tls() -> None:
    with listening(lambda c, _: None) as (url, _), pytest.raises((ssl.SSLError, OSError)):
        opened(url.replace("http", "https"), timeout=0.2).post(b"{}")


@pytest.mark.parametrize(
    "url", ["ftp://x/v1", "http:///v1", "localhost:8000/v1", "http://x:port", "http://[::1"]
)
def test_no_address(url: str) -> None:
    with pytest.raises(BadInput, match="--base-url"):
        opened(url)
