"""Files with a vector of each picture, as visual-dialog programs exchange them.

* HDF5 with ``image_id`` and ``features``, of shape (n, d), or (n, regions, d), which is averaged;
* HDF5 with ``images_train``, ``images_val`` or ``images_test``, rows in the order of the list
  ``unique_img_train`` (…) of a JSON file beside it;
* NumPy ``.npz`` with ``image_id`` and ``features``.

Rows are scaled to length 1. The file's hash goes into the dataset's fingerprint: nobody can tell
from a score which features it was made with.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput, extra
from deixis.pictures.vectors import NameStore, VectorStore

Floats32 = NDArray[np.float32]
Ints = NDArray[np.int64]

_ROWS = 4096
"""Rows read at a time."""


def store_of(names: Sequence[str], path: Path | None, dataset: str) -> VectorStore | NameStore:
    """The vectors of these pictures from a file; names alone without one.

    Args:
        names: of the pictures, such as image ids.
        path: of the file.
        dataset: for errors.

    Raises:
        BadInput: the file is missing or of no known form, its length does not fit its ids, it lacks
            a picture or holds one twice, or holds a number that is not finite.
    """
    if path is None:
        return NameStore(names, dataset)
    if not path.is_file():
        raise BadInput(f"--features: there is no file {path}")
    if path.suffix == ".npz":
        return _store(names, path, _arrays(path))
    h5py = extra("h5py", "features")
    try:
        with h5py.File(path, "r") as held:
            return _store(names, path, held)
    except OSError as error:
        raise BadInput(f"{path}: not a readable HDF5 file: {error}") from None


def _arrays(path: Path) -> dict[str, Any]:
    """All arrays of an npz file."""
    try:
        # Opened as an archive, since numpy would take other files of its own for one.
        with zipfile.ZipFile(path), np.load(path) as held:
            return dict(held)
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise BadInput(f"{path}: not a readable npz file: {error}") from None


def image_key(name: object) -> str:
    """What pictures are matched by: the number in their name, else the name.

    >>> image_key("COCO_val2014_000000185565.jpg"), image_key(185565), image_key(b"cat.png")
    ('185565', '185565', 'cat')
    """
    text = name.decode() if isinstance(name, bytes) else str(name)
    stem = text.rpartition("/")[2].partition(".")[0]
    digits = re.findall(r"\d+", stem)
    return str(int(digits[-1])) if digits else stem


def _store(names: Sequence[str], path: Path, held: Mapping[str, Any]) -> VectorStore:
    rows: dict[str, tuple[str, int]] = {}
    for table, ids in _tables(path, held).items():
        if len(held[table]) != len(ids):
            raise BadInput(f"{path}: {len(held[table])} rows of {table} for {len(ids)} pictures")
        for i, one in enumerate(ids):
            if rows.setdefault(image_key(one), (table, i)) != (table, i):
                raise BadInput(f"{path}: two rows for picture {image_key(one)}")
    absent = [n for n in names if image_key(n) not in rows]
    if absent:
        raise BadInput(f"{path}: {len(absent)} pictures have no row, {absent[0]} among them")
    wanted = [rows[image_key(n)] for n in names]
    made = np.empty((len(names), held[wanted[0][0]].shape[-1]), np.float32)
    for table in dict.fromkeys(table for table, _ in wanted):
        places = np.array([i for i, (t, _) in enumerate(wanted) if t == table])
        sources = np.array([row for t, row in wanted if t == table])
        _fill(made, places, held[table], sources)
    broken = ~np.isfinite(made).all(axis=1)
    if broken.any():
        raise BadInput(f"{path}: the vector of {names[int(broken.argmax())]} is not finite")
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    np.divide(made, lengths, out=made, where=lengths > 0)
    return VectorStore(names, made, f"{path.name}, SHA-256 {_hash(path)}")


def _tables(path: Path, held: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    """The ids of each table's rows."""
    if "features" in held and "image_id" in held:
        return {"features": list(held["image_id"][:])}
    tables = [name for name in held if re.fullmatch(r"images_(train|val|test)", name)]
    if not tables:
        raise BadInput(
            f"{path}: expected image_id and features, or images_train, images_val or images_test; "
            f"it holds {', '.join(sorted(held)) or 'nothing'}"
        )
    lists: dict[str, Any] = {}
    for beside in sorted(path.parent.glob("*.json")):
        with beside.open("rb") as file:
            found = json.load(file)
        lists |= found if isinstance(found, dict) else {}
    made = {}
    for table in tables:
        ids = lists.get(table.replace("images_", "unique_img_"))
        if ids is None:
            raise BadInput(
                f"{path}: no JSON file beside it says which pictures the rows of {table} are: "
                f"expected a list {table.replace('images_', 'unique_img_')}"
            )
        made[table] = ids
    return made


def _fill(
    made: Floats32, places: NDArray[np.int64], table: Any, sources: NDArray[np.int64]
) -> None:
    """Copy rows, a few at a time and in the file's order."""
    order = np.argsort(sources)
    for start in range(0, len(order), _ROWS):
        some = order[start : start + _ROWS]
        rows = np.asarray(table[sources[some]], np.float32)
        made[places[some]] = rows if rows.ndim == 2 else rows.mean(axis=1)


def _hash(path: Path) -> str:
    total = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            total.update(block)
    return total.hexdigest()
