"""Detections in COCO's format, read and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deixis.errors import BadInput
from deixis.players.statement.detections import Listed, detections, table
from deixis.trials import BLANK, Picture

COCO: dict[str, Any] = {
    "images": [{"id": 1, "file_name": "dev/a.png"}, {"id": 2, "file_name": "b.png"}],
    "categories": [{"id": 7, "name": "Dog"}, {"id": 8, "name": "cat"}],
    "annotations": [
        {"image_id": 1, "category_id": 7, "bbox": [0, 0, 1, 1], "score": 0.9},
        {"image_id": 1, "category_id": 7, "score": 0.5},
        {"image_id": 1, "category_id": 8, "score": 0.49},
    ],
}


def written(folder: Path, **changed: Any) -> Path:
    file = folder / "found.json"
    file.write_text(json.dumps(COCO | changed))
    return file


def test_counts_above_the_least_score(tmp_path: Path) -> None:
    seen = detections(str(written(tmp_path)))
    asked = [Picture("a.png"), Picture("b.png"), BLANK, Picture("a.png", edits=("noise:raw:1",))]
    counts = seen.counts(None, asked)  # type: ignore[arg-type]
    assert counts == [{"dog": 2}, {}, {}, {}]
    assert table(counts, ["cat", "dog"]).tolist() == [[0, 2], [0, 0], [0, 0], [0, 0]]
    assert Listed.read(written(tmp_path), 0.4).known["a.png"] == {"dog": 2, "cat": 1}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"annotations": [{"image_id": 3, "category_id": 7}]}, "annotation 0: no picture"),
        ({"annotations": [{"image_id": 1, "category_id": 7, "score": "high"}]}, "annotation 0"),
        ({"images": [{"id": 1}]}, "expected COCO's format"),
        ({"images": [{"id": i, "file_name": f"{i}/a.png"} for i in (1, 2)]}, "two images of the n"),
        ({"images": [{"id": 1, "file_name": n} for n in "ab"]}, "two images of the id 1"),
    ],
)
def test_broken_files(changed: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=sentence):
        detections(str(written(tmp_path, **changed)))


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="expected maxent-detections:FILE"):
        detections("")
    with pytest.raises(BadInput, match="there is no file"):
        detections(str(tmp_path / "none.json"))
    with pytest.raises(BadInput, match=r"says nothing of the picture c\.png"):
        Listed.read(written(tmp_path)).counts(None, [Picture("c.png")])  # type: ignore[arg-type]
