from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("players") / "linear"


def test_a_kept_player_plays_the_same_numbers(deixis, refused, folder: Path) -> None:
    learn = ("train", "figures:test", "--player", "linear", "--out", folder)
    trained = deixis(*learn, "--json").json
    card = json.loads((folder / "player.json").read_text())
    assert card["player"] == trained["player"] == "linear"
    assert card["trained"]["dataset"] == trained["dataset"] == "figures:test"
    assert card["trained"]["revision"] == trained["revision"]
    play = ("play", "figures:train", "--limit", 100, "--json")
    kept = deixis(*play, "--player", f"saved:{folder}").json
    fresh = deixis(*play, "--player", "linear", "--train-on", "figures:test").json
    assert kept == fresh
    assert kept["accuracy"] > 0.15
    said = refused("play", "figures:test", "--player", f"saved:{folder}")
    assert "figures:test and figures:test share" in said
    allowed = deixis("play", "figures:test", "--limit", 50, "--player", f"saved:{folder}",
                     "--allow-overlap", "records", "--allow-overlap", "pictures")  # fmt: skip
    assert allowed.status == 0
    assert "holds a player already" in refused(*learn)


def test_for_people_and_under_a_condition(deixis, tmp_path: Path) -> None:
    shown = deixis("train", "figures:test", "--player", "linear", "--out", tmp_path / "p",
                   "--text", "whole", "--black", "--k", 4)  # fmt: skip
    assert "linear learnt from 540 trials of figures:test under parts=drop,color=drop" in shown.out
    assert f"play it with --player saved:{tmp_path}/p" in shown.out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["figures", "--player", "constant"], "the player 'constant' does not train"),
        (["figures", "--player", "linear:x"], "linear takes no argument, got 'x'"),
        (["figures", "--player", "linear", "--size", "3"], "--size is no option of the player"),
        (["figures", "--player", "linear", "--do", "image=blank"], "learnt nothing that could be"),
        (["figures", "--player", "linear", "--do", "depth=drop"], "no channel 'depth'"),
        (["figurs", "--player", "linear"], "no source 'figurs'"),
        (
            ["figures:train", "--player", "linear", "--dev", "figures:train"],
            "figures:train and figures:train share",
        ),
    ],
)
def test_mistakes_leave_nothing_behind(
    refused, tmp_path: Path, arguments: list[str], why: str
) -> None:
    assert why in refused("train", *arguments, "--out", tmp_path / "p")
    assert not (tmp_path / "p").exists()
