"""``deixis serve`` and ``deixis collect``, as one types them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from deixis.collect.serving import Options, open_server, store_url
from deixis.collect.store.opening import open_store
from deixis.collect.store.tables import admins, answers
from deixis.errors import BadInput
from deixis.web.address import Address
from tests.collect.platforms.fake_prolific import TOKEN, fake_prolific

STUDY = """
name = "tiny"
version = 1
title = "Tiny"
summary = "What is it?"
minutes = 1
[pool]
kind = "games"
source = "figures:test"
world = { variants = 2 }
limit = 4
packet = 2
people = 40
practice = 0
[pool.conditions]
"all" = ""
"words" = "color=drop"
[[phase]]
name = "consent"
type = "consent"
trials = [{ text = "Shall we?" }]
[[phase]]
name = "main"
type = "choose_target"
use = "pool"
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(STUDY)
    return path


def test_simulated_people(study: Path, tmp_path: Path, deixis: Any) -> None:
    home = tmp_path / "home"
    given = ("serve", study, "--home", home, "--simulate", 6, "--export", tmp_path / "out")
    told = deixis(*given, "--json").json
    assert told["schema"] == "deixis/serve/1"
    (one,) = told["studies"]
    assert (one["study"], one["people"], one["faults"]) == ("tiny", 6, [])
    assert sum(one["outcomes"].values()) == 6
    assert one["slots"]["done"] == one["outcomes"]["completed"]
    manifest = json.loads((tmp_path / "out/tiny/manifest.json").read_text())
    assert manifest["rows"]["answers"] == one["answers"]
    shown = deixis("serve", study, "--home", home, "--simulate", 2).out
    assert "tiny: 2 simulated people" in shown
    assert "final answers" in shown
    again = deixis("serve", study, "--home", tmp_path / "other", "--simulate", 6, "--json").json
    assert again["studies"][0]["outcomes"] == one["outcomes"]  # the same people for the same seed


def test_looking_after_a_study(study: Path, tmp_path: Path, deixis: Any, refused: Any) -> None:
    home, other = ("--home", tmp_path / "home"), ("--home", tmp_path / "other")
    deixis("serve", study, *home, "--simulate", 3, "--json")
    tests = ("--mode", "test", "--json")
    told = deixis("collect", "export", study, tmp_path / "x", *tests, *home).json
    assert told["schema"] == "deixis/export/1"
    assert "there already" in refused("collect", "export", study, tmp_path / "x", *home)
    file = tmp_path / "kept.zip"
    said = deixis("collect", "backup", file, *home).out
    assert re.fullmatch(r"\d+ rows in .*kept\.zip\n", said)
    assert deixis("collect", "restore", file, *other).status == 0
    again = deixis("collect", "export", study, tmp_path / "y", *tests, *other)
    assert again.json["rows"] == told["rows"]
    worker = json.loads((tmp_path / "x/sessions.jsonl").read_text().splitlines()[0])["worker"]
    gone = deixis("collect", "erase", "tiny", worker, *home, "--json").json
    assert gone["gone"]["answer"] > 0
    assert "nobody there is" in refused("collect", "erase", "tiny", worker, *home)


def test_accounts_from_the_command_line(tmp_path: Path, deixis: Any, refused: Any) -> None:
    home = ("--home", tmp_path / "home")
    made = deixis("collect", "account", "ada", "--role", "owner", *home).out
    assert re.fullmatch(r"ada \(owner\), password \S{16,}\n", made)
    assert deixis("collect", "account", "eve", *home, "--json").json["role"] == "viewer"
    assert (
        deixis("collect", "account", "eve", "--remove", *home).out == "eve can no longer sign in\n"
    )
    assert "eve" in refused("collect", "account", "eve", "--remove", *home)
    store = open_store(store_url(tmp_path / "home"))
    (row,) = store.read(lambda c: c.execute(select(admins)).all())
    store.close()
    assert row.password.startswith("$argon2id$")
    assert made.split()[-1] not in row.password


