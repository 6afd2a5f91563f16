"""Processor seconds of several ways to do the same in one run, and how they compare."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any


def seconds(work: Callable[[], Any], tries: int = 3) -> float:
    """Processor seconds of the best of some tries: what is slower is the machine's doing."""
    best = float("inf")
    for _ in range(tries):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def side_by_side(
    title: str, ways: Mapping[str, Callable[[], Any]], *, tries: int = 3, **said: Any
) -> dict[str, Any]:
    """Time each way and print a line: seconds of each, and the others' relative to the first.

    Args:
        title: what is done.
        ways: the first is ours.
        tries: how often each is done; the best counts.
        said: what else to print.
    """
    taken = {name: seconds(work, tries) for name, work in ways.items()}
    ours = next(iter(taken.values()))
    ratios = {name: round(t / ours, 2) for name, t in list(taken.items())[1:]}
    line = {"what": title, "seconds": taken, "times_slower": ratios, **said}
    print(json.dumps(line, ensure_ascii=False))
    sys.stdout.flush()
    return line
