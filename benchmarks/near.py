"""The 15 most similar of 100,000 pictures, for each of them, exactly: hashes, and vectors.

python benchmarks/near.py [PICTURES]

Beside it the naive way, all distances of a picture sorted, on the first few and scaled up.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter, process_time

import numpy as np

from deixis.collect.pictures.near import nearest_hashes, nearest_vectors

K = 15
NAIVE = 100
DIMENSIONS = 128


def hashes_naive(wanted, among):
    """All distances, then a sort."""
    return np.array([np.argsort(np.bitwise_count(w ^ among), kind="stable")[:K] for w in wanted])


def vectors_naive(wanted, among):
    """All products, then a sort."""
    return np.array([np.argsort(1 - among @ w, kind="stable")[:K] for w in wanted])


def main(n):
    rng = np.random.default_rng(0)
    hashes = rng.integers(0, 2**64 - 1, n, dtype=np.uint64)
    vectors = rng.normal(size=(n, DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cases = (
        ("64-bit hashes", hashes, nearest_hashes, hashes_naive),
        (f"{DIMENSIONS} dimensions", vectors, nearest_vectors, vectors_naive),
    )
    for name, made, ours, naive in cases:
        wall, start = perf_counter(), process_time()
        found, _ = ours(made, made, K)
        spent, wall = process_time() - start, perf_counter() - wall
        start = process_time()
        true = naive(made[:NAIVE], made)
        other = (process_time() - start) * n / NAIVE
        same = float((found[:NAIVE] == true).mean())
        print(
            f"{n:,} x {K} of {name}: {spent:.1f} s of processor time ({wall:.1f} s passed), "
            f"{other / spent:.1f} times less than sorting; {same:.2%} the same places"
        )
    print("load average: " + ", ".join(f"{x:.1f}" for x in os.getloadavg()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
