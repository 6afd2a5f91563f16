"""How fast requests may follow each other, and how long to wait before the next try."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from threading import Lock

LONGEST = 60.0
"""Most seconds between two tries, unless the server asks for more."""


class Limits:
    """Spaces requests so that neither requests nor tokens exceed their number in a minute.

    Args:
        requests: in a minute; 0 for any number.
        tokens: in a minute; 0 for any number. They are known only after the reply, so the next
            request waits for them.
        clock: gives seconds.
        sleep: waits.
    """

    def __init__(
        self,
        requests: float = 0,
        tokens: float = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._requests, self._tokens = requests, tokens
        self._clock, self._sleep = clock, sleep
        self._next = self._paid = 0.0
        self._lock = Lock()

    def wait(self) -> None:
        """Wait for one's turn."""
        if not (self._requests or self._tokens):
            return
        with self._lock:
            now = self._clock()
            start = max(now, self._next, self._paid)
            if self._requests:
                self._next = start + 60 / self._requests
        if start > now:
            self._sleep(start - now)

    def spent(self, tokens: int) -> None:
        """Tell how many tokens a reply took."""
        if self._tokens:
            with self._lock:
                self._paid = max(self._paid, self._clock()) + 60 * tokens / self._tokens


def delay(attempt: int, asked: str | None, first: float = 0.5) -> float:
    """Seconds until the next try: full jitter under a bound that doubles, or what was asked for.

    Args:
        attempt: how many tries there were, from 0.
        asked: the header ``retry-after``, seconds; other forms are ignored.
        first: bound of the first wait.

    >>> delay(3, "7") >= 7
    True
    """
    wait = random.uniform(0, min(LONGEST, first * 2**attempt))
    try:
        return float(asked) + wait if asked else wait
    except ValueError:
        return wait
