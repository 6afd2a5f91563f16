"""Notices of Prolific: only signed ones, each once, and each a reason to ask, not to believe."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from tests.collect.conftest import SECRET
from tests.collect.platforms.fake_prolific import TOKEN
from tests.collect.platforms.rig import Rig

from deixis.collect.app import make_app
from deixis.collect.context import Collect
from deixis.collect.platforms.prolific import hooks
from deixis.collect.store.tables import events, notices
from deixis.web.address import Address

KEY = "shared-with-prolific"


@pytest.fixture
def site(small_rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv("DEIXIS_PROLIFIC_TOKEN", TOKEN)
    monkeypatch.setenv("DEIXIS_PROLIFIC_SECRET", KEY)
    at = small_rig.at
    server = Collect(at.store, {"games": at.running}, SECRET, Address(port=0), tmp_path)
    with TestClient(make_app(server), base_url="http://localhost") as made:
        yield made


def tell(site: TestClient, body: Any, event: str = "e1", **over: str) -> Any:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    stamp = over.pop("stamp", str(int(time.time())))
    signed = over.pop("signed", hooks.signature(KEY, stamp, content))
    headers = {
        "X-Prolific-Request-Signature": signed,
        "X-Prolific-Request-Timestamp": stamp,
        "X-Event-ID": event,
    }
    return site.post("/hooks/prolific/games", content=content, headers=headers)


CHANGED = {"event_type": "submission.status.change", "status": "APPROVED", "participant_id": "ada"}


def test_a_notice_makes_us_ask(site: TestClient, small_rig: Rig) -> None:
    person, key = small_rig.completes("ada")
    # The notice lies: what counts is what Prolific says when asked.
    assert tell(site, CHANGED).json() == {"new": True}
    assert small_rig.owed(person)["reward"][1] == "planned"
    small_rig.fake.submissions[key]["status"] = "APPROVED"
    asked = len(small_rig.fake.asked)
    assert tell(site, CHANGED).json() == {"new": False}  # sent again: told already
    assert len(small_rig.fake.asked) == asked
    assert tell(site, CHANGED, "e2").json() == {"new": True}
    assert small_rig.owed(person)["reward"][1] == "confirmed"


def test_notices_hold_nobody_s_id(site: TestClient, small_rig: Rig) -> None:
    tell(site, CHANGED)
    (row,) = small_rig.at.store.read(lambda c: c.execute(select(notices)).all())
    assert (row.kind, row.body) == ("submission.status.change", {"status": "APPROVED"})


@pytest.mark.parametrize(
    "over",
    [
        {"signed": "forged"},
        {"stamp": str(int(time.time()) - 3600)},
        {"stamp": (datetime.now(UTC) - timedelta(hours=1)).isoformat()},
        {"stamp": "yesterday"},
    ],
)
def test_unsigned_and_stale_notices_are_refused(site: TestClient, over: dict[str, str]) -> None:
    assert tell(site, CHANGED, **over).status_code == 401


def test_times_in_both_spellings(site: TestClient) -> None:
    moment = datetime.now(UTC)
    assert tell(site, CHANGED, "a", stamp=moment.isoformat()).status_code == 200
    assert tell(site, [], "b", stamp=moment.replace(tzinfo=None).isoformat()).status_code == 200


def test_what_is_no_json_is_refused(site: TestClient) -> None:
    assert tell(site, b"{").status_code == 400


def test_without_a_shared_secret_nothing_is_taken(
    site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEIXIS_PROLIFIC_SECRET")
    stamp = str(int(time.time()))
    signed = hooks.signature("", stamp, json.dumps(CHANGED).encode())
    assert tell(site, CHANGED, stamp=stamp, signed=signed).status_code == 401


def test_silence_is_noted(small_rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    at = small_rig.at
    monkeypatch.delenv("DEIXIS_PROLIFIC_TOKEN", raising=False)
    assert hooks.look(at.store, at.running) is None
    monkeypatch.setenv("DEIXIS_PROLIFIC_TOKEN", "wrong")
    assert hooks.look(at.store, at.running) is None
    rows = select(events.c.detail).where(events.c.kind == "platform silent")
    (detail,) = at.store.read(lambda c: list(c.execute(rows).scalars()))
    assert "401" in detail["why"]
