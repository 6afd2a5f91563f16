"""Who may look, what cannot be asked for, and texts that stay texts."""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.explore.app import make_app
from deixis.explore.guard import COOKIE
from deixis.explore.opened import Opened, open_all
from deixis.explore.seat import Seat
from deixis.tasks.make import make
from deixis.web.address import Address
from tests.explore.conftest import client_of

HTML = {"accept": "text/html"}
TOKEN = secrets.token_hex(20)
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'&"


def test_loopback_only_unless_there_is_a_token(opened_games: Opened) -> None:
    outside = Address("0.0.0.0", plain_http=True)
    with pytest.raises(
        BadInput, match=r"0\.0\.0\.0 can be reached from other machines: give --token"
    ):
        make_app(opened_games, outside)
    with pytest.raises(BadInput, match="short or easy to guess"):
        make_app(opened_games, outside, "change-me")
    with pytest.raises(BadInput, match="by plain HTTP"):
        make_app(opened_games, Address("0.0.0.0"), TOKEN)
    with pytest.raises(BadInput, match="give --token"):
        make_app(opened_games, Address(public="https://lab.example.org"))
    make_app(opened_games, outside, TOKEN)
    make_app(opened_games, Address("::1"))


def test_without_the_token_nothing_is_shown(opened_games: Opened) -> None:
    trial = opened_games.task.trials[0].id
    with client_of(opened_games, token=TOKEN) as client:
        for path in ("/", f"/trial?id={trial}", "/audit", "/picture/0", "/edits.toml?id=x"):
            for wrong in ("", f"{'&' if '?' in path else '?'}token={'0' * 40}"):
                answer = client.get(path + wrong, headers=HTML)
                assert answer.status_code == 401
                assert trial not in answer.text
        answer = client.post("/api/replay", json={"id": trial}, headers={"x-deixis": "1"})
        assert answer.status_code == 401
        client.cookies.set(COOKIE, TOKEN)  # what is kept is not the token itself
        assert client.get("/", headers=HTML).status_code == 401


def test_the_token_leaves_the_address_and_stays_in_a_cookie(opened_games: Opened) -> None:
    with client_of(opened_games, token=TOKEN) as client:
        answer = client.get(f"/?show=wrong&token={TOKEN}", headers=HTML)
        assert answer.status_code == 303
        assert answer.headers["location"] == "/?show=wrong"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert TOKEN not in cookie
        assert client.get("/", headers=HTML).status_code == 200
        answer = client.get(f"//evil.example/?token={TOKEN}", headers=HTML)
        assert not answer.headers.get("location", "").startswith("//")


def test_other_sites_cannot_ask_for_work(client: TestClient, opened_games: Opened) -> None:
    body = {"id": opened_games.task.trials[0].id}
    assert client.post("/api/replay", json=body).status_code == 403
    assert client.post("/api/edits", json={"name": "x", "text": ""}).status_code == 403
    answer = client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "path",
    [
        "/static/explore/../opened.py",
        "/static/explore/..%2fopened.py",
        "/static/explore/%2e%2e/%2e%2e/cli/explore.py",
        "/static/web/../../explore/templates/trial.html",
        "/static/explore/%00.js",
        "/picture/..%2f..%2f..%2fetc%2fpasswd",
        "/picture/%2fetc%2fpasswd",
        "/svg/../../etc/passwd",
        "/picture/swan-000",
    ],
)
def test_no_path_leads_to_a_file(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_names_of_downloads_are_plain(client: TestClient, opened_games: Opened) -> None:
    from deixis.explore.files import download

    name = download('../../a"b\r\nx: y/ü.toml')["content-disposition"]
    assert re.fullmatch(r'attachment; filename="[A-Za-z0-9_.-]+"', name)
    assert "/" not in name


def hostile(world: Dataset, cache: Path) -> Opened:
    """Trials whose every text is markup."""
    records = {
        i: replace(a, whole=HOSTILE + str(n), parts=tuple(HOSTILE + p for p in a.parts))
        for n, (i, a) in enumerate(list(world.records.items())[::3])
    }
    ids = tuple(records)
    dataset = replace(world, records=records, splits={"all": ids}, name=HOSTILE)
    task = make(dataset, HOSTILE, k=3).limit(6)
    return open_all(task, Seat("", None, HOSTILE), cache=cache, notes=[HOSTILE])


def test_texts_are_never_markup(world: Dataset, cache: Path) -> None:
    opened = hostile(world, cache)
    trial = opened.task.trials[0].id
    with client_of(opened) as client:
        for path in (
            "/",
            "/?text=%3Cscript%3E",
            f"/trial?id={trial}",
            f"/edit?id={trial}",
            "/audit",
        ):
            text = client.get(path, headers=HTML).text
            assert "<script>alert" not in text
            assert "<img src=x" not in text
            assert "&lt;script&gt;" in text
        answer = client.get("/", params={"show": HOSTILE}, headers=HTML)
        assert "<script>alert" not in answer.text


def test_every_answer_bears_the_policy(client: TestClient) -> None:
    for path in ("/", "/audit", "/picture/0", "/static/explore/edit.js", "/frob"):
        policy = client.get(path).headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
