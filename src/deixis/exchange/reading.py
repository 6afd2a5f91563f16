"""Which tool a log is of, by what it holds; and the log itself."""

from __future__ import annotations

from pathlib import Path

from deixis import registry
from deixis.errors import BadInput
from deixis.exchange.log import How, Log
from deixis.reading import json_lines, need_file

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
    need_file(path)
    log: Log = registry.find("exchange", tool_of(path), "reader")(path, how)
    return log


def tool_of(path: Path) -> str:
    """The reader's name for a file.

    Raises:
        BadInput: no tool writes files of that suffix, or the first line is broken.
    """
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
    return " ".join(next((row for _, row in json_lines(path)), {}))


def _has_prediction(path: Path) -> bool:
    from deixis.datasets.tables import rows

    _, cells = next(rows.read(path), ("", {}))
    return {"index", "prediction"} <= set(cells)
