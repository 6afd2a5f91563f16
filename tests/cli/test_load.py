from __future__ import annotations

from pathlib import Path


def test_counts_and_irregularities_as_json(deixis, data: Path) -> None:
    said = deixis("load", "kilogram", "--data", data, "--json").json
    assert said["records"] == 5457
    assert said["splits"] == {"dense": 3971, "dev": 1250, "val": 236, "dense10": 741}
    assert said["counts"]["pictures"] == 1013
    met = {i["what"]: i for i in said["irregularities"]}
    assert met["a part is UNKNOWN"]["n"] == 132
    assert len(met["a part is UNKNOWN"]["ids"]) == 20
    assert met["the split lists a tangram that was removed"]["ids"] == [
        "page4-170", "page6-51", "page6-66",
    ]  # fmt: skip


def test_some_splits(deixis, data: Path) -> None:
    said = deixis("load", "kilogram:val+dense10", "--data", data, "--json").json
    assert said["records"] == 236 + 741
    assert list(said["splits"]) == ["val", "dense10"]


def test_for_people(deixis, data: Path) -> None:
    shown = deixis("load", "kilogram", "--data", data)
    assert "kilogram: 5457 records, fingerprint " in shown.out
    assert "│ pictures          │ 1,013 │" in shown.out
    assert "the action log does not lead to the final names" in shown.out
    assert "irregularities" not in deixis("load", "figures").out, "there are none"


def test_mistakes(refused, tmp_path: Path) -> None:
    assert "no source 'kilo'" in refused("load", "kilo")
    assert "no split 'tset'" in refused("load", "figures:tset")
    assert "found no kilogram data" in refused("load", "kilogram", "--data", tmp_path)
    (tmp_path / "dense.json").write_text("{}")
    (tmp_path / "tangrams-svg").mkdir()
    (tmp_path / "tangrams-svg/page1-1.svg").write_text("<svg/>")
    (tmp_path / "dense.json").write_text('{"page1-1": 3}')
    said = refused("load", "kilogram", "--data", tmp_path)
    assert said.endswith("dense.json: page1-1 has no list of annotations")
