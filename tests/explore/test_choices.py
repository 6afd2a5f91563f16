"""A benchmark of somebody's own in the explorer: prompts, options, pictures, one of them broken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deixis.explore.opened import Opened
from deixis.sources import load
from deixis.tasks.make import make
from tests.explore.conftest import client_of
from tests.explore.small import audited

HTML = {"accept": "text/html"}
OURS = {"x-deixis": "1"}
COLORS = {"red": (200, 30, 30), "green": (30, 160, 60), "blue": (30, 60, 200)}
TOML = """
kind = "multiple-choice"
rows = "rows.csv"
pictures = "pictures"
[columns]
id = "id"
text = "question"
pictures = "picture"
options = ["A", "B", "C"]
answer = "answer"
cluster = "picture"
"""


@pytest.fixture(scope="module")
def choices(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Opened:
    """Twelve questions about plain colors, audited with a player that looks."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "pictures").mkdir()
    rows = ["id,question,A,B,C,answer,picture"]
    for i in range(12):
        name = list(COLORS)[i % 3]
        pixels = np.full((24, 32, 3), COLORS[name], np.uint8)
        pixels[0, 0] = i
        Image.fromarray(pixels).save(folder / f"pictures/{i}.png")
        rows.append(f"q{i},<b>What color</b> is no. {i}?,red,green,blue,{'ABC'[i % 3]},{i}.png")
    (folder / "rows.csv").write_text("\n".join(rows), "utf-8")
    (folder / "mine.toml").write_text(TOML, "utf-8")
    task = make(load(str(folder / "mine.toml")), "mine")
    ran = audited(task, "planted:image=0.6", folder / "run", do=["image=grey", "options=drop"])
    opened = ran.open(cache)
    assert opened.seat.wait().condition == "ready"
    return opened


def test_cards_hold_prompts_pictures_and_options(choices: Opened) -> None:
    with client_of(choices) as client:
        text = client.get("/?under=image%3Dgrey&order=effect", headers=HTML).text
        address = text.split('src="/picture/')[1].split('"')[0]
        assert client.get(f"/picture/{address}").headers["content-type"] == "image/png"
    assert "12 trials" in text
    assert "&lt;b&gt;What color&lt;/b&gt;" in text
    assert '<span class="option"><bdi>green</bdi></span>' in text


def test_a_trial_under_grey_shows_both_pictures(choices: Opened) -> None:
    trial = choices.task.trials[4].id
    with client_of(choices) as client:
        given = {"id": trial, "under": "image=grey"}
        text = client.get("/trial", params=given, headers=HTML).text
        pictures = {p.split('"')[0] for p in text.split('src="/picture/')[1:]}
        pages = {client.get(f"/picture/{p}").content for p in pictures}
    assert len(pages) == 2
    assert text.count('class="option"') == 6


def test_everything_of_a_question_can_be_edited(choices: Opened) -> None:
    trial = choices.task.trials[4]
    other = choices.task.trials[0].images[0].source
    edits = [
        {"channel": "prompt", "value": "What is it?"},
        {"channel": "options", "at": 2, "value": "purple"},
        {"channel": "image", "at": 1, "value": f"picture:{other}"},
    ]
    with client_of(choices) as client:
        answer = client.post("/api/replay", json={"id": trial.id, "edits": edits}, headers=OURS)
        said = answer.json()
        page = client.get(f"/edit?{said['link']}", headers=HTML).text
        spoilt = client.post(
            "/api/replay",
            json={"id": trial.id, "edits": [{"channel": "image", "at": 1, "value": "picture:no"}]},
            headers=OURS,
        )
    assert said["state"] == "ready", said
    assert {t["key"] for t in said["texts"] if t["changed"]} == {"prompt-1", "options-2"}
    assert "purple</textarea>" in page
    assert spoilt.status_code == 422


def test_another_picture_costs_a_player_that_looks(choices: Opened) -> None:
    lost = []
    with client_of(choices) as client:
        for trial, other in zip(choices.task.trials, choices.task.trials[1:], strict=False):
            edit = {"channel": "image", "at": 1, "value": f"picture:{other.images[0].source}"}
            body = {"id": trial.id, "edits": [edit]}
            said = client.post("/api/replay", json=body, headers=OURS).json()
            lost.append(said["before"]["credit"] - said["after"]["credit"])
    assert sum(lost) > 1
    assert min(lost) >= 0


def test_a_picture_that_went_away_is_said(choices: Opened) -> None:
    gone = choices.task.trials[11].images[0]
    with client_of(choices) as client:
        address = choices.pictures.address(gone)
        (choices.folders[0].path.parent / "pictures/11.png").unlink()
        answer = client.get(address, headers=HTML)
    assert answer.status_code == 404
    assert "This picture is missing" in answer.text
    assert "11.png" in answer.text
