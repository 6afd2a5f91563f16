"""Visits through the server's interface: what a browser sends, without a browser."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from deixis.collect.platforms.generic import Generic
from deixis.collect.running import Running
from deixis.collect.simulate.population import Person, answered
from deixis.collect.simulate.talking import Mind, talk
from deixis.collect.store.engine import Store

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds for which a simulated browser tries again."""


def complete(work: Coroutine[Any, Any, T]) -> T:
    """Run asynchronous work to its end, in a thread of its own: this one may have a loop already.

    >>> complete(asyncio.sleep(0, "done"))
    'done'
    """
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, work).result()


def parameters(running: Running, person: Person) -> dict[str, str]:
    """What the link of a simulated person says, where the platform is any panel with an id."""
    panel = running.platform
    return {panel.person: f"simulated-{person.number}"} if isinstance(panel, Generic) else {}


@dataclass
class Tally:
    """What came of simulated visits.

    Attributes:
        outcomes: how many ended in which way; ``left`` for those who just went away.
        acknowledged: final answers that the server said are saved, as (step, key, response).
        waits: seconds that requests took.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    acknowledged: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)


class Visit:
    """One person's browser: it tries again until it is told, with the same key.

    Args:
        client: to the server.
        store: to look up what the person would see.
        running: the study.
        person: who it is.
        tally: where results go.
        preview: the signature by which the visit does not count; empty for a visit that does.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        store: Store,
        running: Running,
        person: Person,
        tally: Tally,
        preview: str = "",
    ) -> None:
        self.client, self.store, self.running = client, store, running
        self.person, self.tally, self.preview = person, tally, preview
        self.token = secrets.token_hex(16)
        self.minds: dict[str, Mind] = {}

    async def run(self) -> None:
        """From the link to the end."""
        here = {"parameters": parameters(self.running, self.person), "preview": self.preview}
        state = await self.ask("POST", f"/api/{self.running.study.name}/arrive", here)
        while "step" in state:
            step = state["step"]["id"]
            if state["step"]["type"] == "dialog":
                url = str(self.client.base_url).rstrip("/")
                self.minds[step] = Mind(self.person)
                await talk(url, self.running.study.name, self.token, self.minds[step])
            given = await asyncio.to_thread(answered, self.store, self.running, step, self.person)
            if given is None:
                self.tally.outcomes["left"] += 1
                return
            response = given[2].model_dump(mode="json")
            state = await self.answer(step, response)
        self.tally.outcomes[state["finish"]["outcome"] if "finish" in state else "refused"] += 1

    async def answer(self, step: str, response: dict[str, Any]) -> dict[str, Any]:
        """Send a final answer; where the visit stands after it."""
        key = secrets.token_hex(16)
        ms = response.get("ms", 1000.0)
        body = {"key": key, "step": step, "kind": "final", "response": response, "ms": ms}
        reply = await self.ask("POST", "/api/write", body)
        if reply.get("saved"):
            self.tally.acknowledged.append((step, key, response))
            state: dict[str, Any] = reply["now"]
            return state
        return await self.ask("GET", "/api/now")

    async def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """One request, again and again as long as the server does not answer."""
        until = time.monotonic() + PATIENCE
        headers = {"Deixis-Token": self.token}
        while True:
            started = time.perf_counter()
            try:
                reply = await self.client.request(method, path, json=body, headers=headers)
                if reply.status_code < 500:
                    self.tally.waits.append(time.perf_counter() - started)
                    found: dict[str, Any] = reply.json()
                    return found
            except (httpx.TransportError, ValueError):
                pass
            if time.monotonic() > until:
                raise TimeoutError(f"{path}: no answer for {PATIENCE:g} s")
            await asyncio.sleep(0.05 + 0.2 * float(self.person.rng.random()))
