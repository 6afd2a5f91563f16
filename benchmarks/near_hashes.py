"""Near pairs among 100,000 hashes by bands, beside comparing each with all others.

python benchmarks/near_hashes.py
"""

from __future__ import annotations

import resource

import numpy as np

from deixis.lint.near import near_hashes
from timing import side_by_side

N = 100_000
DISTANCE = 4


def hashes(n: int, *, seed: int = 0) -> np.ndarray:
    """Random hashes, a hundredth of them copies of others with up to `DISTANCE` bits changed."""
    rng = np.random.default_rng(seed)
    made = rng.integers(0, 2**64, n, np.uint64)
    copies = rng.choice(n, n // 100, replace=False)
    for i in copies:
        bits = rng.choice(64, rng.integers(0, DISTANCE + 1), replace=False)
        change = np.bitwise_or.reduce(np.uint64(1) << bits.astype(np.uint64), initial=np.uint64(0))
        made[i] = made[rng.integers(n)] ^ change
    return made


def like_photographs(n: int, *, seed: int = 0) -> np.ndarray:
    """Hashes of things on white: few of the bits vary, so bands are far from uniform."""
    rng = np.random.default_rng(seed)
    centres = rng.integers(0, 2**64, 300, np.uint64)
    flips = rng.random((n, 64)) < 0.2
    change = (flips.astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum(axis=1)
    return centres[rng.integers(0, 300, n)] ^ change.astype(np.uint64)


def row_by_row(table: np.ndarray, distance: int, rows: int) -> int:
    """Each of the first rows with all that come after it."""
    return sum(
        int((np.bitwise_count(table[i + 1 :] ^ table[i]) <= distance).sum()) for i in range(rows)
    )


def main() -> None:
    some = 2_000
    for name, make in (("uniform", hashes), ("clustered", like_photographs)):
        table = make(N)
        pairs = len(near_hashes(table, DISTANCE))
        side_by_side(
            f"pairs within {DISTANCE} bits among {N:,} {name} hashes",
            {
                "by bands": lambda table=table: near_hashes(table, DISTANCE),
                f"the first {some:,} rows with all": lambda table=table: row_by_row(
                    table, DISTANCE, some
                ),
            },
            tries=1,
            pairs=pairs,
        )
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"largest memory {megabytes:.0f} MB; a table of all pairs would have {N * N:,} cells")


if __name__ == "__main__":
    main()
