"""``deixis load``: what a dataset holds, and what is odd about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deixis.cli.options import Switch
from deixis.cli.show import print_json, table
from deixis.dataset import Dataset
from deixis.sources import load as load_source

SHOWN = 20
"""How many ids of an irregularity are listed in JSON."""


def load(source: str, /, *, data: Path | None = None, json: Switch = False) -> None:
    """Load a dataset and print its counts and irregularities.

    Args:
        source: NAME[:SPLIT[+SPLIT]], or a world with options such as
            boxes,told=0.5,sentences=300:test; what it takes is told where one is wrong.
        data: The dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        json: Print one JSON object and nothing else.
    """
    dataset = load_source(source, data)
    said = _said(dataset)
    print_json(said) if json else _print(said)


def _said(dataset: Dataset) -> dict[str, Any]:
    return {
        "schema": "deixis/load/1",
        "dataset": dataset.name,
        "task": dataset.kind,
        "fingerprint": dataset.fingerprint,
        "records": len(dataset),
        "splits": {name: len(ids) for name, ids in dataset.splits.items()},
        "counts": dict(dataset.counts),
        "irregularities": [
            {"what": i.what, "n": len(i.ids), "ids": list(i.ids[:SHOWN]), "where": i.where}
            for i in dataset.irregularities
        ],
    }


def _print(said: dict[str, Any]) -> None:
    print(f"{said['dataset']}: {said['records']} records, fingerprint {said['fingerprint']}")
    counts = [*said["splits"].items(), *said["counts"].items()]
    table("splits and counts", ["", "n"], [[name, f"{n:,}"] for name, n in counts])
    rows = [[i["what"], f"{i['n']:,}", i["ids"][0]] for i in said["irregularities"]]
    if rows:
        table("irregularities", ["", "n", "such as"], rows)
