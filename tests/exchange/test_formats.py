"""Logs of every tool as it writes them today: compared, audited, and refused where items differ."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Ended

Run = Callable[..., Ended]
Refused = Callable[..., str]
Write = Callable[[Path, str, list[bool]], Path]

LETTERS = "ABCD"
WORDS = ("a cat", "a dog", "a bus", "a tree")


def right(i: int) -> str:
    """The letter of the right option of an item."""
    return LETTERS[i % 4]


def said(i: int, good: bool) -> str:
    """The letter that was chosen."""
    return right(i) if good else LETTERS[(i + 1) % 4]


def inspect(folder: Path, name: str, good: list[bool]) -> Path:
    """A `.eval` with its header, journal, summaries and samples, deflated."""
    header = {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": "q9", "run_id": "r9", "created": "2026-11-01T10:00:00+00:00",
            "task": "my_vqa", "task_version": 0, "task_file": "vqa.py", "task_attribs": {},
            "task_args": {}, "solver": "multiple_choice", "model": f"openai/{name}",
            "model_generate_config": {"temperature": 0.0}, "model_args": {},
            "dataset": {"name": "my-vqa", "samples": len(good), "sample_ids": []},
            "config": {"epochs": 1, "log_samples": True}, "packages": {"inspect_ai": "0.3.200"},
            "scorers": [{"name": "choice", "metrics": [{"name": "accuracy"}]}],
        },
        "plan": {"name": "plan", "steps": [{"solver": "multiple_choice", "params": {}}]},
        "results": {"total_samples": len(good), "completed_samples": len(good), "scores": []},
        "stats": {"started_at": "", "completed_at": "", "model_usage": {}},
    }  # fmt: skip
    summaries, samples = [], []
    for i, one in enumerate(good, 1):
        score = {
            "value": "C" if one else "I", "answer": said(i, one), "explanation": "", "metadata": {},
            "history": [],
        }  # fmt: skip
        common = {
            "id": i, "epoch": 1, "input": "What is it?", "choices": list(WORDS),
            "target": right(i), "metadata": {"image": f"p{i // 2}"}, "scores": {"choice": score},
            "model_usage": {}, "total_time": 1.0, "uuid": f"u{i}",
        }  # fmt: skip
        summaries.append({**common, "completed": True, "message_count": 2})
        samples.append({**common, "messages": [], "output": {"model": name}, "events": []})
    path = folder / f"2026-11-01T10-00-00_my-vqa_{name}.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps(header))
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        archive.writestr("summaries.json", json.dumps(summaries))
        archive.writestr("reductions.json", "[]")
        archive.writestr("header.json", json.dumps(header))
    return path


def lm_eval(folder: Path, name: str, good: list[bool]) -> Path:
    """`--log_samples` of a task of options by log-likelihood."""
    lines = []
    for i, one in enumerate(good):
        doc = {"id": i, "question": "What is it?", "choices": {"text": WORDS, "label": LETTERS},
               "answerKey": right(i), "image_id": f"p{i // 2}"}  # fmt: skip
        scores = [[-1.0 if said(i, one) == letter else -3.0, False] for letter in LETTERS]
        arguments = {
            f"gen_args_{j}": {"arg_0": "What is it?", "arg_1": f" {w}"} for j, w in enumerate(WORDS)
        }
        lines.append({
            "doc_id": i, "doc": doc, "target": i % 4, "arguments": arguments,
            "resps": [[s] for s in scores], "filtered_resps": scores, "filter": "none",
            "metrics": ["acc", "acc_norm"], "doc_hash": f"{i:064x}", "prompt_hash": f"{i:064x}",
            "target_hash": "00", "acc": float(one), "acc_norm": float(one),
        })  # fmt: skip
    place = folder / f"org__{name}"
    place.mkdir()
    return _lines(place / "samples_my_vqa_2026-11-01T10-00-00.123456.jsonl", lines)


def lmms_eval(folder: Path, name: str, good: list[bool]) -> Path:
    """`--log_samples` of a task whose score is an object."""
    lines = []
    for i, one in enumerate(good):
        verdict = {"id": f"validation_{i}", "subdomain": "Art", "question_type": "multiple-choice",
                   "answer": right(i), "parsed_pred": said(i, one)}  # fmt: skip
        lines.append({
            "doc_id": i, "doc": {"options": list(WORDS), "image_id": f"p{i // 2}"},
            "target": right(i), "resps": [[said(i, one)]], "filtered_resps": [said(i, one)],
            "doc_hash": f"{i:064x}", "mmmu_acc": verdict, "submission": {f"v{i}": said(i, one)},
            "input": "What is it?", "token_counts": None,
        })  # fmt: skip
    place = folder / f"lmms__{name}"
    place.mkdir()
    return _lines(place / "20261101_100000_samples_mmmu_val.jsonl", lines)


def vlmevalkit_xlsx(folder: Path, name: str, good: list[bool]) -> Path:
    """Predictions in Excel, before any verdict."""
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["index", "question", *LETTERS, "answer", "category", "prediction"])
    for i, one in enumerate(good):
        text = f"The answer is {said(i, one)}."
        book.active.append([i, "What is it?", *WORDS, right(i), "things", text])
    path = folder / f"{name}_MMBench_DEV_EN_V11.xlsx"
    book.save(path)
    return path


def vlmevalkit_tsv(folder: Path, name: str, good: list[bool]) -> Path:
    """Predictions with the verdict of its judge."""
    path = folder / f"{name}_MMStar_result.tsv"
    head = ["index", "question", *LETTERS, "answer", "prediction", "hit", "log"]
    rows = [
        [i, "What is it?", *WORDS, right(i), said(i, one), int(one), "exact"]
        for i, one in enumerate(good)
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerows([head, *rows])
    return path


def table(folder: Path, name: str, good: list[bool]) -> Path:
    """Somebody's own table."""
    path = folder / f"{name}.csv"
    rows = [f"item-{i},{int(one)},4,p{i // 2}" for i, one in enumerate(good)]
    path.write_text("\n".join(["id,correct,options,cluster", *rows]), "utf-8")
    return path


