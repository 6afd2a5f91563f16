from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.call import Call, call
from deixis.tasks.see import views
from deixis.tasks.task import Task


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module of the user's own, in the current folder."""
    path = tmp_path / "my_player.py"
    path.write_text("def first(view):\n    return 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p not in ("", str(tmp_path))])
    yield path
    for name in ("my_player", "broken_player"):
        sys.modules.pop(name, None)


def test_scores_or_choices(games: Task) -> None:
    few = games.limit(5)
    seen = views(few)
    scored = Call(lambda view: np.arange(view.k)).reply(seen)
    assert scored.graded
    assert scored.scores[0].tolist() == list(range(10))
    chosen = Call(lambda view: None if view.id == seen[0].id else np.int64(3)).reply(seen)
    assert not chosen.graded
    assert score(few, chosen).statuses == {"ok": 4, "unreadable": 1}


def test_a_function_of_the_current_folder(module: Path, games: Task) -> None:
    player = call("my_player:first", games)
    assert player.name == "call:my_player:first"
    assert player.reply(views(games)[:3]).scores[:, 0].tolist() == [1, 1, 1]


def test_an_edited_function_is_another_player(module: Path, games: Task) -> None:
    before = call("my_player:first", games).revision
    sys.modules.pop("my_player")
    module.write_text("def first(view):\n    return 1\n")
    assert call("my_player:first", games).revision != before


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("my_player", "expected call:MODULE:FUNCTION"),
        (":first", "expected call:MODULE:FUNCTION"),
        ("no_such_module_here:f", "No module named 'no_such_module_here'"),
        ("my_player:second", "has no attribute 'second'"),
    ],
)
def test_what_cannot_be_called(module: Path, games: Task, argument: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        call(argument, games)


@pytest.mark.parametrize("reply", ["a", [1, "b"], [1, 2, 3], [None] * 10, 10, -1])
def test_replies_of_the_wrong_form(games: Task, reply: object) -> None:
    with pytest.raises(BadInput, match=r"expected (a score|10 scores)|has 10 options"):
        Call(lambda _: reply).reply(views(games)[:2])
