"""Runs that are older, broken or unfinished; pictures that are missing; other runs beside."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.explore.index import build_index
from deixis.explore.opened import Opened, open_all
from deixis.explore.query import Query, select
from deixis.explore.seat import Seat
from deixis.explore.tracks import open_folder
from deixis.sources import load
from deixis.tasks.edits import Edit, EditFile
from deixis.tasks.make import make
from deixis.tasks.task import Task
from tests.explore.conftest import client_of
from tests.explore.small import Ran, played

HTML = {"accept": "text/html"}


@pytest.fixture
def copied(game_run: Ran, tmp_path: Path) -> Iterator[Ran]:
    """The run of games, to be spoilt."""
    shutil.copytree(game_run.path, tmp_path / "copy")
    return replace(game_run, path=tmp_path / "copy")


def respecified(ran: Ran, **changes: object) -> None:
    path = ran.path / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_run_from_an_older_version(copied: Ran, cache: Path) -> None:
    respecified(copied, version="0.0.1", fingerprint="0" * 16)
    opened = copied.open(cache)
    with client_of(opened) as client:
        text = client.get("/", headers=HTML).text
    assert "copy was played by deixis 0.0.1, this is" in text
    assert "another fingerprint (0000000000000000 there," in text
    assert 'class="card trial-card"' in text


def test_a_broken_cell_is_said_and_the_others_are_shown(copied: Ran, cache: Path) -> None:
    broken, gone = sorted((copied.path / "cells").iterdir())[:2]
    broken.write_bytes(broken.read_bytes()[:100])
    opened = copied.open(cache)
    assert any(f"{broken.name} cannot be read" in n for n in opened.notes)
    gone.unlink()  # while one looks
    with client_of(opened) as client:
        trial = opened.task.trials[0].id
        text = client.get("/trial", params={"id": trial}, headers=HTML).text
    assert f"{gone.name} cannot be read" in text
    assert "Under every condition and seed" in text


def test_a_condition_that_is_no_more(copied: Ran, cache: Path) -> None:
    opened = copied.open(cache)
    odd = replace(opened.tracks[1], condition="frob=drop")
    tracks = (opened.tracks[0], odd)
    index = build_index(opened.task, tracks, cache)
    with client_of(replace(opened, index=index)) as client:
        trial = opened.task.trials[0].id
        answer = client.get("/trial", params={"id": trial, "under": odd.label}, headers=HTML)
    assert answer.status_code == 200
    assert "What frob=drop showed cannot be seen any more" in answer.text


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "audit.json cannot be read"), ('{"schema": "deixis/audit/0"}', "of another version")],
)
def test_an_audit_that_cannot_be_shown(copied: Ran, cache: Path, content: str, said: str) -> None:
    (copied.path / "audit.json").write_text(content)
    opened = copied.open(cache)
    assert any(said in n for n in opened.notes)
    with client_of(opened) as client:
        assert "There is no audit yet" in client.get("/audit", headers=HTML).text


def test_an_unfinished_run(copied: Ran, cache: Path) -> None:
    for file in (copied.path / "cells").iterdir():
        file.unlink()
    opened = copied.open(cache)
    assert any("its base condition has not been played yet" in n for n in opened.notes)
    with client_of(opened) as client:
        assert client.get("/", headers=HTML).status_code == 200
        trial = opened.task.trials[0].id
        assert client.get("/trial", params={"id": trial}, headers=HTML).status_code == 200


def test_no_run(tmp_path: Path, games: Task, cache: Path) -> None:
    with pytest.raises(BadInput, match="no run"):
        open_all(games, Seat("", None), run=tmp_path, cache=cache)
    start = EditFile("frob", (Edit("whole", "x"),))
    with pytest.raises(BadInput, match="has no trial 'frob'"):
        open_all(games, Seat("", None), cache=cache, start=start)


def test_another_run_beside(game_run: Ran, games: Task, tmp_path: Path, cache: Path) -> None:
    other = played(games, "oracle", tmp_path / "people", ["whole=drop"])
    opened = game_run.open(cache, beside=[other.path])
    assert {"people: as it is", "people: whole=drop"} <= {t.label for t in opened.tracks}
    right = select(opened.index, Query(under="people: as it is", show="right"))
    assert len(right) == 60
    with client_of(opened) as client:
        trial = opened.task.trials[0].id
        text = client.get("/trial", params={"id": trial}, headers=HTML).text
        asked = {"id": trial, "under": "people: whole=drop"}
        assert client.get("/trial", params=asked, headers=HTML).status_code == 200
    assert "people: as it is" in text
    assert "oracle" in text


def test_the_index_is_made_once(copied: Ran, tmp_path: Path) -> None:
    folder = open_folder(copied.path, copied.task)
    first = build_index(copied.task, folder.tracks, tmp_path / "cache")
    made = first.path.stat().st_mtime_ns
    again = build_index(copied.task, folder.tracks, tmp_path / "cache")
    assert (again.path, again.path.stat().st_mtime_ns) == (first.path, made)
    assert build_index(copied.task, folder.tracks[:1], tmp_path / "cache").path != first.path


def test_replies_to_trials_that_are_no_more(copied: Ran, cache: Path) -> None:
    fewer = copied.task.limit(50)
    opened = open_all(fewer, Seat("", None, "nobody"), run=copied.path, cache=cache)
    assert any("another trials (60 there, 50 now)" in n for n in opened.notes)
    with client_of(opened) as client:
        assert "50 trials" in client.get("/", headers=HTML).text


class Gone:
    """A store whose pictures are missing."""

    def __init__(self, store: object) -> None:
        self.picture = store.picture  # type: ignore[attr-defined]

    def pixels(self, picture: object, size: int = 224) -> None:
        """There are none."""
        raise BadInput("dev-1-0-img0.png is not in the archive")


def test_a_missing_picture_is_said(world: Dataset, games: Task, cache: Path) -> None:
    gone = replace(games, dataset=replace(games.dataset, store=Gone(world.store)))  # type: ignore[arg-type]
    opened = open_all(gone, Seat("", None, "nobody"), cache=cache)
    with client_of(opened) as client:
        text = client.get("/", headers=HTML).text
        address = text.split('src="/picture/')[1].split('"')[0]
        answer = client.get(f"/picture/{address}")
    assert answer.status_code == 404
    assert answer.json()["error"] == (
        "This picture is missing: dev-1-0-img0.png is not in the archive."
    )


def test_statements_with_phenomena_and_people(cache: Path) -> None:
    task = make(load("boxes", sentences=60), "boxes").limit(30)
    opened = open_all(task, Seat("", None, "nobody"), cache=cache)
    assert opened.index.subsets
    with client_of(opened) as client:
        text = client.get("/", headers=HTML).text
        assert "Phenomenon" in text
        name = opened.index.subsets[0]
        members = set(task.dataset.extras["subsets"][name])
        chosen = select(opened.index, Query(subset=name)).tolist()
        assert chosen == [i for i, t in enumerate(task.trials) if t.item in members]
        trial = task.trials[0].id
        assert client.get("/trial", params={"id": trial}, headers=HTML).status_code == 200
        assert client.get("/edit", params={"id": trial}, headers=HTML).status_code == 200
        body = {"id": trial, "edits": [{"channel": "sentence", "value": "There is a box."}]}
        answer = client.post("/api/replay", json=body, headers={"x-deixis": "1"}).json()
    assert (answer["state"], answer["sentence"]) == ("empty", "nobody")
    assert answer["texts"][0]["changed"]


def test_pictures_of_which_only_names_are_known(data: Path, cache: Path) -> None:
    task = make(load("vispro:val", data), "vispro:val").limit(20)
    opened = open_all(task, Seat("", None, "nobody"), cache=cache)
    with client_of(opened) as client:
        text = client.get("/", headers=HTML).text
    assert "/picture/" not in text
    assert task.trials[0].image.source in text


def test_people_beside_models(data: Path, cache: Path) -> None:
    task = make(load("nlvr:dev", data), "nlvr:dev").limit(20)
    opened: Opened = open_all(task, Seat("", None, "nobody"), cache=cache)
    with client_of(opened) as client:
        text = client.get("/trial", params={"id": task.trials[0].id}, headers=HTML).text
    record = task.dataset.records[task.trials[0].item]
    assert record.judgments
    assert all(f"<bdi>{j.worker}</bdi>" in text for j in record.judgments)
