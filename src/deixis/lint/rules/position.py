"""Where the right option stands: what always choosing one position scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from deixis.dataset import Choice, Dataset
from deixis.lint.finding import Finding, LintOptions
from deixis.plain import percent
from deixis.stats.rates import rate


def position(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """For each split: the best constant position and the longest option, against chance."""
    for split, ids in dataset.splits.items():
        records: list[Choice] = [dataset.records[i] for i in ids]
        if not records:
            continue
        clusters = np.array(["\x00".join(r.cluster) for r in records])
        chance = float(np.mean([1 / len(r.options) for r in records]))
        place, _ = Counter(r.answer for r in records).most_common(1)[0]
        always = np.array([float(r.answer == place) for r in records])
        yield _finding(split, f"always option {place + 1}", always, clusters, chance)
        if not any(r.pictured for r in records):
            longest = np.array([_longest(r) for r in records])
            yield _finding(split, "always the longest option", longest, clusters, chance)


def _finding(
    split: str, what: str, credit: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    clusters: np.ndarray[tuple[int, ...], np.dtype[np.str_]], chance: float,
) -> Finding:  # fmt: skip
    mean, low, high = rate(credit, clusters)
    beyond = low > chance
    return Finding(
        "position",
        "warning" if beyond else "note",
        f"{split}: {what} scores {percent(mean)} % (chance {percent(chance)} %)",
        "shuffle the options, and make wrong ones as long as right ones" if beyond else "",
        (),
        {"split": split, "rule": what, "score": mean, "interval": [low, high], "chance": chance},
    )


def _longest(record: Choice) -> float:
    """Credit of choosing the longest option; ties share it."""
    lengths = [len(o) for o in record.options]
    best = [i for i, n in enumerate(lengths) if n == max(lengths)]
    return 1 / len(best) if record.answer in best else 0.0
