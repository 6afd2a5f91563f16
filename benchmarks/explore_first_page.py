"""Seconds to the first page of 100,000 trials, against reading the cells whole for every page.

    python benchmarks/explore_first_page.py

Both are asked for the same page: what an intervention changed, most lost first. The other way is
the obvious one: read both cells with `deixis.runs.columns.read`, filter, sort, take 24.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from deixis.explore.app import make_app
from deixis.explore.opened import open_all
from deixis.explore.seat import Seat
from deixis.outcomes import Outcomes
from deixis.players.protocols import Learner
from deixis.runs import columns
from deixis.runs.cell import Cell
from deixis.runs.folder import RunFolder
from deixis.runs.play import play
from deixis.runs.prepare import build
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.web.address import Address

TRIALS = 100_000
CONDITION = "color=drop"
LINK = f"/?under={CONDITION}&show=changed&order=effect".replace("color=", "color%3D")


def many(task: Task, outcomes: Outcomes, n: int) -> tuple[Task, Outcomes]:
    """The trials and outcomes again and again, under new ids, until there are n."""
    times = -(-n // len(task))
    trials = [replace(t, id=f"{t.id}/{i}") for i in range(times) for t in task.trials][:n]
    grown = replace(task, trials=tuple(trials), memo={})
    held: dict[str, Any] = {
        name: np.concatenate([value] * times)[:n]
        for name, value in vars(outcomes).items()
        if isinstance(value, np.ndarray)
    }
    return grown, replace(outcomes, **held | {"ids": np.array([t.id for t in trials])})


def seconds(work: Callable[[], object], times: int = 5) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return median(taken)


def whole(cells: dict[str, Path]) -> None:
    base, other = (columns.read(cells[c]) for c in ("", CONDITION))
    lost = np.where(base.choice != other.choice, base.credit - other.credit, -np.inf)
    np.argsort(-lost, kind="stable")[:24]


def main() -> None:
    small = make(load("figures", variants=2), "figures")
    player = build("planted:whole=0.3,parts*color=0.4", small)
    assert not isinstance(player, Learner)
    ran = play(small, player, [CONDITION])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        run = RunFolder(path)
        cells: dict[str, Path] = {}
        for condition, (outcomes,) in ran.outcomes.items():
            task, grown = many(small, outcomes, TRIALS)
            if not cells:
                run.open({"condition": "", "trials": len(task)})
            cell = Cell(player.name, player.revision, condition, grown.seeds)
            run.write(cell, grown)
            cells[condition] = path / "cells" / f"{cell.digest}.parquet"
        run.close()
        start = time.perf_counter()
        opened = open_all(task, Seat("", None), run=path, cache=Path(folder) / "cache")
        print(f"index of {len(task):,} trials: {time.perf_counter() - start:.1f} s, once")
        client = TestClient(make_app(opened, Address()), base_url="http://localhost")

        def ask(link: str) -> None:
            assert client.get(link, headers={"accept": "text/html"}).status_code == 200

        start = time.perf_counter()
        ask("/")
        first = time.perf_counter() - start
        start = time.perf_counter()
        ask(LINK)
        asked = time.perf_counter() - start
        again = seconds(lambda: ask(LINK.replace("/?", "/?page=40&")))
        trial = task.trials[70_000].id
        full = seconds(lambda: ask(f"/trial?id={trial}"))
        other = seconds(lambda: whole(cells), 3)
    print(f"first page ever: {1000 * first:.0f} ms")
    print(f"what {CONDITION} changed, most lost first: {1000 * asked:.0f} ms")
    print(f"the same, page 40: {1000 * again:.0f} ms")
    print(f"one trial in full: {1000 * full:.0f} ms")
    print(f"reading both cells whole: {1000 * other:.0f} ms, {other / asked:.0f} times as long")


if __name__ == "__main__":
    main()
