"""SIGKILL at random points while people answer: what was acknowledged is there once."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from tests.collect.proof.served import Served, crowd, visit_all, wrongs

from deixis.collect.simulate.visits import Tally, complete
from deixis.seeds import draw


@dataclass(frozen=True)
class Crashed:
    """What came of it.

    Attributes:
        people: who answered.
        kills: how often the server was killed.
        answers: acknowledged.
        wrong: sentences on what is not as it must be; empty if all is well.
        seconds: from the first request to the last.
    """

    people: int
    kills: int
    answers: int
    wrong: list[str]
    seconds: float


def crash(site: Served, *, people: int, kills: int, steps: int, seed: int) -> Crashed:
    """Kill the server whenever the count of acknowledged answers passes a drawn number.

    Args:
        site: started.
        people: who answer at the same time.
        kills: how often.
        steps: answers of each person.
        seed: of people and of the points.
    """
    tally, started = Tally(), time.perf_counter()
    points = sorted(draw(seed, "kill").choice(people * steps - people, kills, replace=False))
    ended = threading.Event()

    def killer() -> None:
        for point in points:
            while len(tally.acknowledged) < point and not ended.wait(0.002):
                pass
            if ended.is_set():
                return
            site.kill()
            site.start()

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        complete(visit_all(site, crowd(people, seed), tally))
    finally:
        ended.set()
        thread.join()
    wrong = wrongs(site.store, site.running.id, tally, people)
    if len(tally.acknowledged) != people * steps:
        wrong.append(f"{len(tally.acknowledged)} answers of {people * steps}")
    seconds = time.perf_counter() - started
    return Crashed(people, site.starts - 1, len(tally.acknowledged), wrong, seconds)
