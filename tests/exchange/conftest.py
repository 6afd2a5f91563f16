"""Logs as other tools write them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MISSING = object()


def inspect_log(
    path: Path, scores: Mapping[Any, Any], *, epochs: int = 1, summaries: bool = True
) -> Path:
    """Write a log of Inspect; a score of None is a sample that failed."""
    header = {
        "version": 2,
        "eval": {"model": "openai/some", "task": "vqa", "dataset": {"name": "my-vqa"}},
    }
    samples = [
        {
            "id": name,
            "epoch": epoch,
            "choices": ["cat", "dog"],
            "target": "A",
            "metadata": {"picture": f"p{int(name) // 2}"},
            "scores": {} if value is None else {"choice": {"value": value, "answer": "A"}},
            **({"error": {"message": "broken"}} if value is None else {}),
        }
        for epoch in range(1, epochs + 1)
        for name, value in scores.items()
    ]
    if path.suffix == ".json":
        path.write_text(json.dumps({**header, "samples": samples}))
        return path
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        if summaries:
            archive.writestr("summaries.json", json.dumps(samples))
        for sample in samples:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
    return path


def harness_log(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write a log of lm-eval or lmms-eval."""
    lines = [
        {
            "doc_id": i,
            "doc": {"question": "?", "choices": ["a", "b", "c", "d"], "image_id": f"p{i // 2}"},
            "target": "1",
            "filtered_resps": ["b"],
            "filter": "none",
            "doc_hash": f"h{i}",
            **row,
        }
        for i, row in enumerate(rows)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
