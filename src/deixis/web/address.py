"""Which addresses a server may listen on, and with what."""

from __future__ import annotations

import ipaddress
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from deixis.errors import BadInput

SHORTEST = 32
"""Characters that a secret needs."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and how it is reached from outside.

    Attributes:
        host: the interface to listen on.
        port: 0 for any free one.
        public: the URL that people use where a proxy stands before the server; else empty.
        certificate: files of the certificate and its key, where the server speaks HTTPS itself.
        plain_http: whether plain HTTP on a public address is wanted all the same.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    public: str = ""
    certificate: tuple[Path, Path] | None = None
    plain_http: bool = False

    @property
    def https(self) -> bool:
        """Whether people reach it by HTTPS."""
        return self.certificate is not None or self.public.startswith("https://")

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def hosts(self) -> list[str]:
        """Names by which requests may call it; others are refused (DNS rebinding)."""
        own = ["localhost", "127.0.0.1", "[::1]"]
        if self.public:
            own.append(self.public.split("://")[-1].split("/")[0].rpartition(":")[0])
            own.append(self.public.split("://")[-1].split("/")[0])
        elif not self.loopback:
            own = ["*"]
        return [name for name in own if name]


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def check_address(address: Address, secret: str) -> None:
    """Refuse what would lay people's answers open.

    Args:
        address: where the server would listen.
        secret: what it would sign with.

    Raises:
        BadInput: a secret that is short or well known; or a public address by plain HTTP.
    """
    if weak(secret):
        raise BadInput(
            f"the secret is short or well known; expected {SHORTEST} random characters: leave "
            "DEIXIS_SECRET unset and one is made"
        )
    if address.certificate is not None:
        for file in address.certificate:
            if not file.is_file():
                raise BadInput(f"there is no file {file}")
    exposed = not address.loopback or (address.public and not address.public.startswith("https"))
    if exposed and not address.https and not address.plain_http:
        where = address.public or address.host
        raise BadInput(
            f"{where} can be reached from outside, by plain HTTP: give --certificate and --key, or "
            "--public-url https://… where a proxy speaks HTTPS, or insist with --plain-http"
        )


def weak(secret: str) -> bool:
    """Whether a secret can be guessed: short, of few different characters, or a known default.

    >>> weak("change-me"), weak("a" * 64), weak(secrets.token_hex(32))
    (True, True, False)
    """
    common = ("secret", "password", "change", "default", "example", "deixis", "test")
    named = any(word in secret.lower() for word in common)
    return len(secret) < SHORTEST or len(set(secret)) < 10 or named


def server_secret(home: Path) -> str:
    """The secret to sign with: ``DEIXIS_SECRET``, else the one in the folder, made if need be."""
    named = os.environ.get("DEIXIS_SECRET")
    if named is not None:
        return named
    path = home / "secret"
    if not path.is_file():
        home.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_hex(32))
    return path.read_text("ascii").strip()
