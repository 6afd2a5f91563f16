"""Logs of other tools, as they write them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.exchange.conftest import harness_log, inspect_log

from deixis.errors import BadInput
from deixis.exchange.audited import audit_logs
from deixis.exchange.log import How, same_items
from deixis.exchange.reading import read_log, tool_of


@pytest.mark.parametrize("summaries", [True, False])
def test_inspect(tmp_path: Path, summaries: bool) -> None:
    scores = {"1": "C", "2": "I", "3": "P", "4": "N", "5": 0.25, "6": None}
    log = read_log(inspect_log(tmp_path / "a.eval", scores, summaries=summaries))
    (outcomes,) = log.outcomes
    assert (log.tool, log.model, log.dataset, log.metric) == (
        "inspect", "openai/some", "my-vqa", "choice")  # fmt: skip
    assert outcomes.ids.tolist() == list("123456")
    # No answer and a failed sample stand at the chance of two options.
    assert outcomes.credit.tolist() == [1, 0, 0.5, 0.5, 0.25, 0.5]
    assert outcomes.statuses == {"ok": 4, "unreadable": 1, "missing": 1}
    assert outcomes.sizes.tolist() == [2] * 6


def test_inspect_epochs_and_clusters(tmp_path: Path) -> None:
    path = inspect_log(tmp_path / "a.json", {"1": "C", "2": "I", "3": "C"}, epochs=3)
    log = read_log(path, How(cluster="picture"))
    assert len(log.outcomes) == 3
    assert log.outcomes[0].clusters.tolist() == ["p0", "p1", "p1"]
    with pytest.raises(BadInput, match="metadata have no 'page'"):
        read_log(path, How(cluster="page"))
    with pytest.raises(BadInput, match=r"no score 'f1' \(it has choice\)"):
        read_log(path, How(metric="f1"))


def test_lm_eval(tmp_path: Path) -> None:
    folder = tmp_path / "some__model"
    folder.mkdir()
    path = folder / "samples_arc_easy_2026-01-02T03-04-05.678.jsonl"
    rows = [{"acc": i % 2, "acc_norm": 1.0, "metrics": ["acc", "acc_norm"]} for i in range(4)]
    log = read_log(harness_log(path, rows))
    assert (log.model, log.dataset, log.metric) == ("some__model", "arc_easy", "acc")
    assert log.outcomes[0].credit.tolist() == [0, 1, 0, 1]
    assert log.outcomes[0].sizes.tolist() == [4] * 4
    assert read_log(path, How(metric="acc_norm")).outcomes[0].credit.mean() == 1
    clustered = read_log(path, How(cluster="image_id")).outcomes[0]
    assert clustered.clusters.tolist() == ["p0", "p0", "p1", "p1"]


def test_lmms_eval(tmp_path: Path) -> None:
    verdicts = [{"parsed_pred": "A", "answer": a} for a in "ABA"]
    path = harness_log(tmp_path / "samples_mmmu_val.jsonl", [{"mmmu_acc": v} for v in verdicts])
    log = read_log(path)
    assert (log.dataset, log.metric) == ("mmmu_val", "mmmu_acc")
    assert log.outcomes[0].credit.tolist() == [1, 0, 1]


def test_several_filters_are_read_once(tmp_path: Path) -> None:
    path = tmp_path / "samples_gsm.jsonl"
    rows = [
        {"doc_id": i, "exact_match": float(f == "strict"), "filter": f, "doc": {}}
        for f in ("strict", "loose")
        for i in range(3)
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    assert read_log(path).outcomes[0].credit.tolist() == [1, 1, 1]


def vlm_rows() -> list[dict[str, Any]]:
    options = {"A": "cat", "B": "dog"}
    said = ["A", "B. dog", "The answer is A", "no idea"]
    return [
        {"index": i, "question": "?", **options, "answer": "A", "prediction": p}
        for i, p in enumerate(said)
    ]


@pytest.mark.parametrize("form", ["xlsx", "tsv"])
def test_vlmevalkit(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"Qwen-VL_MMBench_DEV_EN.{form}"
    rows = vlm_rows()
    if form == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for cells in (list(rows[0]), *(list(r.values()) for r in rows)):
            book.active.append(cells)
        book.save(path)
    else:
        lines = [list(rows[0]), *(list(map(str, r.values())) for r in rows)]
        path.write_text("\n".join("\t".join(cells) for cells in lines) + "\n")
    log = read_log(path)
    assert (log.tool, log.model, log.dataset) == ("vlmevalkit", "Qwen-VL", "MMBench_DEV_EN")
    assert log.outcomes[0].credit.tolist() == [1, 0, 1, 0.5]
    assert log.outcomes[0].statuses == {"ok": 3, "unreadable": 1}


def test_vlmevalkit_with_its_own_verdict(tmp_path: Path) -> None:
    path = tmp_path / "m_d_result.tsv"
    path.write_text("index\tprediction\thit\n1\tA\t1\n2\tB\t0.5\n")
    assert read_log(path).outcomes[0].credit.tolist() == [1, 0.5]
    path.write_text("index\tprediction\n1\tA\n")
    with pytest.raises(BadInput, match="has neither hit nor answer"):
        read_log(path)
    path.write_text("index\tprediction\tanswer\n1\tYes \tyes\n2\tno\tyes\n")
    assert read_log(path).outcomes[0].credit.tolist() == [1, 0]


def test_tables(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("id,correct,options,cluster,status\nx,true,4,a,\ny,0,4,a,refused\n")
    (outcomes,) = read_log(path).outcomes
    assert outcomes.credit.tolist() == [1, 0.25]
    assert outcomes.clusters.tolist() == ["a", "a"]
    path.write_text("id,choice,answer\nx,Cat,cat\ny,dog,cat\n")
    assert read_log(path).outcomes[0].credit.tolist() == [1, 0]


MISTAKES: list[tuple[str, str, str]] = [
    ("a.csv", "id,correct\nx,1\nx,0\n", "'x' stands there twice"),
    ("a.csv", "id,correct\nx,2\n", "expected a score of 0 to 1, got 2"),
    ("a.csv", "id,correct\nx,maybe\n", "expected a number as correct"),
    ("a.csv", "id,correct\n,1\n", "has no id"),
    ("a.csv", "id,right\nx,1\n", "expected one of credit"),
    ("a.csv", "id,correct,status\nx,1,gone\n", "there is no status 'gone'"),
    ("a.csv", "id,correct\n", "holds no samples"),
    ("a.eval", "no zip", "not a readable log of Inspect"),
    ("a.json", "[]", "expected an object"),
    ("a.json", "{", "no JSON"),
    ("a.json", "{}", "it has no 'eval'"),
    ("a.json", '{"eval": {}, "samples": [{"id": 1}]}', "neither scores nor an error"),
    ("a.json", '{"eval": {}, "samples": [{"id": 1, "scores": {"m": {"value": "x"}}}]}', "C, I, P"),
    ("s.jsonl", '{"doc_id": 1, "doc": {}}\n', "no score that can be read among none"),
    ("s.jsonl", '{"doc_id": 1, "acc": 1}\n{"x": 1}\n', "has no doc_id"),
    ("s.jsonl", '{"doc_id": 1, "acc": 1}\n{"doc_id": 2}\n', "expected a number as acc"),
    ("a.txt", "x", "expected a log"),
]


@pytest.mark.parametrize(("name", "content", "said"), MISTAKES)
def test_mistakes(name: str, content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(BadInput) as refused:
        read_log(tmp_path / name)
    assert said in str(refused.value)


def test_tools_are_told_by_content(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text("{")
    with pytest.raises(BadInput, match=r"broken.jsonl:1: no JSON"):
        tool_of(tmp_path / "broken.jsonl")
    with pytest.raises(BadInput, match="there is no file"):
        read_log(tmp_path / "none.eval")


def pair(tmp_path: Path, n: int = 80) -> tuple[Path, Path]:
    """A run with pictures at 75 %, and one without at 25 %."""
    rows = [
        [{"acc": float(i % 4 != 0)} for i in range(n)],
        [{"acc": float(i % 4 == 1)} for i in range(n)],
    ]
    paths = tmp_path / "samples_with.jsonl", tmp_path / "samples_without.jsonl"
    for path, one in zip(paths, rows, strict=True):
        harness_log(path, one)
    return paths


def test_an_audit_of_logs(tmp_path: Path) -> None:
    base, without = (read_log(p) for p in pair(tmp_path))
    found = audit_logs(base, {"image=drop": without})
    (gap,) = found.contrasts
    assert (gap.kind, gap.of, gap.verdict) == ("gap", "image=drop", "used")
    assert gap.value == pytest.approx(0.5)
    assert gap.low < 0.5 < gap.high
    said = found.json()
    assert (said["accuracy"], said["chance"], said["n"]) == (0.75, 0.25, 80)
    assert not found.warnings
    assert audit_logs(base, {}).contrasts == ()
    with pytest.raises(BadInput, match="--margin"):
        audit_logs(base, {}, margin=0)


def test_different_items_are_refused_by_name(tmp_path: Path) -> None:
    first = harness_log(tmp_path / "samples_a.jsonl", [{"acc": 1}] * 3)
    longer = harness_log(tmp_path / "samples_b.jsonl", [{"acc": 1}] * 5)
    other = harness_log(tmp_path / "samples_c.jsonl", [{"acc": 1, "doc_hash": "x"}] * 3)
    logs = {p: read_log(p) for p in (first, longer, other)}
    with pytest.raises(BadInput, match=r"not of the same items: 2 differ, such as 3, 4"):
        same_items([logs[first], logs[longer]])
    with pytest.raises(BadInput, match=r"different items by the same ids: 3 differ, such as 0"):
        same_items([logs[first], logs[other]])


def test_commands(tmp_path: Path, deixis: Callable[..., Any], refused: Callable[..., str]) -> None:
    with_pictures, without = pair(tmp_path)
    ended = deixis("compare", with_pictures, without, "--json")
    assert ended.json["pairs"][0]["value"] == 0.5
    ended = deixis("audit", "--from", with_pictures, "--from", f"{without}#image=drop", "--json")
    assert ended.json["schema"] == "deixis/log-audit/1"
    assert ended.json["contrasts"][0]["verdict"] == "used"
    shown = deixis("audit", "--from", with_pictures, "--from", f"{without}#image=drop")
    assert "image=drop" in shown.out
    assert "accuracy 75.0" in shown.out
    table = tmp_path / "t.csv"
    table.write_text("id,correct\n0,1\n")
    assert "not of the same items" in refused("compare", with_pictures, table)
    twice = (
        "audit",
        "--from",
        with_pictures,
        "--from",
        without,
        "--from",
        f"{without}#samples_without",
    )
    assert "is there twice" in refused(*twice)


def test_failed_samples_are_told(tmp_path: Path) -> None:
    path = inspect_log(tmp_path / "a.eval", {"1": "C", "2": None})
    found = audit_logs(read_log(path), {})
    assert found.warnings == [
        "2 clusters: too few for any interval",
        "the base: not all replies could be scored: 1 missing; they count at chance",
    ]
    assert np.isnan(found.json()["ci_low"])
