"""The interface that browsers talk to."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from starlette.testclient import TestClient

from deixis.collect.context import Collect
from deixis.collect.state import current_step
from deixis.collect.store.sessions import session_of
from deixis.collect.trial import Profile
from deixis.seeds import draw


class Browser:
    """One browser with its token."""

    def __init__(self, client: TestClient, server: Collect, study: str = "games") -> None:
        self.client, self.server, self.study = client, server, study
        self.token = secrets.token_hex(16)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        headers = {"Deixis-Token": self.token} | headers
        return self.client.request(method, path, json=body, headers=headers)

    def arrive(self, **body: Any) -> Any:
        return self.ask("POST", f"/api/{self.study}/arrive", body)

    def now(self) -> Any:
        return self.ask("GET", "/api/now").json()

    def answer(self, response: dict[str, Any] | None = None) -> Any:
        step = self.now()["step"]
        if response is None:
            plan = self.server.studies[self.study].plan
            kind, stimulus = current_step(self.server.store, plan, step["id"])
            made = kind.simulate(stimulus, draw(0, step["id"]), Profile(skill=1.0))
            response = made.model_dump(mode="json")
        body = {"key": secrets.token_hex(8), "step": step["id"], "kind": "final", "ms": 1.5}
        return self.ask("POST", "/api/write", body | {"response": response})


@pytest.fixture
def browser(client: TestClient, server: Collect) -> Browser:
    return Browser(client, server)


def test_a_visit_through_the_interface(browser: Browser) -> None:
    first = browser.arrive().json()
    assert first["step"]["type"] == "consent"
    assert first == browser.now()
    state = first
    while "step" in state:
        reply = browser.answer()
        assert reply.status_code == 200
        state = reply.json()["now"]
    assert state["finish"]["outcome"] == "completed"
    assert browser.now() == state


def test_arriving_twice_with_a_token_is_one_visit(browser: Browser) -> None:
    assert browser.arrive().json() == browser.arrive().json()


def test_the_page_gets_nothing_but_what_it_shows(browser: Browser, server: Collect) -> None:
    browser.arrive()
    browser.answer()
    text = browser.ask("GET", "/api/now").text
    found = server.store.read(session_of, browser.token)
    assert found is not None
    plan = server.studies["games"].plan
    assert plan.pool is not None
    names = {t.id for t in plan.pool.task.trials}  # type: ignore[attr-defined]
    names |= {p.source for t in plan.pool.task.trials for p in t.pictures}  # type: ignore[attr-defined]
    for hidden in (found.seed, found.arm, "answer", "order", "target", *names):
        assert f'"{hidden}"' not in text
        assert f"{hidden}-0" not in text


@pytest.mark.parametrize("token", ["", "x" * 32, "abc", "A" * 32])
def test_bad_tokens(client: TestClient, token: str) -> None:
    reply = client.get("/api/now", headers={"Deixis-Token": token} if token else {})
    assert reply.status_code == 422


def test_unknown_tokens(client: TestClient) -> None:
    reply = client.get("/api/now", headers={"Deixis-Token": "0" * 32})
    assert reply.status_code == 401
    assert "open the study" in reply.json()["error"]


def test_another_person_s_token_opens_nothing_of_mine(client: TestClient, server: Collect) -> None:
    one, other = Browser(client, server), Browser(client, server)
    one.arrive()
    other.arrive()
    step = one.now()["step"]["id"]
    body = {"key": "k" * 8, "step": step, "kind": "final", "response": {"agrees": False}}
    assert other.ask("POST", "/api/write", body).status_code == 404
    assert "step" in one.now()


def test_previews_need_a_signature(browser: Browser, server: Collect) -> None:
    assert browser.arrive(preview="nonsense").status_code == 409
    assert browser.arrive(preview=server.preview("names")).status_code == 409
    assert browser.arrive(preview=server.preview("games")).status_code == 200
    found = server.store.read(session_of, browser.token)
    assert found is not None
    assert found.mode == "test"


def test_unknown_studies(client: TestClient, server: Collect) -> None:
    assert Browser(client, server, "other").arrive().status_code == 404
    assert client.get("/study/other").status_code == 404


def test_signs_of_life_stopping_and_leaving(client: TestClient, server: Collect) -> None:
    browser = Browser(client, server, "names")
    browser.arrive()
    assert browser.ask("POST", "/api/beat").json() == {"saved": True}
    for _ in range(4):  # consent, quiz, one shape
        browser.answer()
    assert browser.now()["may_stop"] is True
    assert browser.ask("POST", "/api/stop").json()["finish"]["outcome"] == "completed"
    assert browser.ask("POST", "/api/beat").json() == {"saved": False}


def test_leaving_and_being_erased(client: TestClient, server: Collect) -> None:
    browser = Browser(client, server)
    browser.arrive()
    browser.answer()
    left = browser.ask("POST", "/api/leave", {"erase": True}).json()
    assert left["finish"]["outcome"] == "withdrawn"
    assert browser.ask("GET", "/api/now").status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"key": "short", "step": "x", "kind": "final", "response": {}},
        {"key": "k" * 8, "step": "../x", "kind": "final", "response": {}},
        {"key": "k" * 8, "step": "x", "kind": "other", "response": {}},
        {"key": "k" * 8, "step": "x", "kind": "final", "response": []},
        {"key": "k" * 8, "step": "x", "kind": "final", "response": {}, "version": 2**40},
        {"key": "k" * 8, "step": "x", "kind": "final", "response": {}, "extra": 1},
    ],
)
def test_writes_of_the_wrong_shape(browser: Browser, body: dict[str, Any]) -> None:
    browser.arrive()
    reply = browser.ask("POST", "/api/write", body)
    assert reply.status_code == 422
    assert set(reply.json()) == {"error"}


def test_a_body_that_is_too_large(browser: Browser) -> None:
    browser.arrive()
    body = {"key": "k" * 8, "step": "x", "kind": "draft", "response": {"x": "y" * 300_000}}
    assert browser.ask("POST", "/api/write", body).status_code == 413


def test_a_broken_server_says_so_and_loses_nothing(
    browser: Browser, server: Collect, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.arrive()
    import deixis.collect.api as api

    def broken(*_: object) -> None:
        raise RuntimeError("disk on fire")

    monkeypatch.setattr(api, "answer", broken)
    step = browser.now()["step"]["id"]
    body = {"key": "k" * 8, "step": step, "kind": "final", "response": {"agrees": True}}
    reply = browser.ask("POST", "/api/write", body)
    assert reply.status_code == 500
    assert "Nothing that was saved is lost" in reply.json()["error"]
    assert "disk" not in reply.text
    monkeypatch.undo()
    assert browser.ask("POST", "/api/write", body).status_code == 200


def test_the_front_page_and_the_shell(client: TestClient) -> None:
    home = client.get("/")
    assert home.status_code == 200
    for text in ("Pointing with words", "/study/games", "/study/names", "/admin"):
        assert text in home.text
    shell = client.get("/study/games?PROLIFIC_PID=secret")
    assert shell.status_code == 200
    assert "secret" not in shell.text
    assert "set-cookie" not in shell.headers


def test_modules_are_given_out_and_python_is_not(client: TestClient) -> None:
    module = client.get("/static/types/annotate_parts.js")
    assert module.status_code == 200
    assert module.headers["content-type"].startswith("text/javascript")
    assert client.get("/static/types/annotate_parts.py").status_code == 404
    assert client.get("/static/types/nothing.js").status_code == 404
    for path in ("/static/web/../frame.py", "/static/collect/%2e%2e/app.py", "/static/web/"):
        assert client.get(path).status_code == 404
