"""Rows in a file."""

from __future__ import annotations

import json
from pathlib import Path

from deixis.training.log import JsonLines, Log


def test_rows_are_appended(tmp_path: Path) -> None:
    log: Log = JsonLines(tmp_path / "deep" / "log.jsonl")
    log.log({"step": 1, "loss": 0.5})
    JsonLines(tmp_path / "deep" / "log.jsonl").log({"step": 2, "loss": 0.25})
    rows = (tmp_path / "deep" / "log.jsonl").read_text().splitlines()
    assert [json.loads(r)["loss"] for r in rows] == [0.5, 0.25]
