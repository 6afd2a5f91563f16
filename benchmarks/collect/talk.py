"""SIGKILL under live dialogs, and a network that cuts their connections: nothing lost or doubled.

python benchmarks/collect/talk.py [PEOPLE] [KILLS]
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.collect.conftest import free_port
from tests.collect.proof.proxy import target
from tests.collect.proof.served import served
from tests.collect.proof.talking import STUDY, Shaky, bad_network, crash

from deixis.seeds import draw


def main(people: int, kills: int) -> None:
    """Print what came of both."""
    with served(free_port(), text=STUDY, packet=20) as site:
        start = perf_counter()
        told = crash(site, people=people, kills=kills, seed=1)
        print(f"{people} people, {site.starts - 1} kills, {told.lost} connections lost or refused")
        print(f"{told.acknowledged} messages acknowledged, {perf_counter() - start:.1f} s")
        print(f"wrong: {'; '.join(told.wrong) or 'nothing'}")
    with served(free_port(), text=STUDY, packet=20) as site:
        network = Shaky(target(site.address), draw(0, "shaky"))
        told = bad_network(site, network, people=people, seed=2)
        for fate, n in sorted(network.fates.items()):
            print(f"{fate:12} {n:6}")
        print(f"{people} people, {told.lost} connections lost, {told.acknowledged} messages")
        print(f"wrong: {'; '.join(told.wrong) or 'nothing'}")


if __name__ == "__main__":
    given = [int(a) for a in sys.argv[1:]]
    main(*(given + [50, 6][len(given) :]))
