"""ChatIR's lists: the real files, and broken ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deixis.datasets.chatir import chatir, plain_dialogs
from deixis.errors import BadInput

HUMAN = [{"img": "x/000000000012.jpg", "dialog": ["a dog", "big? yes", "black? no, white"]}]


def write(folder: Path, **files: Any) -> Path:
    names = {
        "human": "VisDial_v1.0_queries_val.json",
        "blip2": "Human_BLIP2.json",
        "chatgpt": "ChatGPT_BLIP2.json",
        "cca": "cca_aq_g_k1_answers.json",
    }
    for name, content in files.items():
        (folder / names[name]).write_text(json.dumps(content), "utf-8")
    return folder


def test_counts_of_the_published_files(data: Path) -> None:
    made = chatir(data)
    assert {s: len(ids) for s, ids in made.splits.items()} == {"human": 2064, "chatgpt": 2064}
    rounds = made.counts["human: rounds"]
    assert rounds == 20_640
    assert round(100 * made.counts["human: answers exactly yes or no"] / rounds, 1) == 39.1
    assert round(100 * made.counts["human: answers beginning with yes or no"] / rounds, 1) == 52.6
    assert round(100 * made.counts["human: the same answer by blip2"] / rounds, 1) == 35.9
    assert round(100 * made.counts["human: the same answer by cca"] / rounds, 1) == 2.2
    odd = {i.what: len(i.ids) for i in made.irregularities}
    assert odd == {"questions stand in another order": 2064, "an empty answer": 1}


def test_answers_are_matched_by_question(tmp_path: Path) -> None:
    blip2 = [{"img": "x/000000000012.jpg", "dialog": ["a dog", "black? white", "big? no"]}]
    cca = [
        {"image_id": 12, "round_id": 0, "generations": ["huge"]},
        {"image_id": 12, "round_id": 1, "generations": ["grey"]},
    ]
    made = chatir(write(tmp_path, human=HUMAN, blip2=blip2, cca=cca))
    assert made.records["12"].others == {"blip2": ("no", "white"), "cca": ("huge", "grey")}


def test_questions_that_hold_several_marks(tmp_path: Path) -> None:
    asked = [{"img": "12.jpg", "dialog": ["a dog", "Where? In or out? out"]}]
    made = chatir(write(tmp_path, chatgpt=asked))
    turn = made.records["12-chatgpt"].dialog.turns[0]
    assert (turn.question, turn.answer) == ("Where? In or out?", "out")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"human": [{"img": "12.jpg", "dialog": ["a", "big yes"]}]}, "holds no question mark"),
        ({"human": [{"img": "dog.jpg", "dialog": ["a"]}]}, "dialog 0: not in ChatIR's form"),
        ({"human": HUMAN, "blip2": [{"img": "12.jpg", "dialog": ["a", "big? no"]}]}, "black"),
        ({"human": HUMAN, "blip2": [{"img": "13.jpg", "dialog": ["a"]}]}, "no human dialog"),
        ({"human": HUMAN, "cca": []}, "no answer to some round of dialog 12"),
        ({"human": HUMAN, "cca": [{"image_id": 12}]}, "entry 0: not in its form"),
    ],
)
def test_a_broken_file_is_named(files: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message):
        chatir(write(tmp_path, **files))


def test_no_dialogs_at_all(tmp_path: Path) -> None:
    assert plain_dialogs(tmp_path) is None
