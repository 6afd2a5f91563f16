from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deixis.errors import BadInput
from deixis.measures.judged import answered, is_judged, judged
from deixis.players.common.constant import Constant
from deixis.runs import columns
from deixis.runs.cell import Cell
from deixis.runs.play import play
from deixis.tasks.task import Task

HEAD = "worker,item,condition,correct,trial,seconds,catch\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: str, head: str = HEAD, name: str = "people.csv") -> Path:
        path = tmp_path / name
        path.write_text(head + "".join(f"{line}\n" for line in lines))
        return path

    return write


def test_a_table(write) -> None:
    made = judged(write("w,i,color,1,3,4.5,", "w,j,black,no,,,", "v,i,color,TRUE,1,1,1"))
    assert dict(made.splits) == {"black": ("w\tj\tblack",), "color": ("w\ti\tcolor", "v\ti\tcolor")}
    first, second, third = made.records.values()
    assert (first.right, first.trial, first.seconds, first.catch) == (True, 3, 4.5, False)
    assert (second.right, second.trial, math.isnan(second.seconds)) == (False, 0, True)
    assert third.catch
    assert first.group == "i"
    assert made.kind == "people"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("w,i,color,maybe,,,", r"people.csv:2: correct: expected 1 or 0, got 'maybe'"),
        ("w,i,color,1,x,,", r"people.csv:2: trial: expected a number from 0 on, got 'x'"),
        ("w,i,color,1,1,-2,", r"people.csv:2: seconds: expected a number from 0 on, got '-2'"),
        ("w,,color,1,,,", r"people.csv:2: expected a value of 'item'"),
        ("w,i,color,1,1,nan,", r"people.csv:2: seconds: expected a number"),
    ],
)
def test_cells_that_are_wrong(write, line: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        judged(write(line))


def test_twice_and_without_a_column(write) -> None:
    with pytest.raises(BadInput, match="w judged i twice under c"):
        judged(write("w,i,c,1,,,", "w,i,c,0,,,"))
    with pytest.raises(BadInput, match="expected a value of 'correct'"):
        judged(write("w,i,c", head="worker,item,condition\n", name="b.csv"))


def test_an_export(tmp_path: Path) -> None:
    base = {"worker": "w", "arm": "color", "claim": "done", "detail": {"seconds": 3.0}}
    rows = [
        {**base, "key": "0", "type": "survey", "detail": {"answers": {"first": "Yes", "note": ""}}},
        {**base, "key": "practice/a_0", "type": "choose_target", "position": 1, "right": True},
        {**base, "key": "main/b_0", "type": "choose_target", "position": 2, "right": True},
        {**base, "key": "catch/0", "type": "choose_target", "position": 3, "right": False},
        {**base, "key": "main/c_0", "type": "choose_target", "position": 4, "right": True,
         "claim": "rejected"},
    ]  # fmt: skip
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    assert is_judged(str(tmp_path))
    made = judged(tmp_path)
    assert [(r.item, r.catch, r.void) for r in made.records.values()] == [
        ("b_0", False, ""), ("0", True, ""), ("c_0", False, "its claim was rejected"),
    ]  # fmt: skip
    assert answered(made.extras["surveys"], "first") == {"w": "Yes"}
    assert answered(made.extras["surveys"], "note") == {}
    (tmp_path / "answers.jsonl").write_text('{"worker": "w"}\n')
    with pytest.raises(BadInput, match=r"answers.jsonl:1: not an answer of a study's export"):
        judged(tmp_path)


def test_a_run_of_people(games: Task, tmp_path: Path) -> None:
    short = replace(games, trials=games.trials[:6])
    outcomes = play(short, Constant()).base[0]
    raters = np.array(["ann", "bob"] * 3)
    told = replace(outcomes, raters=raters, seconds=np.arange(6.0))
    cell = Cell("people", "1", "color=drop")
    (tmp_path / "cells").mkdir()
    (tmp_path / "run.json").write_text("{}")
    columns.write(tmp_path / "cells" / f"{cell.digest}.parquet", cell, told)
    made = judged(tmp_path)
    assert is_judged(str(tmp_path))
    assert dict(made.splits) == {"color=drop": tuple(made.records)}
    assert {r.worker for r in made.records.values()} == {"ann", "bob"}
    first = next(iter(made.records.values()))
    assert (first.item, first.group, first.seconds) == (told.ids[0], told.clusters[0], 0.0)
    columns.write(tmp_path / "cells" / f"{cell.digest}.parquet", cell, outcomes)
    with pytest.raises(BadInput, match="has no rater: it was no person who played"):
        judged(tmp_path)


def test_names_of_datasets_are_no_files() -> None:
    assert not is_judged("nlvr2:dev")
    assert is_judged("replies.csv")
    assert not is_judged("benchmark.toml")
