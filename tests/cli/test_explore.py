"""``deixis explore`` as a user types it: what it says before it serves, and what it serves."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from tests.conftest import Ended
from tests.schemas import valid

import deixis.web.server
from deixis.web.address import Address

Run = Callable[..., Ended]
Refused = Callable[..., str]
SMALL = ("--limit", 40, "--player", "planted:whole=0.5")


class Served:
    """What would have been served."""

    app: Any = None
    address: Address

    def text(self, path: str, status: int = 200) -> str:
        """The page there."""
        with TestClient(self.app, base_url="http://localhost") as client:
            answer = client.get(path, headers={"accept": "text/html"})
        assert answer.status_code == status, answer.text
        return answer.text


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    """The command ends when it is ready, and its application stays here."""
    made = Served()

    def serve(app: Any, address: Address, ready: Callable[[str], None]) -> None:
        made.app, made.address = app, address
        ready(f"http://{address.host}:{address.port}")

    monkeypatch.setattr(deixis.web.server, "serve", serve)
    return made


@pytest.fixture
def run(deixis: Run, tmp_path: Path) -> Path:
    """An audit of a planted player."""
    out = tmp_path / "games"
    deixis("audit", "figures", *SMALL, "--do", "whole=drop", "--out", out, "--json")
    return out


def test_a_run_in_a_process_of_its_own(run: Path, tmp_path: Path) -> None:
    before = {p: p.read_bytes() for p in run.rglob("*") if p.is_file()}
    cache = tmp_path / "index"
    command = [sys.executable, "-m", "deixis", "explore", run, "--port", "0", "--cache", cache]
    process = subprocess.Popen(
        [*map(str, command), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        said = valid(json.loads(process.stdout.readline()))
        page = httpx.get(said["url"], headers={"accept": "text/html"})
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (said["dataset"], said["trials"]) == ("figures", 40)
    assert said["conditions"][0] == "as it is"
    assert "whole=drop" in said["conditions"]
    assert said["player"] == "planted:whole=0.5"
    assert "40 trials" in page.text
    assert out == ""
    assert "Traceback" not in err
    assert process.returncode in (0, 130)
    assert {p: p.read_bytes() for p in run.rglob("*") if p.is_file()} == before


def test_a_source_alone(deixis: Run, served: Served) -> None:
    ended = deixis("explore", "figures", "--limit", 30)
    assert ended.status == 0
    assert ended.out.startswith("30 trials of figures at http://127.0.0.1:8100/\n")
    assert "stop with Ctrl-C" in ended.out
    assert "30 trials" in served.text("/")
    said = deixis("explore", "figures", "--limit", 30, "--json").json
    assert (said["conditions"], said["player"]) == ([], "linear")


def test_another_player_edits_and_a_run_beside(
    deixis: Run, served: Served, run: Path, tmp_path: Path
) -> None:
    other = tmp_path / "people"
    deixis("play", "figures", "--limit", 40, "--player", "oracle", "--out", other, "--json")
    trial = json.loads((run / "run.json").read_text())
    assert trial["trials"] == 40
    deixis("explore", run)
    first = served.text("/").split('class="open" href="/trial?id=')[1].split('"')[0]
    edits = tmp_path / "mine.toml"
    edits.write_text(f'trial = "{first}"\n[[edit]]\nchannel = "whole"\nvalue = "a cat"\n', "utf-8")
    ended = deixis(
        "explore", run, "--player", "constant", "--beside", other, "--edits", edits, "--json"
    )
    assert ended.json["player"] == "constant"
    assert ended.json["conditions"][-1] == "people: as it is"
    assert "/edit?id=" in ended.json["url"]
    assert ">a cat</textarea>" in served.text(ended.json["url"].partition(":8100")[2])


def test_a_player_that_cannot_play_is_said_on_the_page(deixis: Run, served: Served) -> None:
    said = deixis("explore", "figures", "--limit", 30, "--player", "frob", "--json").json
    assert said["player"] == ""
    trial = served.app.state.opened.task.trials[0].id
    with TestClient(served.app, base_url="http://localhost") as client:
        body = {"id": trial, "edits": [{"channel": "whole", "value": "x"}]}
        answer = client.post("/api/replay", json=body, headers={"x-deixis": "1"}).json()
    assert (answer["state"], "frob cannot play" in answer["sentence"]) == ("empty", True)


def test_a_dead_endpoint_is_said_on_the_page(deixis: Run, served: Served, run: Path) -> None:
    chat = ("--player", "chat:m@http://127.0.0.1:9/v1", "--retries", 0, "--self-test", "none")
    assert deixis("explore", run, *chat, "--json").json["player"].startswith("chat:m")
    opened = served.app.state.opened
    opened.seat.wait()
    body = {"id": opened.task.trials[0].id, "edits": [{"channel": "whole", "value": "a cat"}]}
    with TestClient(served.app, base_url="http://localhost") as client:
        answer = client.post("/api/replay", json=body, headers={"x-deixis": "1"}).json()
    assert answer["state"] == "failed"
    assert "gave up after 1 tries: ConnectionRefusedError" in answer["sentence"]
    assert "edits=" in answer["link"]


def test_a_token_travels_in_the_link(deixis: Run, served: Served) -> None:
    token = secrets.token_hex(20)
    given = ("--host", "0.0.0.0", "--plain-http", "--token", token, "--json")
    said = deixis("explore", "figures", "--limit", 30, *given).json
    assert said["url"].endswith(f"/?token={token}")
    served.text("/", status=401)


def test_what_is_refused(refused: Refused, tmp_path: Path) -> None:
    assert "give --token" in refused("explore", "figures", "--host", "0.0.0.0")
    assert "belong together" in refused("explore", "figures", "--certificate", "c.pem")
    assert "no source 'frob'" in refused("explore", "frob")
    missing = tmp_path / "none.toml"
    assert f"there is no file {missing}" in refused("explore", "figures", "--edits", missing)
    (tmp_path / "no-run").mkdir()
    assert "no run.json" in refused("explore", "figures", "--beside", tmp_path / "no-run")


@pytest.mark.parametrize("command", ["play", "audit", "explore"])
def test_a_name_is_the_source_whatever_lies_here(
    deixis: Run, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    deixis("play", "figures", "--limit", 20, "--player", "constant", "--out", "figures", "--json")
    given = () if command == "explore" else ("--player", "constant")
    ended = deixis(command, "figures", "--limit", 30, *given, "--json")
    assert ended.json.get("n", ended.json.get("trials")) == 30
    assert ended.err.startswith("note: figures is taken as the source of that name; for the run")
    assert "write ./figures" in ended.err
    ended = deixis(command, "./figures", "--json")
    assert ended.json.get("n", ended.json.get("trials")) == 20
    assert "note:" not in ended.err