PROLIFIC = '\n[pay]\nreward = 1.0\n[platform]\nname = "prolific"\napi = "URL"\n'


def test_a_draft_on_prolific(
    study: Path, tmp_path: Path, deixis: Any, refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = ("--home", tmp_path / "home", "--url", "https://example.org/study/tiny")
    assert "DEIXIS_PROLIFIC_TOKEN" in refused("collect", "draft", study, *home)
    monkeypatch.setenv("DEIXIS_PROLIFIC_TOKEN", TOKEN)
    assert "is local, not prolific" in refused("collect", "draft", study, *home)
    with fake_prolific() as fake:
        changed = STUDY.replace("version = 1", "version = 2")
        study.write_text(changed + PROLIFIC.replace("URL", fake.url))
        told = deixis("collect", "draft", study, *home, "--json").json
        assert told == {"schema": "deixis/draft/1", "study": "tiny", "prolific": "study1"}
        assert fake.studies["study1"]["total_available_places"] == 160
        fake.break_next("studies", "lost after")
        assert "no study was made" in refused("collect", "draft", study, *home)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--certificate", "x.pem"), "--certificate and --key belong together"),
        (("--simulate", "-1"), "--simulate: expected at least 1"),
        (("--host", "0.0.0.0"), "plain HTTP"),
        (("--public-url", "http://example.org"), "plain HTTP"),
        (("--certificate", "x.pem", "--key", "y.pem"), "there is no file x.pem"),
        (("--store", "mysql://x"), "mysql"),
        (("nothing",), "there is no study 'nothing'"),
    ],
)
def test_what_is_refused(given: tuple[str, ...], said: str, tmp_path: Path, refused: Any) -> None:
    assert said in refused("serve", *given, "--home", tmp_path / "home")


def test_a_weak_secret_is_refused(
    tmp_path: Path, refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEIXIS_SECRET", "change-me")
    assert "the secret is short or well known" in refused("serve", "--home", tmp_path / "home")


def test_the_secret_is_made_once_and_for_the_owner_only(study: Path, tmp_path: Path) -> None:
    options = Options((str(study),), tmp_path / "home", address=Address(port=0))
    with open_server(options) as first:
        secret, password = first.server.secret, first.password
    with open_server(options) as second:
        assert (second.server.secret, second.password) == (secret, "")
    assert password
    path = tmp_path / "home/secret"
    assert path.read_text() == secret
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_study_that_changed_needs_a_new_version(study: Path, tmp_path: Path) -> None:
    options = Options((str(study),), tmp_path / "home", address=Address(port=0))
    with open_server(options):
        pass
    study.write_text(STUDY.replace("Tiny", "Other"))
    with pytest.raises(BadInput, match="raise its version"), open_server(options):
        pass


def test_a_server_from_start_to_ctrl_c(study: Path, tmp_path: Path) -> None:
    """The whole program: it says where it is, takes an answer, stops, and has it afterwards."""
    home = tmp_path / "home"
    command = [sys.executable, "-m", "deixis", "serve", str(study), "--port", "0"]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        [*command, "--home", str(home)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert server.stdout is not None
    said = ""
    while "Ctrl-C" not in said:
        line = server.stdout.readline()
        assert line, said
        said += line
    found = re.search(r"studies +(http://127\.0\.0\.1:\d+)/", said)
    assert found
    assert "password" in said
    with httpx.Client(base_url=found[1], headers={"Deixis-Token": "0" * 31 + "1"}) as browser:
        assert "Tiny" in browser.get("/").text
        step = browser.post("/api/tiny/arrive", json={}).json()["step"]["id"]
        body = {"key": "k" * 8, "step": step, "kind": "final", "response": {"agrees": True}}
        assert browser.post("/api/write", json=body).json()["saved"]
    server.send_signal(signal.SIGINT)
    assert server.wait(60) in (0, 130)
    server.stdout.close()
    store = open_store(store_url(home))
    assert len(store.read(lambda c: c.execute(select(answers)).all())) == 1
    store.close()
