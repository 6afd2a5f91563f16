"""Trials in full, the audit, pictures and downloads."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from deixis.explore.audit_page import track_of
from deixis.explore.opened import Opened
from deixis.explore.rows import replies
from deixis.pictures.svg import read_svg
from deixis.runs import columns
from tests.explore.conftest import client_of
from tests.explore.small import Ran

HTML = {"accept": "text/html"}


def test_a_trial_under_every_condition_and_seed(client: TestClient, opened_games: Opened) -> None:
    trial = opened_games.task.trials[7]
    text = client.get("/trial", params={"id": trial.id, "under": "color=drop"}, headers=HTML).text
    rows = re.findall(r"<tr[^>]*>\s*<td><a href=\"/trial", text)
    assert len(rows) == sum(len(t.files) for t in opened_games.tracks)
    assert "Under <code>color=drop</code>" in text
    assert text.count("<polygon") == 2 * 5 * 7  # five candidates on both sides


def test_replies_are_those_of_the_cells(opened_games: Opened, opened_rooms: Opened) -> None:
    for opened in (opened_games, opened_rooms):
        trial = opened.task.trials[11].id
        for track in opened.tracks:
            said = replies(track, trial)
            assert [r.replicate for r in said] == list(range(1, len(track.files) + 1))
            for reply, (_, path) in zip(said, track.files, strict=True):
                own = columns.read(path)
                own = own.only(own.ids == trial)
                assert reply.credit == own.credit[-1]
                assert reply.rank == own.rank[-1]
                assert len(reply.curve) == (len(own) if opened is opened_rooms else 0)
        assert replies(opened.tracks[0], "no such trial") == []


def test_leafing_follows_the_query(client: TestClient, opened_games: Opened) -> None:
    trials = opened_games.task.trials
    text = client.get("/trial", params={"id": trials[1].id}, headers=HTML).text
    assert "2 of 60" in text
    links = re.findall(r'rel="(prev|next)" href="/trial\?id=([^"&]+)', text)
    assert links == [("prev", trials[0].id), ("next", trials[2].id)]
    other = {"id": trials[1].id, "cluster": "no such cluster"}
    assert "rel=" not in client.get("/trial", params=other, headers=HTML).text.split("<h1")[1]


def test_a_dialog_with_curves_and_the_best_of_its_pool(
    rooms_client: TestClient, opened_rooms: Opened
) -> None:
    text = rooms_client.get("/", headers=HTML).text
    first = re.findall(r'href="(/trial[^"]+)"', text)[0]
    text = rooms_client.get(first.replace("&amp;", "&"), headers=HTML).text
    assert "Rank after each round" in text
    assert text.count('class="curve') == len(opened_rooms.tracks)
    assert "caption" in text


def test_no_trial(client: TestClient) -> None:
    answer = client.get("/trial", params={"id": "frob"}, headers=HTML)
    assert answer.status_code == 400
    assert "has no trial" in answer.text


def test_every_number_of_the_audit_leads_to_trials(
    client: TestClient, opened_games: Opened
) -> None:
    text = client.get("/audit", headers=HTML).text
    links = [h.replace("&amp;", "&") for h in re.findall(r'href="(/\?under[^"]+)"', text)]
    assert len(set(links)) >= 8
    for link in set(links):
        answer = client.get(link, headers=HTML)
        assert answer.status_code == 200
        assert "most lost first" in answer.text
    assert opened_games.audit is not None
    for contrast in opened_games.audit["contrasts"]:
        if contrast["kind"] in ("gap", "shapley", "interaction", "prior", "sham"):
            assert track_of(opened_games, contrast), contrast
    assert text.count("<svg") >= 2
    assert "verdict" in text


def test_the_audit_of_dialogs_has_curves(rooms_client: TestClient, opened_rooms: Opened) -> None:
    text = rooms_client.get("/audit", headers=HTML).text
    assert "Round by round" in text
    assert "Less and less" in text
    assert opened_rooms.audit is not None
    curve = next(c for c in opened_rooms.audit["contrasts"] if c["kind"] == "curve")
    assert track_of(opened_rooms, curve) == "answer=words:1"


def test_pictures_are_kept_by_browsers(client: TestClient) -> None:
    text = client.get("/", headers=HTML).text
    address = re.findall(r'src="(/picture/[0-9a-f]+)"', text)[0]
    answer = client.get(address)
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/picture/0123456789abcdef01234567").status_code == 404


def test_rooms_are_drawn(rooms_client: TestClient) -> None:
    text = rooms_client.get("/", headers=HTML).text
    address = re.findall(r'src="(/picture/[0-9a-f]+)"', text)[0]
    for _ in range(2):  # made, then kept
        answer = rooms_client.get(address)
        assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert rooms_client.get(address.replace("picture", "svg")).status_code == 404


def test_tangrams_as_files(client: TestClient, opened_games: Opened) -> None:
    trial = opened_games.task.trials[3]
    text = client.get("/trial", params={"id": trial.id}, headers=HTML).text
    links = re.findall(r'href="(/svg/[0-9a-f]+)"', text)
    assert len(links) == 5
    answer = client.get(links[0])
    assert "attachment" in answer.headers["content-disposition"]
    made = read_svg(answer.content, "it")
    assert {p.points for p in made.pieces} in [
        {p.points for p in opened_games.task.store.tangram(c.source).pieces}  # type: ignore[attr-defined]
        for c in trial.pictures
    ]


def test_without_an_audit(game_run: Ran, opened_games: Opened) -> None:
    from dataclasses import replace

    with client_of(replace(opened_games, audit=None)) as client:
        text = client.get("/audit", headers=HTML).text
    assert f"deixis audit {game_run.path}" in text


@pytest.mark.parametrize("path", ["/", "/trial?id=x", "/edit?id=x", "/audit", "/edits.toml?id=x"])
def test_programs_are_told_in_json(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200 or answer.json()["error"]
