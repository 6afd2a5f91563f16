"""``deixis collect release``: what studies of a collection have made, as a dataset."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from deixis.cli.collect import Place
from deixis.cli.options import Switch
from deixis.cli.show import print_json, table

if TYPE_CHECKING:
    from deixis.collect.items.collected import Collection
    from deixis.collect.store.engine import Store


def release(
    *studies: str,
    out: Path,
    year: int = 2026,
    mode: Literal["live", "test"] = "live",
    finished: Switch = False,
    where: Annotated[Place, Parameter(name="*")] = Place(),
    json: Switch = False,
) -> int:
    """Write the dataset that studies of a collection have made, and look for shortcuts in it.

    Args:
        studies: Files of all studies of the collection.
        out: Folder of the dataset; must not exist.
        year: Of the release.
        mode: What people in earnest made, or previews and simulations.
        finished: Leave out examples that are not judged to their end, instead of waiting for them.
        json: Print one JSON object and nothing else.
    """
    with where.opened() as store:
        made = _collection(store, studies, where.data)
        from deixis.collect.items.collected import collected, contents, summary
        from deixis.collect.items.release import ENDS
        from deixis.collect.items.release import release as write

        found = store.read(collected, made, mode)
        if finished:
            found = replace(found, items=[i for i in found.items if i.state in ENDS])
        counts = write(found, contents(made), out, year=year)
    from deixis.collect.items.release import linted

    told: dict[str, Any] = {
        "schema": "deixis/release/1",
        "collection": made.name,
        "mode": mode,
        "out": str(out),
        "examples": summary(found),
        "counts": counts,
        "costs": found.costs,
        "lint": linted(out),
    }
    print_json(told) if json else _print(told)
    return 1 if told["lint"]["error"] else 0


def _collection(store: Store, studies: tuple[str, ...], data: Path | None) -> Collection:
    from deixis.collect.items.collected import collection
    from deixis.collect.running import run_studies
    from deixis.collect.study import load_study

    running = run_studies(store, [load_study(s) for s in studies], data)
    return collection(list(running.values()))


def _print(told: dict[str, Any]) -> None:
    splits = told["counts"]["splits"]
    rows = [[s, *(str(n[k]) for k in ("sets", "sentences", "examples"))] for s, n in splits.items()]
    table("what was kept", ["split", "sets", "sentences", "examples"], rows)
    table("examples", ["", "n"], [[k, str(n)] for k, n in told["examples"].items()])
    rows = [[r["task"], r["cost"], str(r["workers"])] for r in told["costs"]["rows"]]
    table("what it cost", ["task", "cost", "workers"], rows)
    counts = ", ".join(f"{n} {severity}s" for severity, n in told["lint"].items())
    print(f"{told['out']}: load it by deixis load nlvr2 --data {told['out']}")
    print(f"lint: {counts}; see them by deixis lint nlvr2 --data {told['out']}")
