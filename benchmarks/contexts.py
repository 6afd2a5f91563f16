"""Constrained contexts: columns of integers against shuffling and scanning, as published code does.

Usage: python benchmarks/contexts.py [CONTEXTS]; the published way gets a hundredth of them and its
time is multiplied.
"""

from __future__ import annotations

import random
import resource
import sys
import time

import numpy as np

from deixis.tasks.contexts import Items, draw_contexts
from timing import side_by_side

K = 10


def made(n: int) -> Items:
    """Items of a thousand figures, with two to six parts, some texts alike."""
    rng = np.random.default_rng(0)
    figure = rng.integers(0, 1000, n)
    return Items.of(
        [f"a{i}" for i in range(n)],
        figure.tolist(),
        rng.integers(0, n // 2, n).tolist(),
        (2 + figure % 5).tolist(),
    )


def shuffle_and_scan(items: Items, targets: int) -> None:
    """For each target: shuffle the figures with its part count, pick, skip equal texts."""
    rng = random.Random(0)
    figures, texts, groups = items.figure.tolist(), items.text.tolist(), items.group.tolist()
    by_group: dict[int, dict[int, list[int]]] = {}
    for row, (group, figure) in enumerate(zip(groups, figures, strict=True)):
        by_group.setdefault(group, {}).setdefault(figure, []).append(row)
    for target in range(targets):
        pool = [f for f in by_group[groups[target]] if f != figures[target]]
        rng.shuffle(pool)
        seen, chosen = {texts[target]}, [target]
        for figure in pool:
            row = rng.choice(by_group[groups[target]][figure])
            if texts[row] not in seen:
                seen.add(texts[row])
                chosen.append(row)
            if len(chosen) == K:
                break


def main() -> None:
    """Print the ratio for as many contexts as asked for."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    items = made(n)
    targets = np.arange(n)
    started = time.process_time()
    drawn = sum(len(block) for block in draw_contexts(items, targets, K, seed=0))
    whole = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    few = n // 100
    small = made(few)
    side_by_side(
        f"{few} contexts of {K}",
        {
            "deixis": lambda: [None for _ in draw_contexts(small, targets[:few], K, seed=0)],
            "shuffle and scan": lambda: shuffle_and_scan(small, few),
        },
        all_contexts=drawn,
        all_seconds=round(whole, 2),
        peak_mb=round(peak),
    )


if __name__ == "__main__":
    main()
