"""Fifty people behind a network that loses, delays, doubles and reorders four of ten requests.

python benchmarks/collect/network.py [PEOPLE] [SHARE OF BAD REQUESTS]
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.collect.conftest import free_port
from tests.collect.proof.proxy import Network, between, target
from tests.collect.proof.served import crowd, served, visit_all, wrongs

from deixis.collect.simulate.visits import Tally
from deixis.seeds import draw


def main() -> int:
    people = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    bad = float(sys.argv[2]) if len(sys.argv) > 2 else 0.4
    tally = Tally()
    with served(free_port(), packet=8) as site:
        network = Network(target(site.address), draw(0, "network"), bad)

        async def go() -> None:
            async with between(network) as address:
                await visit_all(site, crowd(people, 0), tally, address)

        started = time.perf_counter()
        asyncio.run(go())
        seconds = time.perf_counter() - started
        wrong = wrongs(site.store, site.running.id, tally, people)
    for fate, n in sorted(network.fates.items()):
        print(f"{fate:12} {n:6}")
    print(f"{people} people, {len(tally.acknowledged)} answers acknowledged, {seconds:.1f} s")
    print(f"wrong: {wrong or 'nothing'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
