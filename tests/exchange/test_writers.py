"""Results and descriptions in the form of other tools."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.csv
import pyarrow.parquet
import pytest
from jsonschema import Draft202012Validator
from PIL import Image
from tests.croissant import croissant

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


@pytest.fixture(scope="module")
def eval_ever() -> Draft202012Validator:
    """Our own writing of what a record must hold."""
    schema = json.loads((Path(__file__).parent / "every_eval_ever.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_every_eval_ever(
    run: Path, deixis: Callable[..., Any], eval_ever: Draft202012Validator
) -> None:
    made = json.loads(deixis("export", run, "--as", "every-eval-ever").out)
    eval_ever.validate(made)
    results = made["evaluation_results"]
    assert len({r["evaluation_result_id"] for r in results}) == len(results)
    for result in results:
        details = result["score_details"]
        interval = details["uncertainty"]["confidence_interval"]
        assert interval["lower"] <= details["score"] <= interval["upper"]
        assert result["metric_config"]["min_score"] <= interval["lower"]
        assert details["uncertainty"]["num_samples"] == 40
    base, *others = results
    assert base["score_details"]["score"] == pytest.approx(90)
    dropped = next(r for r in others if "prompt=drop" in r["evaluation_name"])
    assert dropped["score_details"]["details"]["verdict"] == "used"
    assert dropped["score_details"]["details"]["points_lost"] == "40"


def test_no_interval_where_there_are_few_clusters(
    toml: Path, tmp_path: Path, deixis: Callable[..., Any], eval_ever: Draft202012Validator
) -> None:
    few = tmp_path / "few"
    deixis("play", toml, "--player", "constant", "--limit", "4", "--out", few, "--json")
    made = json.loads(deixis("export", few, "--as", "every-eval-ever").out)
    eval_ever.validate(made)
    (result,) = made["evaluation_results"]
    assert result["score_details"]["uncertainty"] == {"num_samples": 4}


def test_latex_is_a_table_of_five_columns(run: Path, deixis: Callable[..., Any]) -> None:
    latex = deixis("export", run, "--as", "latex").out
    head, *lines = latex.splitlines()
    assert (head, lines[-1]) == (r"\begin{tabular}{lrlrl}", r"\end{tabular}")
    rows = [line for line in lines if line.endswith(r"\\")]
    assert all(row.count("&") == 4 for row in rows)
    outside = re.sub(r"\\[a-z]+|\\[_%#&]|[{}&]|\\[,\\]", "", latex)
    assert not set(outside) & set("_%#$^~")  # nothing that TeX would stumble over
    assert latex.count("{") == latex.count("}")


FACTS = ("--fact", "license=https://creativecommons.org/licenses/by/4.0/", "--fact",
         "citeAs=somebody", "--fact", "datePublished=2026-11-30")  # fmt: skip


def test_croissant_loads_elsewhere(toml: Path, tmp_path: Path, deixis: Callable[..., Any]) -> None:
    """The same rows in three kinds of file, read back by others by our description alone."""
    table = pyarrow.csv.read_csv(toml.parent / "rows.csv")
    written = {
        "a.csv": lambda p: pyarrow.csv.write_csv(table, p),
        "b.parquet": lambda p: pyarrow.parquet.write_table(table, p),
        "c.jsonl": lambda p: p.write_text("\n".join(map(json.dumps, table.to_pylist()))),
    }
    for name, write in written.items():
        write(tmp_path / name)
    text = toml.read_text().replace('"rows.csv"', json.dumps(list(written)))
    (tmp_path / "mine.toml").write_text(text.replace('id = "id"\n', "", 1))
    made = tmp_path / "croissant.json"
    ended = deixis("export", tmp_path / "mine.toml", "--as", "croissant", *FACTS, "--out", made)
    assert ended.status == 0, ended.err
    found = croissant(made, "a", "b", "c")
    assert (found["errors"], found["warnings"]) == ([], [])
    assert found["rows"] == table.to_pylist() * 3


def test_croissant(toml: Path, deixis: Callable[..., Any], refused: Callable[..., str]) -> None:
    rai = ("--fact", "rai:dataCollection=written by hand")
    made = json.loads(deixis("export", toml, "--as", "croissant", *FACTS, *rai).out)
    assert made["conformsTo"] == "http://mlcommons.org/croissant/1.1"
    assert (made["rai:dataCollection"], made["name"]) == ("written by hand", "mine")
    (file,) = made["distribution"]
    assert (file["name"], len(file["sha256"])) == ("rows.csv", 64)
    (records,) = made["recordSet"]
    assert records["key"] == {"@id": "rows/id"}
    fields = {f["name"]: f for f in records["field"]}
    assert fields["a"]["description"] == "Read as answer."
    assert set(fields) == {"id", "q", "a", "g"}
    assert "expected NAME=VALUE" in refused("export", toml, "--as", "croissant", "--fact", "x")


def test_croissant_of_public_data_and_worlds(
    data: Path, tmp_path: Path, deixis: Callable[..., Any]
) -> None:
    out = tmp_path / "croissant.json"
    form = ("--as", "croissant", *FACTS, "--out", out)
    deixis("export", "vispro:val", "--data", data, *form)
    made = json.loads(out.read_text())
    assert made["distribution"][0]["contentUrl"].startswith("https://raw.githubusercontent.com/")
    assert len(made["distribution"]) == 2
    assert croissant(out) == {"errors": [], "warnings": [], "rows": []}
    deixis("export", "figures", *form)
    assert "distribution" not in json.loads(out.read_text())


def test_types_of_columns(tmp_path: Path, deixis: Callable[..., Any]) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (3, 3), "red").save(picture, "PNG")
    cells = {"bytes": picture.getvalue(), "path": "a.png"}
    rows = {
        "id": [1, 2], "q": ["x?", "y?"], "o": [["a", "b"], ["c", "d"]], "a": [0, 1],
        "p": [cells, cells], "t": [True, False], "f": [0.5, 1.5],
    }  # fmt: skip
    pyarrow.parquet.write_table(pyarrow.table(rows), tmp_path / "t.parquet")
    (tmp_path / "t.toml").write_text(
        'kind = "multiple-choice"\nrows = "t.parquet"\nanswer-is = "index"\n[columns]\nid = "id"\n'
        'text = "q"\noptions = "o"\nanswer = "a"\npictures = "p"\n'
    )
    ended = deixis("export", tmp_path / "t.toml", "--as", "croissant", *FACTS)
    (records,) = json.loads(ended.out)["recordSet"]
    types = {f["name"]: (f["dataType"], f.get("repeated", False)) for f in records["field"]}
    assert types == {
        "id": ("sc:Integer", False), "q": ("sc:Text", False), "o": ("sc:Text", True),
        "a": ("sc:Integer", False), "p": ("sc:ImageObject", False), "t": ("sc:Boolean", False),
        "f": ("sc:Float", False),
    }  # fmt: skip


def test_no_such_form(run: Path, refused: Callable[..., str]) -> None:
    assert "'xml'" in refused("export", run, "--as", "xml")
