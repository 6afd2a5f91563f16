"""``deixis edit``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_both_dialogs_side_by_side(deixis: Callable[..., Any]) -> None:
    ended = deixis(
        "edit", "rooms:test", "--player", "ideal", "--answer", "3=no", "--caption", "a room"
    )
    assert ended.status == 0
    assert "as it was, and edited" in ended.out
    assert "caption · caption" in ended.out
    assert "3 · answer" in ended.out
    assert ended.out.count("▇") + ended.out.count("█") > 5


def test_the_object_and_files_of_edits(deixis: Callable[..., Any], tmp_path: Path) -> None:
    script = tmp_path / "one.toml"
    script.write_text(
        'trial = "room-2001"\n[[edit]]\nchannel = "caption"\nvalue = "a kitchen with blue walls"\n'
    )
    said = deixis(
        "edit", "rooms:test", "--player", "ideal", "--edits", script, "--edits", script, "--json"
    ).json
    assert said["schema"] == "deixis/edit/1"
    assert [d["trial"] for d in said["dialogs"]] == ["room-2001"] * 2
    one = said["dialogs"][0]
    assert one["after"]["caption"] == "a kitchen with blue walls"
    assert len(one["before"]["rank"]) == len(one["after"]["percentile_rank"]) == 11
    assert one["edits"] == [{"channel": "caption", "value": "a kitchen with blue walls"}]


def test_what_cannot_be_edited(refused: Callable[..., str], tmp_path: Path) -> None:
    ask = ("edit", "rooms:test", "--player", "ideal")
    assert "--answer: expected ROUND=TEXT, got 'no'" in refused(*ask, "--answer", "no")
    assert "has no dialog 'x'" in refused(*ask, "--dialog", "x", "--caption", "a room")
    assert "nobody looks at it" in refused(*ask, "--image", "blank")
    assert "has none there" in refused(*ask, "--question", "11=what?")
    assert "there is no file" in refused(*ask, "--edits", tmp_path / "none.toml")
    assert "this is a reference task" in refused("edit", "figures", "--caption", "a")
