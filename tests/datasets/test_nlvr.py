"""NLVR as released: every count of the dossier, structures from pixels, and broken files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deixis.dataset import Dataset
from deixis.datasets.nlvr import nlvr
from deixis.errors import BadInput
from deixis.pictures.archive import Archive, open_picture
from deixis.pictures.scene import decode, draw_scene, is_tower, scene
from deixis.sources import load

BOX = [{"x_loc": 80, "y_loc": 0, "size": 20, "type": "circle", "color": "#0099ff"}]
RAW = {
    "identifier": "12-3",
    "sentence": "There is a circle",
    "label": "true",
    "structured_rep": [BOX, [], []],
    "evals": {"r0": "true", "r1": "nonsense"},
    "directory": "4",
}


@pytest.fixture(scope="module")
def dataset(data: Path) -> Dataset:
    return load("nlvr", data)


def written(folder: Path, *records: Any, name: str = "test.json") -> Path:
    (folder / name).write_text("\n".join(json.dumps(r) for r in records))
    return folder


def test_one_record(tmp_path: Path) -> None:
    dataset = nlvr(written(tmp_path, RAW))
    (record,) = dataset.records.values()
    assert (record.id, record.set, record.group, record.directory) == ("12-3", "12", "12--0", "4")
    assert [(j.worker, j.said) for j in record.said("eval")] == [("r0", True), ("r1", None)]
    assert len(record.pictures) == 6
    store: Any = dataset.store
    # picture 4 shows the boxes 2, 0, 1: the circle stands in the middle
    assert [len(b) for b in store.scene("test-12-3-4.png")] == [0, 1, 0]
    assert store.scene("test-12-3-0.png")[0][0].walls == {"top", "right"}


def test_counts_of_the_release(dataset: Dataset) -> None:
    sizes = {s: len(ids) for s, ids in dataset.splits.items()}
    assert sizes == {"dev": 989, "test": 990, "train-sample": 1000}
    expected = {"dev: groups": 267, "dev: sentences": 249, "test: groups": 266}
    expected |= {"test: sentences": 247, "train-sample: sentences": 775}
    assert {k: dataset.counts[k] for k in expected} == expected
    sample = [dataset.records[i].label for i in dataset.splits["train-sample"]]
    assert (sum(sample), len(sample)) == (587, 1000)
    assert len(dataset.extras["sentences"]) == 2230


@pytest.mark.parametrize(
    ("split", "votes", "towers", "things"),
    [
        ("dev", (2685, 2197, 63), 676, 8876),
        ("test", (2740, 2156, 54), 712, 8860),
    ],
)
def test_votes_kinds_and_things(
    dataset: Dataset, split: str, votes: tuple[int, ...], towers: int, things: int
) -> None:
    records = [dataset.records[i] for i in dataset.splits[split]]
    counted = Counter(j.said for r in records for j in r.judgments)
    assert (counted[True], counted[False], counted[None]) == votes
    store: Any = dataset.store
    scenes = [store.scene(r.pictures[0][0]) for r in records]
    assert sum(map(is_tower, scenes)) == towers
    assert sum(len(box) for s in scenes for box in s) == things
    # the label is the majority of the votes, everywhere
    odd = [i for i in dataset.irregularities if "majority" in i.what]
    assert not odd


def decoded(dataset: Dataset, data: Path, every: int) -> int:
    """How many dev pictures were decoded, each exactly to its record's structure."""
    files = Archive(data / "nlvr" / "dev_images.zip")
    assert len(files) == 5934
    store: Any = dataset.store
    names = [left for i in dataset.splits["dev"] for left, _ in dataset.records[i].pictures]
    for left in names[::every]:
        assert decode(open_picture(files[left], left)) == store.scene(left), left
    return len(names[::every])


def test_dev_pictures_are_decoded_exactly(dataset: Dataset, data: Path) -> None:
    """The short form; 19 and 6 have no common factor, so all permutations are among them."""
    assert decoded(dataset, data, 19) == 313


@pytest.mark.long
def test_every_dev_picture_is_decoded_exactly(dataset: Dataset, data: Path) -> None:
    assert decoded(dataset, data, 1) == 5934


def test_drawn_pictures_look_like_the_files(dataset: Dataset, data: Path) -> None:
    files = Archive(data / "nlvr" / "dev_images.zip")
    store: Any = dataset.store
    for name in list(files)[::200]:
        drawn, real = draw_scene(store.scene(name)).astype(int), open_picture(files[name], name)
        assert abs(drawn - real).mean() < 0.1
        assert abs(drawn - real).max() <= 40


def test_the_sample_comes_from_its_pictures(dataset: Dataset) -> None:
    store: Any = dataset.store
    record = dataset.records["2321-0"]
    assert record.pictures == (("train-2321-0-4.png", ""),)
    assert all(1 <= len(box) <= 8 for box in store.scene("train-2321-0-4.png"))


def test_pixels_come_from_the_file_or_are_drawn(tmp_path: Path) -> None:
    store: Any = nlvr(written(tmp_path, RAW)).store
    picture = store.picture("test-12-3-0.png")
    drawn = store.native(picture)
    assert drawn.shape == (100, 400, 3)
    assert (drawn == draw_scene(scene(RAW["structured_rep"]))).all()  # type: ignore[arg-type]
    (tmp_path / "test/images/0").mkdir(parents=True)
    Image.new("RGB", (400, 100), "red").save(tmp_path / "test/images/0/test-12-3-0.png")
    store = nlvr(tmp_path).store
    assert store.native(store.picture("test-12-3-0.png"))[0, 0].tolist() == [255, 0, 0]
    assert store.pixels(store.picture("test-12-3-1.png"), 64).shape == (64, 64, 3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"identifier": "dev-1-2"}, "no identifier"),
        ({"label": "True"}, "neither true nor false"),
        ({"structured_rep": [BOX]}, "not in NLVR's form"),
        ({"structured_rep": [[{**BOX[0], "color": "red"}], [], []]}, "'red'"),
        ({"evals": {"r0": "perhaps"}}, "'perhaps'"),
    ],
)
def test_broken_records_are_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said) as error:
        nlvr(written(tmp_path, RAW | {"identifier": "1-0"}, RAW | change))
    assert "test.json:2" in str(error.value)


def test_repeated_and_missing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="12-3 stands there twice"):
        nlvr(written(tmp_path, RAW, RAW))
    written(tmp_path, RAW)
    sample = {"sentence": "x", "identifier": "3-1", "permutation": 2, "label": "true"}
    written(tmp_path, sample, name="train_sample.jsonl")
    with pytest.raises(BadInput, match=r"train-3-1-2\.png is missing"):
        nlvr(tmp_path)
    written(tmp_path, {**sample, "permutation": None, "label": 1}, name="train_sample.jsonl")
    with pytest.raises(BadInput, match=r"train_sample.jsonl:1: not in the sample's form"):
        nlvr(tmp_path)


def test_where_train_is_there_the_sample_adds_nothing(tmp_path: Path) -> None:
    written(tmp_path, RAW)
    written(tmp_path, RAW | {"identifier": "3-1"}, name="train.json")
    sample = {"sentence": "x", "identifier": "3-1", "permutation": 2, "label": "true"}
    written(tmp_path, sample, name="train_sample.jsonl")
    (tmp_path / "train_sample_images").mkdir()
    (tmp_path / "train/images").mkdir(parents=True)
    Image.new("RGB", (400, 100)).save(tmp_path / "train/images/train-3-1-2.png")
    dataset = nlvr(tmp_path)
    assert set(dataset.splits) == {"train", "test"}
