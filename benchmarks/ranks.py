"""Ranks in a pool: counting higher scores, beside the product alone and the obvious ways.

python benchmarks/ranks.py            # 10,000 x 10,000 at 300 numbers, against both other ways
python benchmarks/ranks.py --large    # 40,000 x 40,000 x 10 rounds at 512 numbers
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from deixis.stats.ranks import COLUMNS, ROWS, Gallery

Floats32 = NDArray[np.float32]


def timed(what: Callable[[], object]) -> float:
    """Seconds of processor time that a call takes: other programs do not count."""
    start = time.process_time()
    what()
    return time.process_time() - start


def product(hidden: Floats32, pool: Floats32) -> None:
    """The float32 products alone, in the same chunks."""
    for a in range(0, len(hidden), ROWS):
        for b in range(0, len(pool), COLUMNS):
            hidden[a : a + ROWS] @ pool[b : b + COLUMNS].T


def by_row(hidden: Floats32, pool: Floats32, targets: NDArray[np.int64]) -> NDArray[np.int64]:
    """One dialog at a time: all distances, sorted."""
    ranks = np.empty(len(hidden), np.int64)
    for i, one in enumerate(hidden):
        far = np.sqrt(((pool - one) ** 2).sum(axis=1))
        ranks[i] = 1 + int(np.flatnonzero(np.argsort(far) == targets[i])[0])
    return ranks


def by_sorting(hidden: Floats32, pool: Floats32, targets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The matrix of all distances, then every row sorted."""
    far = (hidden**2).sum(axis=1)[:, None] - 2 * hidden @ pool.T + (pool**2).sum(axis=1)
    order = np.argsort(far, axis=1)
    return 1 + np.argmax(order == targets[:, None], axis=1)


def data(n: int, d: int) -> tuple[Floats32, Floats32, NDArray[np.int64]]:
    """Predictions near their targets, and a pool."""
    generator = np.random.default_rng(0)
    pool = generator.standard_normal((n, d), dtype=np.float32)
    hidden = pool + 3 * generator.standard_normal((n, d), dtype=np.float32)
    return hidden, pool, np.arange(n)


def small(n: int, d: int, rows: int) -> None:
    """All three ways; the loop on some rows only, scaled up."""
    hidden, pool, targets = data(n, d)
    gallery = Gallery(pool)
    counted = gallery.rank(hidden, targets)
    apart = int((counted.ranks != by_sorting(hidden, pool, targets)).sum())
    ours = min(timed(lambda: gallery.rank(hidden, targets, top=False)) for _ in range(3))
    best = timed(lambda: gallery.rank(hidden, targets))
    sort = timed(lambda: by_sorting(hidden, pool, targets))
    loop = timed(lambda: by_row(hidden[:rows], pool, targets[:rows])) * n / rows
    alone = min(timed(lambda: product(hidden, pool)) for _ in range(3))
    print(f"{n:,} x {n:,} at {d}: counting {ours:.2f} s, product alone {alone:.2f} s")
    print(f"with the best 20 of each pool {best:.2f} s")
    print(f"matrix and sort {sort:.2f} s: {sort / ours:.1f} times as long")
    print(f"loop over rows {loop:.1f} s (from {rows} rows): {loop / ours:.0f} times as long")
    print(f"{apart} of {n:,} ranks of the float32 sort differ")


def large(n: int, d: int, rounds: int) -> None:
    """All rounds of a large pool; the product alone on one round, in the same run."""
    hidden, pool, targets = data(n, d)
    start = time.process_time()
    gallery = Gallery(pool)
    for number in range(rounds):
        gallery.rank(hidden, targets, top=False)
        if number == 0:
            alone = timed(lambda: product(hidden, pool))
    total = time.process_time() - start - alone
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{n:,} x {n:,} x {rounds} rounds at {d}: {total / 60:.1f} min of processor time")
    print(f"{peak:.2f} GB at most")
    print(f"{100 * alone * rounds / total:.0f} % of the rate of the float32 product alone")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--n", type=int, default=0)
    asked = parser.parse_args()
    if asked.large:
        large(asked.n or 40_000, 512, 10)
    else:
        small(asked.n or 10_000, 300, 200)
