"""Old result files of Mechanical Turk, both forms; what is broken is named with its place."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from deixis.collect.platforms.mturk import assignments, read_answers
from deixis.collect.store.people import worker_name
from deixis.errors import BadInput

ROW = {
    "HITId": "3H",
    "AssignmentId": "3A",
    "WorkerId": "A1B2",
    "AssignmentStatus": "Approved",
    "AcceptTime": "Mon Jul 05 12:00:00 PDT 2021",
    "SubmitTime": "Mon Jul 05 12:01:30 PDT 2021",
}
ANSWER = (
    '<?xml version="1.0"?><QuestionFormAnswers xmlns="http://mechanicalturk.amazonaws.com/'
    'AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd"><Answer>'
    "<QuestionIdentifier>whole</QuestionIdentifier><FreeText>a &lt;swan&gt; 天鹅</FreeText>"
    "</Answer><Answer><QuestionIdentifier>sure</QuestionIdentifier>"
    "<SelectionIdentifier>yes</SelectionIdentifier></Answer></QuestionFormAnswers>"
)


def batch(path: Path, **over: str) -> Path:
    row = ROW | {"Input.tangram": "page1-1", "Answer.whole": "a swan, 天鹅", "Answer.no": ""}
    row |= over
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    return path


def listed(path: Path, **over: Any) -> Path:
    times = {"AcceptTime": 1625511600.0, "SubmitTime": "2021-07-05T19:01:30+00:00"}
    path.write_text(json.dumps({"Assignments": [ROW | times | {"Answer": ANSWER} | over]}))
    return path


def test_a_batch(tmp_path: Path) -> None:
    (row,) = assignments(batch(tmp_path / "b.csv"), "key")
    assert row["input"] == {"tangram": "page1-1"}
    assert row["answer"] == {"whole": "a swan, 天鹅"}
    assert row["accepted_at"] == datetime(2021, 7, 5, 19, tzinfo=UTC)
    assert row["seconds"] == 90.0
    assert row["worker"] == worker_name("key", "mturk", "A1B2")


def test_what_the_interface_gave(tmp_path: Path) -> None:
    (row,) = assignments(listed(tmp_path / "a.json"), "key")
    (other,) = assignments(batch(tmp_path / "b.csv"), "key")
    assert row["answer"] == {"whole": "a <swan> 天鹅", "sure": "yes"}
    for name in ("worker", "accepted_at", "submitted_at", "seconds", "hit", "assignment"):
        assert row[name] == other[name]


def wrong(text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "x.json").write_bytes(text.encode("latin-1"))
        return folder / "x.json"

    return write


BROKEN: dict[str, Callable[[Path], Path]] = {
    "there is no file": lambda f: f / "x.csv",
    r"expected a batch's \.csv": lambda f: (f / "x.xlsx", (f / "x.xlsx").touch())[0],
    "WorkerId is missing": lambda f: batch(f / "x.csv", WorkerId=""),
    r"x\.csv:2: 'soon' is no time": lambda f: batch(f / "x.csv", SubmitTime="soon"),
    r"assignment 0: 'x x x x PDT x' is no time": lambda f: listed(
        f / "x.json", AcceptTime="x x x x PDT x"
    ),
    "no JSON": wrong("{"),
    "no JSON: 'utf-8'": wrong("\xff"),
    "expected a list of Assignments": wrong('{"HITs": []}'),
    "assignment 1: expected an object": wrong(json.dumps([ROW | {"Answer": ANSWER}, 3])),
    "assignment 0: the answer is no XML": lambda f: listed(f / "x.json", Answer="<a>"),
    "declares a document type": lambda f: listed(
        f / "x.json", Answer='<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
    ),
}


@pytest.mark.parametrize("said", BROKEN)
def test_what_is_broken_is_named(tmp_path: Path, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        list(assignments(BROKEN[said](tmp_path), "key"))


def test_more_cells_than_the_header(tmp_path: Path) -> None:
    path = batch(tmp_path / "x.csv")
    path.write_text(path.read_text("utf-8").rstrip() + ",more\n", "utf-8")
    with pytest.raises(BadInput, match=r"x\.csv:2: more cells"):
        list(assignments(path, "key"))


def test_text_outside_of_answers_is_nobody_s() -> None:
    assert read_answers("<a> <b>x</b> </a>", "here") == {}


def test_the_command(tmp_path: Path, deixis: Any) -> None:
    file, out = batch(tmp_path / "b.csv"), tmp_path / "out"
    told = deixis("collect", "import", file, out, "--key", "k", "--json").json
    assert told == {"schema": "deixis/import/1", "file": str(file), "assignments": 1}
    (row,) = parquet.read_table(out / "assignments.parquet").to_pylist()
    assert json.loads(row["answer"]) == {"whole": "a swan, 天鹅"}
    assert "A1B2" not in (out / "assignments.jsonl").read_text("utf-8")
