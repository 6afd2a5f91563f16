"""SIGKILL at random points under 50 people: every acknowledged answer once, every count adds up.

python benchmarks/collect/crash.py [PEOPLE] [KILLS] [STORE-URL]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.collect.conftest import free_port
from tests.collect.proof.crash import crash
from tests.collect.proof.served import served

PACKET = 8


def main() -> int:
    people, kills = (int(a) for a in [*sys.argv[1:3], "50", "10"][:2])
    url = sys.argv[3] if len(sys.argv) > 3 else ""
    with served(free_port(), url, packet=PACKET) as site:
        told = crash(site, people=people, kills=kills, steps=PACKET + 2, seed=0)
        shown = site.store.shown
    print(f"store: {shown}")
    print(f"{told.people} people, {told.kills} kills, {told.answers} answers acknowledged")
    print(f"{told.seconds:.1f} s; wrong: {told.wrong or 'nothing'}")
    return bool(told.wrong)


if __name__ == "__main__":
    sys.exit(main())
