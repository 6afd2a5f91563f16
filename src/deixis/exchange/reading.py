"""Which tool a log is of, by what it holds; and the log itself."""

from __future__ import annotations

import json
from pathlib import Path

from deixis import registry
from deixis.errors import BadInput
from deixis.exchange.log import How, Log

PLAIN = How()
"""The first known score, and every item a cluster of its own."""

TABLES = (".csv", ".parquet", ".tsv", ".xlsx")


def read_log(path: Path, how: How = PLAIN) -> Log:
    """Read a log of Inspect, lm-eval, lmms-eval, VLMEvalKit, or a plain table.

    Args:
        path: of the file; what it is shows in its suffix and its first line.
        how: which metric, which clusters.

    Raises:
        BadInput: the file is missing, of another kind, or broken.
    """
    if not path.is_file():
        raise BadInput(f"there is no file {path}")
    log: Log = registry.find("exchange", tool_of(path), "reader")(path, how)
    return log


def tool_of(path: Path) -> str:
    """The reader's name for a file."""
    suffix = path.suffix.lower()
    if suffix == ".eval":
        return "inspect"
    if suffix == ".json":
        return "inspect"
    if suffix == ".jsonl":
        return "harness" if "doc_id" in _first(path) else "table"
    if suffix in TABLES:
        return "vlmevalkit" if _has_prediction(path) else "table"
    raise BadInput(f"{path}: expected a log: .eval, .json, .jsonl, {', '.join(TABLES)}")


def _first(path: Path) -> str:
    """The keys of the first row of a file of JSON lines."""
    with path.open(encoding="utf-8", errors="replace") as file:
        line = next((text for text in file if text.strip()), "{}")
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        return ""
    return " ".join(row) if isinstance(row, dict) else ""


def _has_prediction(path: Path) -> bool:
    from deixis.datasets.tables import rows

    _, cells = next(rows.read(path), ("", {}))
    return {"index", "prediction"} <= set(cells)
