from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from deixis.errors import BadInput
from deixis.outcomes import Outcomes, score
from deixis.players.common.replay import replay
from deixis.seeds import Seeds
from deixis.tasks.see import views
from deixis.tasks.task import Task

SCORES = ",".join(f"score_{i}" for i in range(10))


@pytest.fixture
def few(games: Task) -> Task:
    return games.limit(4)


def written(path: Path, lines: list[str]) -> str:
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def played(path: str, task: Task, at: Task | None = None) -> Outcomes:
    at = at or task
    return score(at, replay(path, task).at(at).reply(views(at)))


def table(task: Task) -> np.ndarray:
    """Scores in the trials' own order: the i-th trial's answer is right in even rows."""
    made = np.tile(np.arange(10.0), (len(task), 1))
    made[::2, 0] = 99
    return made


def test_scores_in_every_format_play_alike(few: Task, tmp_path: Path) -> None:
    ids, rows = [t.id for t in few.trials], table(few).tolist()
    csv = [f"{i},{','.join(map(str, row))},x" for i, row in zip(ids, rows, strict=True)]
    lines = [json.dumps({"id": i, "scores": row}) for i, row in zip(ids, rows, strict=True)]
    files = [
        written(tmp_path / "a.csv", [f"id,{SCORES},note", *csv]),
        written(tmp_path / "b.jsonl", ["", *lines]),
    ]
    columns = {f"score_{j}": [row[j] for row in rows] for j in range(10)}
    parquet.write_table(pa.table({"id": ids, **columns}), tmp_path / "c.parquet")
    files.append(str(tmp_path / "c.parquet"))
    for path in files:
        outcomes = played(path, few)
        assert outcomes.credit.tolist() == [1, 0, 1, 0]
        assert outcomes.scores.tolist() == rows
        assert not np.isnan(outcomes.probability).any()


def test_choices_by_place_or_by_name(few: Task, tmp_path: Path) -> None:
    ids, trials = [t.id for t in few.trials], few.trials
    lines = ["id,choice", f"{ids[3]},0", f"{ids[0]},{trials[0].pictures[0].source.upper()}",
             f"{ids[1]},{trials[1].pictures[4].source}", "", f"{ids[2]}, 7 "]  # fmt: skip
    outcomes = played(written(tmp_path / "a.csv", lines), few)
    assert outcomes.choice.tolist() == [0, 4, 7, 0]
    assert outcomes.credit.tolist() == [1, 0, 0, 1]
    assert np.isnan(outcomes.probability).all()


def test_statuses_are_kept_by_name(few: Task, tmp_path: Path) -> None:
    ids = [t.id for t in few.trials]
    lines = [f"id,status,{SCORES}", f"{ids[0]},refused{',' * 10}", f"{ids[1]},length{',' * 10}",
             *(f"{i},ok,9,{','.join('0' * 9)}" for i in ids[2:])]  # fmt: skip
    outcomes = played(written(tmp_path / "a.csv", lines), few)
    assert outcomes.statuses == {"ok": 2, "refused": 1, "length": 1}
    assert outcomes.credit.tolist() == [0.1, 0.1, 1, 1]
    assert not np.isnan(outcomes.probability[2:]).any(), "scores, though the first row has none"


def test_another_order_of_candidates_and_no_other_condition(few: Task, tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", ["id,choice", *(f"{t.id},0" for t in few.trials)])
    moved = few.reseed(Seeds(order=3))
    assert (played(path, few, moved).credit == 1).all()
    with pytest.raises(BadInput, match=r"a\.csv: holds replies to one condition"):
        replay(path, few).at(few.do("whole=drop"))


def test_the_revision_is_the_files_content(few: Task, tmp_path: Path) -> None:
    lines = ["id,choice", *(f"{t.id},0" for t in few.trials)]
    one = replay(written(tmp_path / "a.csv", lines), few).revision
    same = replay(written(tmp_path / "b.csv", lines), few).revision
    other = replay(written(tmp_path / "a.csv", [*lines[:-1], lines[-1][:-1] + "1"]), few).revision
    assert one == same != other


def damaged(few: Task) -> dict[str, tuple[str, str, str]]:
    ids = [t.id for t in few.trials]
    good = [f"{i},0" for i in ids]
    jsonl = [json.dumps({"id": i, "choice": 0}) for i in ids]

    def file(*lines: str) -> str:
        return "\n".join(lines) + "\n"

    return {
        "missing": ("a.csv", file("id,choice", *good[1:]), rf"1 of 4 trials are missing: {ids[0]}"),
        "twice": ("a.csv", file("id,choice", *good, good[0]), r"a.csv:6: .*twice, before at .*:2"),
        "extra": ("a.csv", file("id,choice", *good, "nobody,0"), "a.csv:6: 'nobody' is no trial"),
        "no header": ("a.csv", file(*good), "a.csv:1: expected a header with id"),
        "ragged": ("a.csv", file("id,choice", "a,0,0"), "a.csv:2: expected 2 columns"),
        "no reply": ("a.csv", file("id,choice", f"{ids[0]},"), "a.csv:2: expected an id with a"),
        "no id": ("a.csv", file("id,choice", ",0"), "a.csv:2: expected an id with a"),
        "a wrong choice": ("a.csv", file("id,choice", f"{ids[0]},10"), "'10' is no option of"),
        "a wrong status": (
            "a.csv",
            file("id,status", f"{ids[0]},lost"),
            r"a.csv:2: there is no status 'lost' .known: ok, unreadable",
        ),
        "too few scores": (
            "a.csv",
            file("id,score_0,score_1,score_x", f"{ids[0]},1,2,3"),
            "a.csv:2: expected 10 scores",
        ),
        "a score that is no number": (
            "a.jsonl",
            json.dumps({"id": ids[0], "scores": ["a"] * 10}),
            "a.jsonl:1: expected 10 scores",
        ),
        "an infinite score": (
            "a.jsonl",
            json.dumps({"id": ids[0], "scores": [float("inf")] * 10}),
            "a.jsonl:1: expected 10 scores",
        ),
        "no JSON": ("a.jsonl", file(jsonl[0], "{"), "a.jsonl:2: no JSON"),
        "no object": ("a.jsonl", file(jsonl[0], "[1]"), "a.jsonl:2: expected an object"),
        "no Parquet": ("a.parquet", "no", "a.parquet: no Parquet"),
        "another kind": ("a.txt", "no", "expected a file of replies ending in .csv, .jsonl"),
    }


@pytest.mark.parametrize(
    "case",
    ["missing", "twice", "extra", "no header", "ragged", "no reply", "no id", "a wrong choice",
     "a wrong status", "too few scores", "a score that is no number", "an infinite score",
     "no JSON", "no object", "no Parquet", "another kind"],
)  # fmt: skip
def test_files_that_do_not_fit(few: Task, tmp_path: Path, case: str) -> None:
    name, content, why = damaged(few)[case]
    (tmp_path / name).write_text(content)
    with pytest.raises(BadInput, match=why) as caught:
        replay(str(tmp_path / name), few)
    assert "\n" not in str(caught.value)


def test_no_file_and_no_text(few: Task, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"there is no file nowhere.csv"):
        replay("nowhere.csv", few)
    for name in ("a.csv", "a.jsonl"):
        (tmp_path / name).write_bytes(b'{"id": "\xff\xfe"}\n')
        with pytest.raises(BadInput, match=r"not UTF-8"):
            replay(str(tmp_path / name), few)
