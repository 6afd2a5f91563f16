"""NLVR2 as released: every count of the dossier, every quirk, and broken files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from deixis.dataset import Dataset, Statement
from deixis.datasets.nlvr2 import nlvr2
from deixis.errors import BadInput
from deixis.sources import load

RAW = {
    "identifier": "dev-7-2-1",
    "sentence": "Two dogs.",
    "label": "True",
    "left_url": "http://a/1.jpg",
    "right_url": "http://a/2.jpg",
    "writer": "61",
    "validation": {"5": "True"},
    "extra_validations": {"61": "True", "7": "False"},
    "synset": "dog",
    "query": "two dogs3",
}


@pytest.fixture(scope="module")
def dataset(data: Path) -> Dataset:
    return load("nlvr2", data)


def written(folder: Path, *records: Any, name: str = "test1.json") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("\n".join(json.dumps(r) for r in records))
    return folder


def changed(**fields: Any) -> dict[str, Any]:
    return {**RAW, **fields}


def test_one_record_holds_every_field(tmp_path: Path) -> None:
    (record,) = nlvr2(written(tmp_path, RAW)).records.values()
    assert (record.id, record.sentence, record.label) == ("dev-7-2-1", "Two dogs.", True)
    assert (record.set, record.pair, record.sentence_id) == ("dev-7", "dev-7-2", "1")
    assert record.pictures == (("dev-7-2-img0.png", "dev-7-2-img1.png"),)
    assert (record.writer, record.synset, record.query) == ("61", "dog", "two dogs3")
    assert record.urls == ("http://a/1.jpg", "http://a/2.jpg")
    assert [(j.worker, j.said) for j in record.said("validation")] == [("5", True)]
    assert [(j.worker, j.said) for j in record.said("extra")] == [("61", True), ("7", False)]


def test_counts_of_the_release(dataset: Dataset) -> None:
    assert {s: len(ids) for s, ids in dataset.splits.items()} == {"dev": 6982, "test1": 6967}
    expected = {"groups": 2018, "sentences": 2004, "sets": 1054, "pairs": 4051}
    expected |= {"distinct pictures": 8071, "writers": 74}
    assert {k: dataset.counts[f"dev: {k}"] for k in expected} == expected
    expected = {"groups": 1995, "sentences": 1987, "sets": 1052, "pairs": 4041}
    expected |= {"distinct pictures": 8056, "writers": 74}
    assert {k: dataset.counts[f"test1: {k}"] for k in expected} == expected


@pytest.mark.parametrize(
    ("split", "what", "count"),
    [
        ("dev", "the writer is the first validator", 676),
        ("test1", "the writer is the first validator", 663),
        ("dev", "the writer is among the extra validators", 1216),
        ("test1", "the writer is among the extra validators", 1173),
        ("dev", "the first validator judged again", 1396),
        ("test1", "the first validator judged again", 1378),
        ("dev", "fewer than four extra validations", 112),
        ("test1", "fewer than four extra validations", 126),
        ("dev", "most extra validations contradict the label", 1),
    ],
)
def test_irregularities(dataset: Dataset, split: str, what: str, count: int) -> None:
    (found,) = [i for i in dataset.irregularities if i.what == what]
    assert len([i for i in found.ids if i.startswith(f"{split}-")]) == count


def test_irregular_names(dataset: Dataset) -> None:
    found = {i.what: i.ids for i in dataset.irregularities}
    assert found["most extra validations contradict the label"] == ("dev-88-1-0",)
    records: dict[str, Statement] = dict(dataset.records)
    shared = [records[i] for i in found["the same sentence in several groups"]]
    for split, strings, groups in (("dev", 11, 25), ("test1", 8, 16)):
        own = [r for r in shared if r.split == split]
        assert (len({r.sentence for r in own}), len(own)) == (strings, groups)
    urls: dict[tuple[str, str], set[str]] = {}
    for r in records.values():
        for name, url in zip(r.pictures[0], r.urls or (), strict=True):
            urls.setdefault((r.split, url), set()).add(name)
    surplus = {"dev": 0, "test1": 0}
    for (split, _), names in urls.items():
        surplus[split] += len(names) - 1
    assert surplus == {"dev": 31, "test1": 26}
    assert len(found["one pair in both orders"]) == 2
    double = {records[i].sentence for i in found["the sentence holds a double space"]}
    dev = {records[i].sentence for i in dataset.splits["dev"]}
    assert len(double & dev) == 19


def test_balanced_subsets_equal_the_released_files(dataset: Dataset, data: Path) -> None:
    for name in ("balanced", "unbalanced"):
        released = set()
        for split in ("dev", "test1"):
            content = (data / "nlvr2" / f"{name}_{split}.json.gz").read_bytes()
            lines = gzip.decompress(content).splitlines()
            released |= {json.loads(line)["identifier"] for line in lines}
        assert set(dataset.extras["subsets"][name]) == released


def test_phenomena(dataset: Dataset) -> None:
    subsets = dataset.extras["subsets"]
    expected = {"hard cardinality": 1206, "soft cardinality": 656, "existential quantifier": 669}
    expected |= {"universal quantifier": 477, "coordination": 948, "coreference": 423}
    expected |= {"spatial relation": 1375, "comparison": 232, "presupposition": 568}
    expected |= {"negation": 274, "cc ambiguity": 101, "pp ambiguity": 322, "sbar ambiguity": 52}
    assert {n: len(ids) for n, ids in subsets.items() if "balanced" not in n} == expected
    true = [dataset.records[i].label for i in subsets["sbar ambiguity"]]
    assert 100 * sum(true) / len(true) == pytest.approx(55.77, abs=0.005)


def test_two_names_of_one_address_are_one_picture(dataset: Dataset) -> None:
    (shared,) = [
        i for i in dataset.irregularities if i.what == "one address under several picture names"
    ]
    records = [dataset.records[i] for i in shared.ids[:2]]
    one, other = (dict(zip(r.urls, r.pictures[0], strict=True)) for r in records)
    (url,) = one.keys() & other.keys()
    assert one[url] != other[url]
    assert dataset.store.picture(one[url]).content == dataset.store.picture(other[url]).content


def test_a_split_hears_of_its_own_records_only(dataset: Dataset) -> None:
    dev = dataset.select("dev")
    assert all(i in dev.records for met in dev.irregularities for i in met.ids)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (changed(identifier="dev-7-2"), "no identifier"),
        (changed(label="Maybe"), "neither True nor False"),
        (changed(label=2), "neither True nor False"),
        ({k: v for k, v in RAW.items() if k != "sentence"}, "'sent'"),
        (changed(extra_validations={"1": "yes"}), "'yes'"),
        (changed(validation=["1"]), "not in NLVR2's form"),
        ([1], "expected an object"),
    ],
)
def test_broken_records_are_named(tmp_path: Path, record: Any, said: str) -> None:
    folder = written(tmp_path, RAW | {"identifier": "dev-1-0-0"}, record)
    with pytest.raises(BadInput, match=said) as error:
        nlvr2(folder)
    assert "test1.json:2" in str(error.value)


def test_a_repeated_identifier_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="dev-7-2-1 stands there twice"):
        nlvr2(written(tmp_path, RAW, RAW))


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "test1.json").write_text(json.dumps(RAW) + "\n{oops\n")
    with pytest.raises(BadInput, match=r"test1\.json:2:2: no JSON"):
        nlvr2(tmp_path)
    (tmp_path / "test1.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(BadInput, match=r"test1\.json:1: not UTF-8 at byte 7"):
        nlvr2(tmp_path)


def test_files_made_by_lxmert(tmp_path: Path) -> None:
    raw = {
        "identifier": "dev-7-2-1",
        "img0": "a",
        "img1": "b",
        "label": 0,
        "sent": "Two.",
        "uid": 1,
    }
    (tmp_path / "valid.json").write_text(json.dumps([raw]))
    (tmp_path / "annotated_dev_examples.txt").write_text("Two.\n* negation\n\n")
    dataset = nlvr2(tmp_path)
    (record,) = dataset.records.values()
    assert (record.sentence, record.label, record.urls) == ("Two.", False, None)
    assert dataset.extras["subsets"]["negation"] == ("dev-7-2-1",)
    assert dataset.splits == {"dev": ("dev-7-2-1",)}


def test_files_made_by_blip(tmp_path: Path) -> None:
    images = ["dev/dev-7-0-img0.png", "dev/dev-7-0-img1.png"]
    other = ["dev/dev-7-1-img0.png", "dev/dev-7-1-img1.png"]
    raw = [
        {"sentence": "One.", "label": "True", "images": images},
        {"sentence": "Two.", "label": "True", "images": images},
        {"sentence": "One.", "label": "False", "images": other},
    ]
    (tmp_path / "nlvr_dev.json").write_text(json.dumps(raw))
    (tmp_path / "annotated_dev_examples.txt").write_text("")
    dataset = nlvr2(tmp_path)
    assert list(dataset.records) == ["dev-7-0-0", "dev-7-0-1", "dev-7-1-0"]
    assert dataset.records["dev-7-1-0"].group == dataset.records["dev-7-0-0"].group
    (tmp_path / "nlvr_dev.json").write_text(json.dumps([{**raw[0], "images": ["x.png"]}]))
    with pytest.raises(BadInput, match=r"'x.png' is no picture of NLVR2"):
        nlvr2(tmp_path)


def test_photographs_beside(tmp_path: Path) -> None:
    from PIL import Image

    folder = written(tmp_path, RAW)
    store = nlvr2(folder).store
    with pytest.raises(BadInput, match=r"dev-7-2-img0\.png is not there"):
        store.pixels(store.picture("dev-7-2-img0.png"))
    (folder / "images/dev").mkdir(parents=True)
    Image.new("RGB", (30, 20), "red").save(folder / "images/dev/dev-7-2-img0.png", "JPEG")
    store = nlvr2(folder).store
    assert store.present == 1  # type: ignore[attr-defined]
    pixels = store.pixels(store.picture("dev-7-2-img0.png"), 30)
    assert pixels.shape == (30, 30, 3)
    assert pixels[15, 15, 0] > 250
    assert pixels[15, 15, 1] < 5
    assert pixels[0, 0].tolist() == [255, 255, 255]
