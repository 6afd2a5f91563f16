"""Let simulated people take part in every study of a server, and say how it went."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from deixis.collect.export.counts import faults, slot_counts
from deixis.collect.export.export import export_study
from deixis.collect.running import Running
from deixis.collect.serving import Opened
from deixis.collect.simulate.browser import chromium
from deixis.collect.simulate.browser import visit as browse
from deixis.collect.simulate.population import Person, population
from deixis.collect.simulate.visits import Tally, Visit, complete, parameters
from deixis.collect.trial_types.dialog import Talk
from deixis.errors import BadInput
from deixis.progress import Progress, quiet
from deixis.web.server import running as beside

AT_ONCE = 32
"""Visits that go on at the same time, without a browser."""


def simulate_all(
    opened: Opened,
    *,
    n: int,
    browser: bool = False,
    seed: int = 0,
    export: Path | None = None,
    progress: Progress = quiet,
) -> dict[str, Any]:
    """Simulate each study of a server; such visits are apart from those in earnest.

    Args:
        opened: the server.
        n: people in each study.
        browser: whether they use a real browser.
        seed: of the people.
        export: folder to export to, one folder for each study.
        progress: told of each visit that has ended.

    Returns:
        The object that ``deixis serve --simulate N --json`` prints.
    """
    said = []
    with beside(opened.app) as url:
        for name, running in opened.server.studies.items():
            started = time.perf_counter()
            tally = Tally()
            run = _browse if browser else _visit
            run(opened, running, url, population(n, seed, name), tally, partial(progress, name))
            seconds = time.perf_counter() - started
            where = None
            if export is not None:
                where = str(export / name)
                export_study(opened.server.store, running, export / name, mode="test")
            store = opened.server.store
            said.append(
                {
                    "study": name,
                    "hash": running.plan.hash,
                    "people": n,
                    "outcomes": dict(sorted(tally.outcomes.items())),
                    "answers": len(tally.acknowledged),
                    "seconds": seconds,
                    "answers_per_second": len(tally.acknowledged) / seconds,
                    "slots": store.read(slot_counts, running.id, "test"),
                    "faults": store.read(faults, running.id, "test"),
                    "export": where,
                }
            )
    return {"schema": "deixis/serve/1", "seed": seed, "browser": browser, "studies": said}


Ended = Callable[[int, int], None]


def _visit(
    opened: Opened,
    running: Running,
    url: str,
    people: Iterable[Person],
    tally: Tally,
    ended: Ended,
) -> None:
    async def go() -> None:
        limit = asyncio.Semaphore(AT_ONCE)
        preview = opened.server.preview(running.study.name)
        async with httpx.AsyncClient(base_url=url, timeout=30) as client:

            async def one(visit: Visit) -> None:
                async with limit:
                    await visit.run()
                    ended(tally.outcomes.total(), len(visits))

            store = opened.server.store
            visits = [Visit(client, store, running, p, tally, preview) for p in people]
            await asyncio.gather(*(one(v) for v in visits))

    complete(go())


def _browse(
    opened: Opened,
    running: Running,
    url: str,
    people: Iterable[Person],
    tally: Tally,
    ended: Ended,
) -> None:
    name, everybody = running.study.name, list(people)
    talks = running.plan.own("dialog").values()
    if any(isinstance(t, Talk) and not t.bot for t in talks):
        raise BadInput(
            f"{name}: simulated people come one by one in a browser, and here two must meet: leave "
            "out --browser, or let a bot take a seat"
        )
    link = f"{url}/study/{name}?preview={opened.server.preview(name)}"
    with chromium() as browser:
        for person in everybody:
            context = browser.new_context()
            given = "".join(f"&{k}={v}" for k, v in parameters(running, person).items())
            try:
                store = opened.server.store
                browse(context.new_page(), link + given, store, running, person, tally)
            finally:
                context.close()
            ended(tally.outcomes.total(), len(everybody))
