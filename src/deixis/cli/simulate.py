"""``deixis simulate``: whole collections with simulated people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cyclopts import App

from deixis.cli.options import Switch
from deixis.cli.show import print_json, progress, table
from deixis.errors import BadInput, extra

simulate = App("simulate", help="Collect a dataset with simulated people.")


@simulate.command
def collection(
    *, out: Path, pictures: int = 500, seed: int = 0, year: int = 2026, json: Switch = False
) -> None:
    """Collect statements about pairs of made pictures, from search to a release.

    Args:
        out: Folder for pictures and release; must not exist.
        pictures: How many there are to begin with.
        seed: Of pictures and workers.
        year: Of the release.
        json: Print one JSON object and nothing else.
    """
    extra("pydantic", "collect")
    from deixis.collect.simulate.collection import simulate_collection

    if pictures < 1:
        raise BadInput(f"--pictures: expected at least 1, got {pictures}")
    with progress() as told:
        said = simulate_collection(out, pictures=pictures, seed=seed, year=year, progress=told)
    print_json(said) if json else _print(said)


def _print(said: dict[str, Any]) -> None:
    splits = said["counts"]["splits"]
    rows = [[s, *(str(n[k]) for k in ("sets", "sentences", "examples"))] for s, n in splits.items()]
    table("what was kept", ["split", "sets", "sentences", "examples"], rows)
    rows = [[r["task"], r["cost"], str(r["workers"])] for r in said["costs"]["rows"]]
    table("what it cost", ["task", "cost", "workers"], rows)
    rows = [[what, str(n)] for what, n in said["decisions"].items()]
    table("every decision", ["step, what: why", "n"], rows)
    counts = ", ".join(f"{n} {severity}s" for severity, n in said["lint"].items())
    print(f"lint: {counts}")
    print(f"{said['release']}: load it by deixis load nlvr2 --data {said['release']}")
