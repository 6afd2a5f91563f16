"""Where a server listens: its port is taken before anything is said; other names are refused."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from deixis.errors import BadInput
from deixis.web.address import Address, check_address, is_loopback, server_secret
from deixis.web.server import bind, running, url

SECRET = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


def test_a_port_that_is_taken_is_said() -> None:
    with bind(Address(port=0)) as first:
        port = first.getsockname()[1]
        with pytest.raises(BadInput, match=rf"cannot listen on 127\.0\.0\.1:{port}"):
            bind(Address(port=port))


def test_whoever_comes_early_waits() -> None:
    """Between the URL being said and the application having started, nobody is turned away."""
    with bind(Address(port=0)) as listening, socket.create_connection(listening.getsockname()):
        pass


def test_urls() -> None:
    with bind(Address(port=0)) as here:
        port = here.getsockname()[1]
        assert url(Address(port=0), here) == f"http://127.0.0.1:{port}"
        secure = Address(certificate=(Path("c"), Path("k")))
        assert url(secure, here) == f"https://127.0.0.1:{port}"
        assert url(Address(public="https://x.org/"), here) == "https://x.org"


def test_an_application_beside_this_thread() -> None:
    app = FastAPI()
    app.add_api_route("/", lambda: {"well": True})
    with running(app) as site:
        assert httpx.get(site).json() == {"well": True}
    with pytest.raises(httpx.ConnectError):
        httpx.get(site)


def test_hosts_by_which_it_may_be_called() -> None:
    assert Address().hosts == ["localhost", "127.0.0.1", "[::1]"]
    assert Address(host="0.0.0.0").hosts == ["*"]
    assert "study.org" in Address(public="https://study.org/x").hosts
    assert "study.org" in Address(public="https://study.org:8443").hosts
    assert is_loopback("[::1]")
    assert not is_loopback("example.org")


@pytest.mark.parametrize(
    "address",
    [
        Address(host="0.0.0.0"),
        Address(public="http://study.org"),
        Address(certificate=(Path("/nowhere"), Path("/nowhere"))),
    ],
)
def test_addresses_that_lay_answers_open(address: Address) -> None:
    with pytest.raises(BadInput):
        check_address(address, SECRET)


@pytest.mark.parametrize(
    "address",
    [
        Address(),
        Address(host="0.0.0.0", plain_http=True),
        Address(host="0.0.0.0", public="https://study.org"),
    ],
)
def test_addresses_that_do_not(address: Address) -> None:
    check_address(address, SECRET)


def test_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEIXIS_SECRET", raising=False)
    made = server_secret(tmp_path / "home")
    assert server_secret(tmp_path / "home") == made
    monkeypatch.setenv("DEIXIS_SECRET", "named")
    assert server_secret(tmp_path / "home") == "named"


def test_there_is_no_such_port() -> None:
    with pytest.raises(BadInput, match="--port: expected 0 to 65535, got 99999"):
        bind(Address("127.0.0.1", 99999))