def _lines(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


FORMATS: dict[str, Write] = {
    "inspect": inspect,
    "lm-eval": lm_eval,
    "lmms-eval": lmms_eval,
    "vlmevalkit-xlsx": vlmevalkit_xlsx,
    "vlmevalkit-tsv": vlmevalkit_tsv,
    "table": table,
}
SEEING = [i % 5 != 0 for i in range(80)]
BLIND = [i % 4 == 1 for i in range(80)]


@pytest.mark.parametrize("write", FORMATS.values(), ids=FORMATS)
def test_compared_and_audited(write: Write, tmp_path: Path, deixis: Run) -> None:
    seeing, blind = write(tmp_path, "some-vlm", SEEING), write(tmp_path, "no-picture", BLIND)
    said = deixis("compare", seeing, blind, "--json").json
    (pair,) = said["pairs"]
    assert pair["value"] == pytest.approx(0.8 - 0.25)
    assert (pair["verdict"], pair["low"] < pair["value"] < pair["high"]) == ("better", True)
    audit = deixis("audit", "--from", seeing, "--from", f"{blind}#image=drop", "--json").json
    (gap,) = audit["contrasts"]
    assert (gap["of"], gap["verdict"]) == ("image=drop", "used")
    assert gap["value"] == pytest.approx(0.55)
    assert (audit["accuracy"], audit["chance"], audit["n"]) == (0.8, 0.25, 80)


@pytest.mark.parametrize("write", FORMATS.values(), ids=FORMATS)
def test_other_items_are_refused_by_name(write: Write, tmp_path: Path, refused: Refused) -> None:
    long, short = write(tmp_path, "long", SEEING), write(tmp_path, "short", SEEING[:78])
    for command in (("compare", long, short), ("audit", "--from", long, "--from", f"{short}#x=y")):
        sentence = refused(*command)
        assert "are not of the same items: 2 differ, such as " in sentence
        assert "79" in sentence.rpartition("such as ")[2]
        assert long.name in sentence


@pytest.mark.parametrize("name", ["lm-eval", "lmms-eval"])
def test_the_same_ids_of_other_items_are_refused(
    name: str, tmp_path: Path, refused: Refused
) -> None:
    one, other = FORMATS[name](tmp_path, "one", SEEING), FORMATS[name](tmp_path, "other", SEEING)
    other.write_text(other.read_text().replace(f"{7:064x}", f"{1007:064x}"), "utf-8")
    sentence = refused("compare", one, other)
    assert "mean different items by the same ids: 1 differ, such as 7" in sentence


def test_two_tools_on_the_same_items(tmp_path: Path, deixis: Run) -> None:
    """Whoever wrote the logs: ids decide."""
    one, other = (lm_eval(tmp_path, n, g) for n, g in (("a", SEEING), ("b", BLIND)))
    mine = vlmevalkit_tsv(tmp_path, "mine", SEEING)
    said = deixis("compare", one, other, mine, "--json").json
    values = {(p["a"], p["b"]): p["value"] for p in said["pairs"]}
    assert values[str(one), str(mine)] == 0
    assert values[str(one), str(other)] == pytest.approx(0.55)
