"""Results and descriptions in the form of other tools."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from deixis.exchange.log import How
from deixis.exchange.reading import read_log


@pytest.fixture(scope="module")
def toml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("benchmark")
    rows = "".join(f"q{i},is it {i}?,{'yes' if i % 2 else 'no'},g{i // 2}\n" for i in range(40))
    (folder / "rows.csv").write_text("id,q,a,g\n" + rows)
    (folder / "mine.toml").write_text(
        'kind = "true-false"\nrows = "rows.csv"\noptions = ["yes", "no"]\n'
        '[columns]\nid = "id"\ntext = "q"\nanswer = "a"\ngroup = "g"\n'
    )
    return folder / "mine.toml"


@pytest.fixture
def run(toml: Path, tmp_path: Path, deixis: Callable[..., Any]) -> Path:
    out = tmp_path / "run"
    ended = deixis(
        "audit", toml, "--player", "planted:prompt=0.4", "--do", "prompt=drop", "--out", out
    )
    assert ended.status == 0, ended.err
    return out


def test_json_latex_and_card(run: Path, deixis: Callable[..., Any]) -> None:
    made = json.loads(deixis("export", run, "--as", "json").out)
    assert made["conditions"][0]["do"] == ""
    assert set(made["conditions"][0]["measures"]) == {"accuracy", "consistency"}
    gap = next(c for c in made["contrasts"] if c["of"] == "prompt=drop")
    assert gap["value"] == pytest.approx(0.4)
    latex = deixis("export", run, "--as", "latex").out
    assert latex.startswith(r"\begin{tabular}")
    assert r"\texttt{prompt=drop} & 50.0 & [" in latex
    card = deixis("export", run, "--as", "card").out
    assert "| `prompt=drop` | 50.0 |" in card
    assert "| used |" in card


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_rows_come_back_as_a_log(
    run: Path, form: str, tmp_path: Path, deixis: Callable[..., Any]
) -> None:
    out = tmp_path / f"rows.{form}"
    said = deixis("export", run, "--as", form, "--out", out, "--json").json
    assert said["bytes"] == out.stat().st_size
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(out.read_text())))
    else:
        rows = pyarrow.parquet.read_table(out).to_pylist()
    base = [r for r in rows if r["condition"] == ""]
    assert len(base) == 40
    assert {r["cluster"] for r in base} == {f"g{i}" for i in range(20)}
    again = tmp_path / "base.csv"
    with again.open("w", newline="") as file:
        writer = csv.DictWriter(file, base[0])
        writer.writeheader()
        writer.writerows(base)
    log = read_log(again, How())
    assert log.outcomes[0].credit.mean() == pytest.approx(0.9)


def test_every_eval_ever(run: Path, deixis: Callable[..., Any]) -> None:
    made = json.loads(deixis("export", run, "--as", "every-eval-ever").out)
    needed = {
        "schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info",
        "eval_library", "evaluation_results"}  # fmt: skip
    assert needed <= set(made)
    assert made["source_metadata"]["source_type"] == "evaluation_run"
    assert made["retrieved_timestamp"].isdecimal()
    for result in made["evaluation_results"]:
        assert {"evaluation_name", "source_data", "metric_config", "score_details"} <= set(result)
        details = result["score_details"]
        interval = details["uncertainty"]["confidence_interval"]
        assert interval["lower"] <= details["score"] <= interval["upper"]
        assert details["uncertainty"]["num_samples"] == 40
        assert all(isinstance(v, str) for v in details["details"].values())


def test_croissant(toml: Path, deixis: Callable[..., Any], refused: Callable[..., str]) -> None:
    ended = deixis(
        "export", toml, "--as", "croissant", "--fact", "license=CC-BY-4.0",
        "--fact", "rai:dataCollection=written by hand",
    )  # fmt: skip
    made = json.loads(ended.out)
    assert made["conformsTo"] == "http://mlcommons.org/croissant/1.1"
    assert (made["license"], made["name"]) == ("CC-BY-4.0", "mine")
    (file,) = made["distribution"]
    assert (file["name"], len(file["sha256"])) == ("rows.csv", 64)
    (records,) = made["recordSet"]
    fields = {f["name"]: f for f in records["field"]}
    assert fields["options"]["repeated"]
    assert fields["answer"]["dataType"] == "sc:Integer"
    assert "expected NAME=VALUE" in refused("export", toml, "--as", "croissant", "--fact", "x")


def test_no_such_form(run: Path, refused: Callable[..., str]) -> None:
    assert "'xml'" in refused("export", run, "--as", "xml")
