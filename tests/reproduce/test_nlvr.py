"""Tables 6 and 11: their shape and protocol, on a tiny preset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deixis.reproduce.nlvr import PRESETS, _lessons_before, _table
from deixis.reproduce.nlvr_published import TABLE_6, TABLE_11


@pytest.fixture(scope="module")
def asked(data: Path) -> tuple[object, ...]:
    return "reproduce", "nlvr", "--data", data, "--preset", "tiny"


def test_tables_in_the_papers_shape(deixis, refused, asked, tmp_path: Path) -> None:
    systems = "MAJORITY,TEXT,CNN+RNN"
    said = deixis(*asked, "--systems", systems, "--out", tmp_path, "--json").json
    nlvr, nlvr2 = said["tables"]
    assert [r["system"] for r in nlvr["rows"]] == systems.split(",")
    assert [r["system"] for r in nlvr2["rows"]] == ["MAJORITY", "TEXT"]
    assert nlvr["splits"] == ["nlvr:train-sample", "nlvr:dev", "nlvr:test"]
    assert nlvr2["splits"][0] == "four fifths of nlvr2:dev"
    assert said["runs"] == 2
    for table in said["tables"]:
        for row in table["rows"]:
            runs = 1 if row["system"] == "MAJORITY" else 2
            assert len(row["dev"]["accuracy"]) == len(row["train"]["consistency"]) == runs
            best = max(row["dev"]["accuracy"])
            assert row["dev"]["accuracy"].index(best) == row["best_run"]
    assert (tmp_path / "nlvr.json").is_file()
    own = tmp_path / "nlvr/CNN+RNN"
    assert {p.name for p in own.iterdir()} == {"before", "0", "1", "row.json"}, "lessons once"
    kept = tmp_path / "nlvr/TEXT/row.json"
    row = json.loads(kept.read_text("utf-8"))
    assert row["row"]["test"] == pytest.approx(nlvr["rows"][1]["test"])
    kept.write_text(json.dumps(row | {"row": row["row"] | {"best_run": 7}}), "utf-8")
    again = "--systems", "TEXT", "--out", tmp_path
    assert deixis(*asked, *again, "--json").json["tables"][0]["rows"][0]["best_run"] == 7
    assert "row.json: a row of another run" in refused(*asked, *again, "--seeds", "1")


@pytest.mark.parametrize("published", [TABLE_6, TABLE_11], ids=["6", "11"])
def test_published_columns_stand_beside(published) -> None:
    content, shown = _table("a table", "a corpus", (), [], published)
    assert [line[0] for line in shown.rows] == list(published)
    for line in shown.rows:
        assert tuple(line[2::2]) == published[line[0]]
    assert set(content["published"]) == set(published)


def test_what_is_learnt_first_is_said() -> None:
    (said,) = _lessons_before(PRESETS["small"].nlvr)
    assert said.startswith("CNN+RNN, NMN, N2NMN-CLONING")
    assert said.endswith("MAC: 1000 sentences of towers first, once for all runs, epochs: 12")


def test_unknown_rows(refused, asked) -> None:
    assert "--systems: expected some of" in refused(*asked, "--systems", "FROB")


@pytest.mark.parametrize("table", [TABLE_6, TABLE_11], ids=["6", "11"])
def test_what_is_not_exact_is_marked(table) -> None:
    """Only majority and human rows follow from the released files."""
    for label, row in table.items():
        exact = label in ("MAJORITY", "HUMAN")
        for place, cell in enumerate(row):
            if cell != "–" and not (exact and place > 0):
                assert cell.endswith("?"), (label, cell)
