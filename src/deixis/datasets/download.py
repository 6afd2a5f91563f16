"""Ask one address for one picture, warily: where it leads, how long it takes, what it sends."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from deixis import __version__

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Permitted = Callable[[Address], bool]

REDIRECTS = 5
LARGEST = 50_000_000
"""Bytes of a picture, at most."""

BLOCK = 1 << 16
_SAFE = "%/:=&?~#+!$,;'@()*[]"


class Failed(Exception):
    """The picture could not be had.

    Attributes:
        status: in a word or two, such as ``time-out`` or ``HTTP 404``.
        detail: more of it.
        passing: whether it may work another time.
    """

    def __init__(self, status: str, detail: str = "", *, passing: bool = False) -> None:
        super().__init__(f"{status}: {detail}" if detail else status)
        self.status, self.detail, self.passing = status, detail, passing


@dataclass(frozen=True)
class Answer:
    """What an address gave in the end.

    Attributes:
        content: bytes.
        kind: as the server calls it.
        address: where it was, after redirects.
    """

    content: bytes
    kind: str
    address: str


def public(address: Address) -> bool:
    """Whether an address is reachable from everywhere: not of this machine or a local network.

    >>> public(ipaddress.ip_address("127.0.0.1")), public(ipaddress.ip_address("8.8.8.8"))
    (False, True)
    """
    mapped = getattr(address, "ipv4_mapped", None)
    return public(mapped) if mapped else address.is_global and not address.is_multicast


def ask(url: str, *, seconds: float = 20.0, permitted: Permitted = public) -> Answer:
    """Get a picture.

    Every host on the way is looked up once, checked, and connected to by the address that was
    checked, so that no name can lead elsewhere in between.

    Args:
        url: http or https.
        seconds: for everything together.
        permitted: which addresses may be connected to.

    Raises:
        Failed: it could not be had.
    """
    until = time.monotonic() + seconds
    for _ in range(REDIRECTS + 1):
        answer, there = _once(url, until, permitted)
        if answer is not None:
            return answer
        url = urljoin(url, there)
    raise Failed("redirects", f"more than {REDIRECTS}")


def _once(url: str, until: float, permitted: Permitted) -> tuple[Answer | None, str]:
    """One request: what it gave, or where it leads."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or {"http": 80, "https": 443}[parts.scheme]
    except (KeyError, ValueError):
        raise Failed("no address", url[:200]) from None
    connection = _connect(parts.scheme, host, port, until, permitted)
    path = quote(parts.path or "/", _SAFE) + (
        f"?{quote(parts.query, _SAFE)}" if parts.query else ""
    )
    headers = {"User-Agent": f"deixis/{__version__}", "Accept": "image/*,*/*;q=0.5"}
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        if response.status in (301, 302, 303, 307, 308):
            return None, response.headers.get("Location") or ""
        if response.status != 200:
            passing = response.status in (408, 425, 429) or response.status >= 500
            raise Failed(f"HTTP {response.status}", response.reason, passing=passing)
        kind = response.headers.get_content_type()
        return Answer(_content(response, connection, until), kind, url), ""
    except TimeoutError:
        raise Failed("time-out", passing=True) from None
    except (OSError, http.client.HTTPException) as error:
        raise Failed("broke off", _line(error), passing=True) from None
    finally:
        connection.close()


def _connect(
    scheme: str, host: str, port: int, until: float, permitted: Permitted
) -> http.client.HTTPConnection:
    try:
        name = host.encode("idna").decode() if not host.isascii() else host
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Failed("no such host", _line(error), passing=True) from None
    addresses = [str(entry[4][0]) for entry in found]
    if not all(permitted(ipaddress.ip_address(a.partition("%")[0])) for a in addresses):
        raise Failed("private address", f"{host} is {addresses[0]}")
    left = _left(until)
    connection = http.client.HTTPConnection(name, port, timeout=left)
    try:
        plain = socket.create_connection((addresses[0], port), timeout=left)
        if scheme == "https":
            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=name)
    except TimeoutError:
        raise Failed("time-out", "while connecting", passing=True) from None
    except OSError as error:
        raise Failed("no connection", _line(error), passing=True) from None
    connection.sock = plain
    return connection


def _content(
    response: http.client.HTTPResponse, connection: http.client.HTTPConnection, until: float
) -> bytes:
    """The body, as long as time and size allow."""
    parts, size = list[bytes](), 0
    while True:
        if connection.sock is not None:
            connection.sock.settimeout(_left(until))
        block = response.read1(BLOCK)
        if not block:
            break
        parts.append(block)
        size += len(block)
        if size > LARGEST:
            raise Failed("too large", f"more than {LARGEST:,} bytes")
    length = response.headers.get("Content-Length", "")
    if length.isdecimal() and size < int(length):
        raise Failed("broke off", f"after {size:,} of {int(length):,} bytes", passing=True)
    return b"".join(parts)


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise Failed("time-out", passing=True)
    return left


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
