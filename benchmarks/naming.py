"""SND, PND and PSA of all of KiloGram's dense annotations, beside a plain double loop.

python benchmarks/naming.py [FOLDER OF DATA]
"""

from __future__ import annotations

import sys
from itertools import combinations
from time import process_time

import numpy as np
from scipy.optimize import linear_sum_assignment

from deixis.measures.divergence import divergence
from deixis.measures.naming import by_picture, part_stems
from deixis.measures.segmentation import segmentation_agreement
from deixis.measures.stems import stems
from deixis.sources import load


def plain_divergence(lists):
    total = 0.0
    for i, words in enumerate(lists):
        others = [set(other) for j, other in enumerate(lists) if j != i]
        apart = [1 - sum(w in o for o in others) / len(others) for w in words]
        total += sum(apart) / len(words) if words else 0.0
    return total / len(lists)


def plain_agreement(pieces):
    met = []
    for one, other in combinations(pieces, 2):
        overlap = np.zeros((7, 7), int)
        for a, b in zip(one, other, strict=True):
            overlap[a, b] += 1
        met.append(overlap[linear_sum_assignment(overlap, maximize=True)].sum())
    return np.mean(met)


def timed(work):
    start = process_time()
    return work(), process_time() - start


def main() -> None:
    dataset = load("kilogram:dense", sys.argv[1] if len(sys.argv) > 1 else None)
    groups = list(by_picture(dataset.records.values()).values())
    stems("warm the tokeniser up")

    def words():
        return [([stems(a.whole) for a in g], [part_stems(a) for a in g]) for g in groups]

    lists, reading = timed(words)
    pieces = [[a.pieces for a in g] for g in groups]

    def ours():
        return [
            (divergence(w), divergence(p), segmentation_agreement(s))
            for (w, p), s in zip(lists, pieces, strict=True)
        ]

    def loops():
        return [
            (plain_divergence(w), plain_divergence(p), plain_agreement(s))
            for (w, p), s in zip(lists, pieces, strict=True)
        ]

    made, ours_s = timed(ours)
    plain, plain_s = timed(loops)
    print(f"{len(dataset)} annotations; largest gap {np.abs(np.array(made) - plain).max():.1e}")
    print(f"CPU: words {reading:.2f} s; measures {ours_s:.2f} s; together {reading + ours_s:.2f} s")
    print(f"plain double loop {plain_s:.2f} s: {plain_s / ours_s:.0f} times as long")


if __name__ == "__main__":
    main()
