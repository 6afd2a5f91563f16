"""VisDial: the official subsets, val put back into index form, every version, broken files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deixis.datasets.visdial import index_form, visdial
from deixis.datasets.visdial_file import read_dialogs
from deixis.errors import BadInput

QUESTIONS, ANSWERS = ["is it big", "is it red"], ["yes", "no", "maybe"]


def entry(image: int = 7, rounds: int = 10, **last: Any) -> dict[str, Any]:
    one = {"question": 0, "answer": 1, "answer_options": [2, 1, 0], "gt_index": 1}
    turns = [dict(one) for _ in range(rounds)]
    turns[-1] = {k: v for k, v in (turns[-1] | last).items() if v is not None}
    return {"image_id": image, "caption": "a dog", "dialog": turns}


def v1(*dialogs: Any) -> dict[str, Any]:
    data = {"questions": [*QUESTIONS], "answers": [*ANSWERS], "dialogs": list(dialogs)}
    return {"version": "1.0", "split": "val2018", "data": data}


def write(folder: Path, name: str, content: Any) -> Path:
    (folder / name).write_text(json.dumps(content), "utf-8")
    return folder


def test_the_2064_dialogs_of_val_agree_with_the_165_official_ones(data: Path) -> None:
    made = visdial(data)
    sizes = {s: len(ids) for s, ids in made.splits.items()}
    assert sizes == {"crowdsourced": 97, "vispro": 76, "val": 2064, "plain": 1899}
    assert made.counts["val: checked against official dialogs"] == 165
    assert made.counts["questions in the list"] == 45_237
    assert made.counts["answers in the list"] == 34_821
    assert made.counts["val: answers exactly yes or no"] == 8060
    assert len(made.extras["dense"]) == 165


def test_options_and_relevances_of_the_official_subsets(data: Path) -> None:
    made = visdial(data)
    options = made.extras["options"]["crowdsourced"]
    assert options.choices.shape == (97, 10, 100)
    assert options.right.min() >= 0
    for name in made.splits["crowdsourced"]:
        row = options.rows[name]
        said = [t.answer for t in made.records[name].dialog.turns]
        right = options.choices[row, np.arange(10), options.right[row]]
        assert [options.answers[i] for i in right] == said
    rounds, relevance = made.extras["dense"][made.splits["vispro"][0]]
    assert 1 <= rounds <= 10
    assert relevance.shape == (100,)


def test_index_form_gives_the_same_dialogs_back(tmp_path: Path) -> None:
    records = read_dialogs(v1(entry(7), entry(8)), tmp_path).records
    again = index_form(records, QUESTIONS, ANSWERS, "here")
    assert again["data"]["dialogs"][1]["dialog"][0] == {"question": 0, "answer": 1}
    assert read_dialogs(again, tmp_path).records == records
    with pytest.raises(BadInput, match="here: dialog 7 says 'is it big', which no list holds"):
        index_form(records, ["is it red"], ANSWERS, "here")


def test_texts_in_place_as_in_the_first_version(tmp_path: Path) -> None:
    turn = {"question": "is it big", "answer": "no", "options": ["yes", "no"], "gt_index": 1}
    flat = [{"image_id": 3, "caption": "a cat", "dialog": [turn] * 10}]
    made = visdial(write(tmp_path, "visdial_0.5_val.json", flat))
    assert made.records["3"].dialog.turns[0].question == "is it big?"
    options = made.extras["options"]["val05"]
    assert options.answers[options.choices[0, 0, options.right[0, 0]]] == "no"


def test_rounds_without_options_or_answer_in_test(tmp_path: Path) -> None:
    content = v1(entry(7, rounds=3, answer=None, answer_options=None, gt_index=None))
    made = visdial(write(tmp_path, "visdial_1.0_test.json", content))
    assert len(made.records["7"].dialog.turns) == 2
    assert made.irregularities == ()
    assert (made.extras["options"]["test"].choices[0, 2] == -1).all()


def test_positions_counted_from_one_are_told(tmp_path: Path) -> None:
    content = v1(entry(7, gt_index=2))
    made = visdial(write(tmp_path, "visdial_1.0_val.json", content))
    assert made.extras["options"]["val"].right[0].tolist() == [1] * 10
    assert [(i.what, i.ids) for i in made.irregularities] == [
        ("the right option is counted from 1", ("7",))
    ]


def test_fewer_rounds_are_told(tmp_path: Path) -> None:
    made = visdial(write(tmp_path, "visdial_1.0_val.json", v1(entry(7, rounds=4))))
    assert [(i.what, i.where) for i in made.irregularities] == [("fewer than 10 rounds", "val")]


def test_relevances_of_the_training_sample(tmp_path: Path) -> None:
    write(tmp_path, "visdial_1.0_train.json", v1(entry(7)))
    sample = [{"image_id": 7, "round_id": 4, "relevance": [0.5, 0, 1]}]
    made = visdial(write(tmp_path, "visdial_1.0_train_dense_sample.json", sample))
    rounds, relevance = made.extras["dense"]["7"]
    assert (rounds, relevance.tolist()) == (4, [0.5, 0, 1])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"data": {}}, "not in VisDial's form: KeyError"),
        (v1(entry(answer=None)), "dialog 0, round 10: there is no answer"),
        (v1(entry(answer=9)), "dialog 0: not in VisDial's form: IndexError"),
        (v1(entry(gt_index=0)), "round 10: option 0 is not the answer 'no'"),
        (v1(entry(7), entry(7)), "there are two dialogs about picture 7"),
    ],
)
def test_a_broken_file_is_named(content: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message):
        visdial(write(tmp_path, "visdial_1.0_val.json", content))


def test_an_empty_answer_is_named(tmp_path: Path) -> None:
    content = v1(entry())
    content["data"]["answers"][1] = " "
    with pytest.raises(BadInput, match=r"val\.json: dialog 0, round 1: the answer is empty"):
        visdial(write(tmp_path, "visdial_1.0_val.json", content))


def test_files_that_disagree(tmp_path: Path) -> None:
    write(tmp_path, "visdial_1.0_val_vispro.json", v1(entry(7)))
    write(tmp_path, "visdial_1.0_val_crowdsourced.json", v1(entry(7, answer=0, gt_index=2)))
    with pytest.raises(BadInput, match="the dialog about picture 7 differs from another file's"):
        visdial(tmp_path)


def test_plain_dialogs_that_differ_from_the_official_form(tmp_path: Path) -> None:
    write(tmp_path, "visdial_1.0_val_vispro.json", v1(entry(7)))
    said = ["a dog", *["is it big? yes"] * 10]
    plain = [{"img": "7.jpg", "dialog": said}]
    write(tmp_path, "VisDial_v1.0_queries_val.json", plain)
    with pytest.raises(BadInput, match="dialog 7 as plain text differs from its official form"):
        visdial(tmp_path)


def test_broken_relevances_are_named(tmp_path: Path) -> None:
    write(tmp_path, "visdial_1.0_val.json", v1(entry(7)))
    write(tmp_path, "visdial_1.0_val_dense_annotations.json", [{"image_id": 7}])
    with pytest.raises(BadInput, match="entry 0: not in VisDial's form"):
        visdial(tmp_path)
