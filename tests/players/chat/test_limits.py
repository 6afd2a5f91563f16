"""Pace and waits, on a clock of our own."""

from __future__ import annotations

from deixis.players.chat.limits import LONGEST, Limits, delay


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_requests_are_spaced() -> None:
    clock = Clock()
    limits = Limits(requests=120, clock=clock, sleep=clock.sleep)
    starts = []
    for _ in range(4):
        limits.wait()
        starts.append(clock.now)
    assert starts == [0, 0.5, 1.0, 1.5]


def test_tokens_are_paid_off() -> None:
    clock = Clock()
    limits = Limits(tokens=600, clock=clock, sleep=clock.sleep)
    limits.wait()
    limits.spent(100)
    limits.wait()
    assert clock.now == 10
    free = Limits(clock=clock, sleep=clock.sleep)
    free.spent(10**9)
    free.wait()
    assert clock.now == 10


def test_waits_grow_and_are_bounded() -> None:
    assert all(0 <= delay(i, None) <= min(LONGEST, 0.5 * 2**i) for i in range(20))
    assert delay(0, "3") >= 3
    assert delay(0, "Wed, 21 Oct 2026 07:28:00 GMT") <= 0.5
