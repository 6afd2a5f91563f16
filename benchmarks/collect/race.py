"""Two hundred people race for the last 20 slots: none is filled twice, conditions stay within one.

python benchmarks/collect/race.py [PEOPLE] [STORE-URL]
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from sqlalchemy import select
from tests.collect.small import Session, games

from deixis.collect.export.counts import faults, slot_counts
from deixis.collect.running import run_studies
from deixis.collect.store.opening import open_store
from deixis.collect.store.tables import arms

SLOTS = 20


def main() -> int:
    people = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(sys.argv[2] if len(sys.argv) > 2 else f"sqlite:///{folder}/race.sqlite")
        study = games(pool={"packet": 4, "limit": 8, "people": SLOTS // 4})
        at = Session(store, run_studies(store, [study])["games"])
        waiting = [at.arrives(f"p{i}") for i in range(people)]
        together, waits = threading.Barrier(people), []

        def race(person) -> None:
            together.wait()
            started = time.perf_counter()
            person.answers()  # consent: after it, a packet is taken on
            waits.append(time.perf_counter() - started)

        threads = [threading.Thread(target=race, args=(p,)) for p in waiting]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        slots = store.read(slot_counts, at.running.id, "live")
        taken = store.read(lambda c: list(c.execute(select(arms.c.taken, arms.c.mode)).all()))
        by_arm = [row.taken for row in taken if row.mode == "live"]
        wrong = store.read(faults, at.running.id, "live")
        full = sum(p.outcome == "full" for p in waiting)
        print(f"store: {store.shown}")
        store.close()
    print(
        f"{people} people at once for {SLOTS} slots: {slots['leased']} hold one, {full} were told"
    )
    print(f"conditions {by_arm}; waits p50 {np.median(waits):.2f} s, longest {max(waits):.2f} s")
    fair = slots["leased"] == SLOTS and full == people - SLOTS
    fair &= max(by_arm) - min(by_arm) <= 1
    print(f"wrong: {wrong or ('nothing' if fair else 'not as it must be')}")
    return bool(wrong) or not fair


if __name__ == "__main__":
    sys.exit(main())
