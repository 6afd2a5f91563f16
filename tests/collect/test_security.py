"""Who may do what, and what nobody can make a page do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from deixis.collect.admin import sign_in as signing
from deixis.collect.app import make_app
from deixis.collect.context import Collect
from deixis.collect.store.accounts import add_account
from deixis.web.headers import POLICY
from tests.collect.small import Session

ANYBODY = "anybody"
PARTICIPANT = "participant"
SIGNED = "signed by the platform"

MATRIX = {
    ("GET", "/"): ANYBODY,
    ("GET", "/study/{name}"): ANYBODY,
    ("GET", "/static/types/{name}.js"): ANYBODY,
    ("POST", "/api/{study}/arrive"): ANYBODY,
    ("GET", "/api/now"): PARTICIPANT,
    ("POST", "/api/write"): PARTICIPANT,
    ("POST", "/api/beat"): PARTICIPANT,
    ("POST", "/api/stop"): PARTICIPANT,
    ("POST", "/api/leave"): PARTICIPANT,
    ("POST", "/hooks/prolific/{study}"): SIGNED,
    ("GET", "/admin/sign-in"): ANYBODY,
    ("POST", "/admin/sign-in"): ANYBODY,
    ("POST", "/admin/sign-out"): "viewer",
    ("GET", "/admin"): "viewer",
    ("GET", "/admin/studies/{name}"): "viewer",
    ("GET", "/admin/studies/{name}/live"): "viewer",
    ("GET", "/admin/studies/{name}/answers"): "reviewer",
    ("GET", "/admin/studies/{name}/money"): "reviewer",
    ("GET", "/admin/studies/{name}/rounds"): "reviewer",
    ("POST", "/admin/studies/{name}/rounds"): "owner",
    ("POST", "/admin/readings/{key}"): "reviewer",
    ("GET", "/admin/collections/{name}"): "reviewer",
    ("GET", "/admin/visits/{key}"): "reviewer",
    ("GET", "/admin/exports/{key}"): "reviewer",
    ("GET", "/admin/accounts"): "owner",
    ("POST", "/admin/studies/{name}/state"): "owner",
    ("POST", "/admin/studies/{name}/top-up"): "owner",
    ("POST", "/admin/studies/{name}/export"): "reviewer",
    ("POST", "/admin/studies/{name}/look"): "reviewer",
    ("POST", "/admin/studies/{name}/pay"): "owner",
    ("POST", "/admin/visits/{key}/review"): "reviewer",
    ("POST", "/admin/visits/{key}/bonus"): "owner",
    ("POST", "/admin/visits/{key}/screen-out"): "owner",
    ("POST", "/admin/visits/{key}/erase"): "owner",
    ("POST", "/admin/payments/{key}"): "owner",
    ("POST", "/admin/accounts"): "owner",
    ("POST", "/admin/accounts/{name}/remove"): "owner",
}
"""Every route and who may use it: a new route has to be written down here."""

LEVEL = {ANYBODY: 0, "viewer": 1, "reviewer": 2, "owner": 3}


def routes(client: TestClient) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()

    def walk(listed: Any) -> None:
        for route in listed:
            if isinstance(route, APIRoute):
                found.update((m, route.path) for m in route.methods)
            elif hasattr(route, "original_router"):
                walk(route.original_router.routes)

    walk(client.app.routes)  # type: ignore[attr-defined]
    return found


def test_every_route_is_in_the_matrix(client: TestClient) -> None:
    assert routes(client) == set(MATRIX)


def enter(client: TestClient, name: str, password: str) -> str:
    """Sign in; gives the token that forms carry."""
    form = {"name": name, "password": password}
    assert client.post("/admin/sign-in", data=form).status_code == 303
    page = client.get("/admin", headers={"accept": "text/html"}).text
    found = re.search(r'name="form_token" value="([0-9a-f]+)"', page)
    assert found
    return found[1]


def ask(client: TestClient, method: str, path: str, token: str = "") -> int:
    where = path.replace("{name}", "games").replace("{study}", "games").replace("{key}", "999")
    form = {"form_token": token} if token else {}
    if method == "GET":
        return client.get(where).status_code
    return client.post(where, data=form).status_code


@pytest.mark.parametrize("role", [ANYBODY, "viewer", "reviewer", "owner"])
def test_every_route_by_every_role(
    client: TestClient, server: Collect, accounts: dict[str, str], role: str
) -> None:
    token = "" if role == ANYBODY else enter(client, role, accounts[role])
    # signing out comes last: after it nothing is allowed
    for (method, path), needed in sorted(
        MATRIX.items(), key=lambda m: m[0][1].endswith("sign-out")
    ):
        status = ask(client, method, path, token)
        if needed in (PARTICIPANT, SIGNED):
            assert status in (401, 422), (method, path)  # a sign-in opens nothing of these
        elif LEVEL[role] >= LEVEL[needed]:
            assert status not in (401, 403), (method, path, status)
        else:
            assert status == (401 if role == ANYBODY else 403), (method, path, status)


def test_forms_need_the_token_of_their_login(client: TestClient, accounts: dict[str, str]) -> None:
    token = enter(client, "owner", accounts["owner"])
    where, form = "/admin/studies/games/state", {"state": "paused"}
    assert client.post(where, data=form).status_code == 403
    assert client.post(where, data=form | {"form_token": "0" * 64}).status_code == 403
    other = enter(client, "owner", accounts["owner"])
    assert token != other
    assert client.post(where, data=form | {"form_token": token}).status_code == 403
    assert client.post(where, data=form | {"form_token": other}).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}],
)
def test_forms_of_other_sites_are_refused(
    client: TestClient, accounts: dict[str, str], headers: dict[str, str]
) -> None:
    token = enter(client, "owner", accounts["owner"])
    form = {"state": "paused", "form_token": token}
    assert client.post("/admin/studies/games/state", data=form, headers=headers).status_code == 403
    form = {"name": "owner", "password": accounts["owner"]}
    assert client.post("/admin/sign-in", data=form, headers=headers).status_code == 403


def test_the_cookie_is_strict_signed_and_for_admin_only(
    client: TestClient, accounts: dict[str, str]
) -> None:
    form = {"name": "viewer", "password": accounts["viewer"]}
    cookie = client.post("/admin/sign-in", data=form).headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=strict", "Path=/admin"):
        assert part in cookie
    value = cookie.split("=", 1)[1].split(";")[0]
    client.cookies.clear()
    for forged in (value[:-1] + ("0" if value[-1] != "0" else "1"), "x" * 64, value.split(".")[0]):
        reply = client.get("/admin", headers={"cookie": f"{signing.COOKIE}={forged}"})
        assert reply.status_code == 401
    assert client.get("/admin", headers={"cookie": f"{signing.COOKIE}={value}"}).status_code == 200


def test_over_https_the_cookie_is_secure(server: Collect, accounts: dict[str, str]) -> None:
    from dataclasses import replace

    from deixis.web.address import Address

    secure = replace(server, address=Address(public="https://study.example.org"))
    app = make_app(secure)
    base = "https://study.example.org"
    with TestClient(app, base_url=base, follow_redirects=False) as client:
        form = {"name": "viewer", "password": accounts["viewer"]}
        reply = client.post("/admin/sign-in", data=form)
        assert "Secure" in reply.headers["set-cookie"]
        assert "max-age" in reply.headers["strict-transport-security"]
        assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_guessing_passwords_is_slowed_down(
    client: TestClient, server: Collect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "_failures", {})
    password = add_account(server.store, "ada", "viewer")
    for _ in range(signing.TRIES):
        form = {"name": "ada", "password": "guess"}
        assert client.post("/admin/sign-in", data=form).status_code == 403
    form = {"name": "ada", "password": password}
    assert client.post("/admin/sign-in", data=form).status_code == 429
    later = signing.time.monotonic() + signing.WITHIN + 1
    monkeypatch.setattr(signing.time, "monotonic", lambda: later)
    assert client.post("/admin/sign-in", data=form).status_code == 303


def test_signing_out_ends_the_login(client: TestClient, accounts: dict[str, str]) -> None:
    token = enter(client, "viewer", accounts["viewer"])
    cookie = client.cookies[signing.COOKIE]
    assert client.post("/admin/sign-out", data={"form_token": token}).status_code == 303
    reply = client.get("/admin", headers={"cookie": f"{signing.COOKIE}={cookie}"})
    assert reply.status_code == 401
    assert client.get("/admin", headers={"accept": "text/html"}).headers["location"] == (
        "/admin/sign-in"
    )


def test_every_response_carries_the_policy(client: TestClient) -> None:
    for path in ("/", "/study/games", "/nowhere", "/api/now", "/static/web/base.css", "/admin"):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == POLICY.format(ancestors="'none'")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers
    assert "unsafe" not in POLICY
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


XSS = (
    "<script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    '"><svg onload=window.hacked=1>',
    "'-alert(1)-'",
    "javascript:window.hacked=1",
    "{{ 7 * 7 }} {% raw %}",
    "</textarea><script>window.hacked=1</script>",
    "<!--<script>",
    "\u202e<b>evil</b>",
    "&lt;script&gt;",
)


@pytest.mark.parametrize("text", XSS)
def test_no_text_becomes_markup_on_the_researchers_pages(
    client: TestClient, server: Collect, accounts: dict[str, str], text: str
) -> None:
    at = Session(server.store, server.studies["names"])
    person = at.arrives(text).until("describe_whole")
    spoken = f"x {text}"
    person.answers({"text": spoken})
    log = [{"do": "name", "name": spoken, "pieces": [1, 2, 3, 4, 5, 6, 7], "ms": 1}]
    parts = {str(i): spoken for i in range(1, 8)}
    person.answers({"log": log, "parts": parts})
    token = enter(client, "owner", accounts["owner"])
    form = {"form_token": token, "verdict": "note", "words": text}
    assert client.post(f"/admin/visits/{person.key}/review", data=form).status_code == 303
    client.post("/admin/accounts", data={"form_token": token, "name": text[:60], "role": "viewer"})
    pages = (
        "/admin/visits/1",
        "/admin/studies/names/answers",
        "/admin/studies/names",
        "/admin/accounts",
    )
    for path in pages:
        html = client.get(f"/admin/{path}", headers={"accept": "text/html"}).text
        if "<" in text:
            assert text not in html
        assert "<script>window" not in html
        assert "onerror=window" not in re.sub(r"&lt;.*?&gt;", "", html)


def test_a_study_s_own_words_are_text_too(client: TestClient, server: Collect) -> None:
    from deixis.collect.running import run_studies
    from tests.collect.small import games

    evil = games(name="evil", title="<script>x</script>", summary="<img src=x onerror=x>")
    server.studies["evil"] = run_studies(server.store, [evil])["evil"]
    for path in ("/", "/study/evil"):
        html = client.get(path).text
        assert "<script>x" not in html
        assert "<img src=x" not in html


def test_no_page_holds_inline_script_or_style(client: TestClient, accounts: dict[str, str]) -> None:
    enter(client, "owner", accounts["owner"])
    for path in (
        "/",
        "/study/games",
        "/admin/sign-in",
        "/admin",
        "/admin/studies/games",
        "/admin/accounts",
    ):
        html = client.get(path, headers={"accept": "text/html"}).text
        assert not re.search(r"<script(?![^>]*src=)", html), path
        assert not re.search(r"\son[a-z]+=", html), path
        assert not re.search(r"\sstyle=", html), path
        assert "http://" not in html.replace("http://www.w3.org", ""), path
        assert "//cdn" not in html
