"""Edits by hand: the file, what fits a trial, and what a reader then sees."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.sources import load
from deixis.tasks.edits import MOST, Edit, EditFile, check, edits_of, parse, put, read, write
from deixis.tasks.make import make
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import BLANK

TEXTS = st.text(max_size=12)
VALUES = st.one_of(
    TEXTS,
    st.lists(TEXTS, max_size=7).map(tuple),
    st.lists(st.integers(0, 7), min_size=1, max_size=7).map(tuple),
)
ROWS = st.lists(
    st.builds(
        Edit,
        channel=st.text(string.ascii_lowercase, min_size=1, max_size=8),
        value=VALUES,
        at=st.none() | st.integers(0, 20),
        reader=st.none() | st.sampled_from(["guesser", "answerer"]),
    ),
    unique_by=lambda e: (e.channel, e.at, e.reader),
    max_size=5,
)


@pytest.fixture(scope="module")
def games(world: Dataset) -> Task:
    return make(world, "figures", k=4)


@pytest.fixture(scope="module")
def rooms() -> Task:
    return make(load("rooms"), "rooms")


@given(trial=TEXTS, edits=ROWS, source=TEXTS)
def test_what_is_written_is_read_back(trial: str, edits: list[Edit], source: str) -> None:
    held = EditFile(trial, tuple(edits), source)
    assert parse(write(held), "it") == held
    rows = {"trial": trial, "source": source, "edit": [e.json() for e in edits]}
    assert parse(json.dumps(rows), "it", toml=False) == held


def test_files_of_both_kinds(tmp_path: Path) -> None:
    held = EditFile(
        "a/0", (Edit("parts", ("head", "tail")), Edit("color", (1, 0, 2, 2, 1, 1, 0), 2))
    )
    for name, text in (
        ("e.toml", write(held)),
        ("e.json", json.dumps({"trial": "a/0", "edit": [e.json() for e in held.edits]})),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        assert read(tmp_path / name) == held
    with pytest.raises(BadInput, match=r"there is no file .*none\.toml"):
        read(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("trial = ", "my.toml: not TOML"),
        ("[[edit]]\nchannel = 'caption'\nvalue = 'x'", "expected trial"),
        ("trial = 'a'\nfrob = 1", "'frob': expected trial, source"),
        ("trial = 'a'\nsource = 1", "source: expected text, got 1"),
        ("trial = 'a'\nedit = 1", "edit: expected a list"),
        ("trial = 'a'\nedit = [1]", "edit 1: expected channel and value, got 1"),
        ("trial = 'a'\n[[edit]]\nvalue = 'x'", 'edit 1: expected channel = "NAME"'),
        ("trial = 'a'\n[[edit]]\nchannel = 'c'\nfrob = 1", "edit 1: 'frob'"),
        ("trial = 'a'\n[[edit]]\nchannel = 'c'\nvalue = 'x'\nat = true", "at: expected a whole"),
        ("trial = 'a'\n[[edit]]\nchannel = 'c'\nvalue = 'x'\nreader = 1", "reader: expected"),
        ("trial = 'a'\n[[edit]]\nchannel = 'c'\nvalue = 1.5", "value: expected a text"),
        ("trial = 'a'\n[[edit]]\nchannel = 'c'\nvalue = ['a', 1]", "value: expected a text"),
        (f"trial = 'a'\n[[edit]]\nchannel = 'c'\nvalue = '{'x' * 5001}'", "of 5001 characters"),
        (
            "trial = 'a'\n" + 2 * "[[edit]]\nchannel = 'c'\nvalue = 'x'\nat = 1\n",
            "c@1 is put twice",
        ),
    ],
)
def test_what_is_no_edit_file(text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text, "my.toml")
    assert said in str(caught.value)
    assert str(caught.value).startswith("my.toml")


def test_too_many_edits() -> None:
    with pytest.raises(BadInput, match=f"expected at most {MOST}"):
        edits_of([{}] * (MOST + 1), "it")
    with pytest.raises(BadInput, match="not JSON"):
        parse("{", "it", toml=False)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Edit("frob", "x"), "no channel 'frob'"),
        (Edit("whole", "x", reader="answerer"), "is read by player"),
        (Edit("whole", "x", 2), "has none there (it has 1 to 1)"),
        (Edit("whole", ("x",)), "expected a text"),
        (Edit("parts", "x"), "list of at most seven names"),
        (Edit("parts", (1,)), "expected names"),
        (Edit("color", (1,) * 7), "expected at = 1 to 4"),
        (Edit("color", (1,) * 6, 1), "part of each of 7 pieces"),
        (Edit("color", (9,) * 7, 1), "part of each of 7 pieces"),
        (Edit("color", "red", 1), "part of each of 7 pieces"),
        (Edit("color", ("a",) * 7, 1), "part of each of 7 pieces"),
        (Edit("shape", "picture:../../etc/passwd", 1), "no tangram '../../etc/passwd'"),
        (Edit("shape", "noise:loud:1", 1), "expected picture:NAME"),
        (Edit("shape", "noise:raw:x", 1), "expected picture:NAME"),
        (Edit("shape", (1,), 1), "expected picture:NAME"),
        (Edit("shape", "blank", 5), "has none there (it has 1 to 4)"),
    ],
)
def test_what_does_not_fit_a_game(games: Task, edit: Edit, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        check(games, games.trials[0], (edit,))
    assert said in str(caught.value)


def test_a_game_is_edited_in_its_own_order_and_seen_in_the_shown_one(games: Task) -> None:
    trial = games.trials[0]
    other = next(t for t in games.trials if t.clusters != trial.clusters).pictures[0].source
    edits = (
        Edit("whole", "a cat"),
        Edit("parts", ("head", "tail")),
        Edit("color", (1, 1, 1, 1, 2, 2, 0), 1),
        Edit("shape", f"picture:{other}", 2),
        Edit("shape", "noise:raw:7", 3),
        Edit("image", "blank", 4),
    )
    check(games, trial, edits)
    before, after = see(games, trial), see(games, trial, edits=edits)
    order = games.order(games.position(trial)).tolist()
    own = [after.pictures[order.index(i)] for i in range(4)]
    assert after.texts[0].whole == "a cat"
    assert after.texts[0].parts == ("head", "tail")
    assert own[0].paint == (0, 0, 0, 0, 1, 1, None)
    assert own[1].source == other
    assert own[1].paint == trial.pictures[1].paint
    assert own[2].edits == ("noise:raw:7",)
    assert own[3] == BLANK
    assert before == see(games, trial)
    assert see(games, trial, edits=()) == before


def test_squares_means_and_black(games: Task) -> None:
    trial = games.trials[0]
    edits = (Edit("shape", "square", 1), Edit("shape", "mean", 2), Edit("color", (0,) * 7, 3))
    view = put(games, games.view(trial), edits, "player")
    assert view.pictures[0].source == "square"
    assert view.pictures[1].edits == ("mean",)
    assert view.pictures[2].paint is None
    with pytest.raises(BadInput, match="no pieces to color"):
        see(games.do("image=drop"), trial, edits=(Edit("color", (1,) * 7, 1),))


def test_edits_come_after_interventions(games: Task) -> None:
    altered = games.do("whole=drop", "parts=drop")
    view = see(altered, games.trials[0], edits=(Edit("whole", "a cat"),))
    assert view.texts[0].whole == "a cat"
    assert view.texts[0].parts == ()


def test_a_dialog_is_edited_by_rounds(rooms: Task) -> None:
    trial = rooms.trials[0]
    edits = (Edit("caption", "a hall"), Edit("answer", "no idea", 2, "guesser"))
    check(rooms, trial, edits)
    seen = see(rooms, trial, "guesser", edits).dialog
    assert seen.caption == "a hall"
    assert [t.answer == "no idea" for t in seen.turns] == [i == 1 for i in range(len(seen.turns))]
    assert see(rooms, trial, "questioner", edits).dialog.turns == trial.dialog.turns
    begun = put(
        rooms,
        rooms.view(trial, "guesser").__class__("x", trial.dialog.upto(1), trial.pool),
        edits,
        "guesser",
    )
    assert len(begun.dialog.turns) == 1  # an edit of a later round waits for it
    with pytest.raises(BadInput, match="has none there"):
        check(rooms, trial, (Edit("answer", "no", 99),))


def test_the_answerers_picture_changes_from_a_round_on(rooms: Task) -> None:
    trial = rooms.trials[0]
    edits = (Edit("image", "blank", 2),)
    check(rooms, trial, edits)
    for rounds in range(3):
        view = rooms.view(trial, "answerer")
        view = view.__class__(view.id, trial.dialog.upto(rounds), view.pool, view.image)
        assert (put(rooms, view, edits, "answerer").image == BLANK) == (rounds >= 2)
    assert see(rooms, trial, "guesser", edits).image is None
