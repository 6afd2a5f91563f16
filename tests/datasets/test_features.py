"""Files of features in every form that programs exchange, and broken ones."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from deixis.datasets import features
from deixis.datasets.features import image_key, store_of
from deixis.errors import BadInput
from deixis.pictures.vectors import NameStore, VectorStore

TABLE = np.array([[3, 4], [0, 2], [5, 0]], np.float32)


def h5(path: Path, **tables: Any) -> Path:
    with h5py.File(path, "w") as file:
        for name, values in tables.items():
            file[name] = values
    return path


def vectors(path: Path, *names: str) -> list[list[float]]:
    store = store_of(names, path, "visdial")
    assert isinstance(store, VectorStore)
    made: list[list[float]] = store.vectors([store.picture(n) for n in names]).tolist()
    return made


def test_ids_and_features(tmp_path: Path) -> None:
    path = h5(tmp_path / "f.h5", image_id=[30, 10, 20], features=TABLE)
    assert vectors(path, "10", "30", "20") == [
        [0, 1],
        [0.6000000238418579, 0.800000011920929],
        [1, 0],
    ]


def test_regions_are_averaged(tmp_path: Path) -> None:
    regions = np.stack([TABLE, TABLE * 3], axis=1)
    path = h5(
        tmp_path / "f.h5", image_id=["a/COCO_000030.jpg", "10.jpg", "20.png"], features=regions
    )
    assert vectors(path, "20", "10") == [[1, 0], [0, 1]]


def test_rows_in_the_order_of_a_list_beside(tmp_path: Path) -> None:
    path = h5(tmp_path / "f.h5", images_train=TABLE[:2], images_val=TABLE[2:])
    beside = {"unique_img_train": ["30.jpg", "10.jpg"], "unique_img_val": ["20.jpg"]}
    (tmp_path / "params.json").write_text(json.dumps(beside), "utf-8")
    assert vectors(path, "20", "10") == [[1, 0], [0, 1]]


def test_numpy_files(tmp_path: Path) -> None:
    np.savez(tmp_path / "f.npz", image_id=np.array(["cat", "dog"]), features=TABLE[1:])
    assert vectors(tmp_path / "f.npz", "dog") == [[1, 0]]


def test_many_rows_are_read_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(features, "_ROWS", 3)
    table = np.random.default_rng(0).normal(size=(11, 4)).astype(np.float32)
    path = h5(tmp_path / "f.h5", image_id=np.arange(11), features=table)
    names = [str(i) for i in (9, 0, 10, 4, 5, 1, 2)]
    expected = table[[int(n) for n in names]]
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(vectors(path, *names), expected)


def test_the_hash_of_the_file_is_recorded(tmp_path: Path) -> None:
    path = h5(tmp_path / "f.h5", image_id=[1], features=TABLE[:1])
    about = store_of(["1"], path, "visdial").about
    assert hashlib.sha256(path.read_bytes()).hexdigest() in about


def test_without_a_file_names_alone() -> None:
    assert isinstance(store_of(["1"], None, "visdial"), NameStore)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"image_id": [1, 2], "features": TABLE}, "3 rows of features for 2 pictures"),
        ({"image_id": [4, 5, 6], "features": TABLE}, "2 pictures have no row, 1 among them"),
        ({"image_id": [1, 2, 3], "features": TABLE * np.nan}, "vector of 1 is not finite"),
        ({"image_id": [1, 2, 1], "features": TABLE}, "two rows for picture 1"),
        ({"images": TABLE}, "expected image_id and features"),
        ({"images_val": TABLE}, "expected a list unique_img_val"),
    ],
)
def test_a_broken_file_is_named(tables: Any, message: str, tmp_path: Path) -> None:
    path = h5(tmp_path / "f.h5", **tables)
    with pytest.raises(BadInput, match=message):
        store_of(["1", "2"], path, "visdial")


def test_no_such_file_and_no_such_form(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        store_of(["1"], tmp_path / "none.h5", "visdial")
    (tmp_path / "f.h5").write_text("text")
    with pytest.raises(BadInput, match="not a readable HDF5 file"):
        store_of(["1"], tmp_path / "f.h5", "visdial")


@pytest.mark.parametrize("content", [b"text", b"", b"PK\x03\x04cut"])
def test_an_npz_file_that_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "f.npz").write_bytes(content)
    with pytest.raises(BadInput, match=r"f\.npz: not a readable npz file: "):
        store_of(["1"], tmp_path / "f.npz", "visdial")


def test_pictures_are_matched_by_number() -> None:
    assert image_key("VisualDialog_val2018_000000000042.jpg") == image_key(42) == "42"
