"""Three hundred people at once who take their time: how long does the server let them wait?

Each person looks at a page for a time drawn around eight seconds, as simulated people do, and then
answers; every request is counted from sending to the whole reply. The generator runs on the same
machine; what it costs is stated beside what the server costs.

python benchmarks/collect/load.py [PEOPLE] [SECONDS PER ANSWER] [STORE-URL]
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from tests.collect.conftest import free_port
from tests.collect.proof.served import crowd, served, visit_all, wrongs

from deixis.collect.simulate.visits import Tally, Visit

TARGET = 0.250
PACKET = 8


class Slow(Visit):
    """Somebody who looks before answering."""

    seconds = 8.0

    async def answer(self, step: str, response: dict[str, Any]) -> dict[str, Any]:
        """After a while."""
        await asyncio.sleep(self.seconds * float(self.person.rng.gamma(4) / 4))
        return await super().answer(step, response)

    async def run(self) -> None:
        """People do not all come in the same second."""
        await asyncio.sleep(self.seconds * float(self.person.rng.random()))
        await super().run()


def main() -> int:
    people = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    Slow.seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 8.0
    tally = Tally()
    with served(free_port(), sys.argv[3] if len(sys.argv) > 3 else "", packet=PACKET) as site:
        before, own, started = site.cpu_seconds(), time.process_time(), time.perf_counter()
        asyncio.run(visit_all(site, crowd(people, 0), tally, made=Slow))
        seconds = time.perf_counter() - started
        server, generator = site.cpu_seconds() - before, time.process_time() - own
        wrong = wrongs(site.store, site.running.id, tally, people)
        shown = site.store.shown
    p50, p95, p99 = np.percentile(tally.waits, [50, 95, 99]) * 1000
    print(f"store: {shown}; {os.cpu_count()} cores, other load {os.getloadavg()[0]:.1f}")
    print(f"{people} people, {len(tally.acknowledged)} answers, {len(tally.waits)} requests")
    print(f"{seconds:.1f} s: {len(tally.waits) / seconds:.1f} requests a second")
    print(f"wait p50 {p50:.0f} ms, p95 {p95:.0f} ms, p99 {p99:.0f} ms (target: p95 < 250 ms)")
    print(f"processor: server {server / seconds:.2f} cores, generator {generator / seconds:.2f}")
    print(f"wrong: {wrong or 'nothing'}")
    return bool(wrong) or p95 >= TARGET * 1000


if __name__ == "__main__":
    sys.exit(main())
