"""Labels that a picture pair gives away: what its statements' majority would score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from deixis.dataset import Dataset, Statement
from deixis.lint.finding import Finding, LintOptions
from deixis.plain import percent


def balance(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """For each split: an oracle that knows each pair's majority label, and no sentence."""
    for split, ids in dataset.splits.items():
        records: list[Statement] = [dataset.records[i] for i in ids]
        if records:
            yield from _split(split, records)


def oracle(groups: Mapping[str, Sequence[bool]]) -> float:
    """Accuracy of each group's majority label.

    >>> oracle({"a": [True, True], "b": [True, False]})
    0.75
    """
    right = sum(
        max(labels.count(True), labels.count(False)) for labels in map(list, groups.values())
    )
    return right / sum(map(len, groups.values()))


def _split(split: str, records: Sequence[Statement]) -> Iterator[Finding]:
    pairs: dict[str, list[bool]] = {}
    for record in records:
        pairs.setdefault(record.pair, []).append(record.label)
    n = len(records)
    majority = max(Counter(r.label for r in records).values()) / n
    several = {p: labels for p, labels in pairs.items() if len(labels) > 1}
    one_sided = {p for p, labels in several.items() if len(set(labels)) == 1}
    ids = [r.id for r in records if r.pair in one_sided]
    evidence = {
        "split": split,
        "statements": n,
        "unbalanced": len(ids),
        "balanced": sum(map(len, several.values())) - len(ids),
        "single": n - sum(map(len, several.values())),
        "picture_oracle": oracle(pairs),
        "majority": majority,
    }
    if not several:
        yield Finding(
            "balance",
            "note",
            f"{split}: every pair of pictures has one statement: its label cannot be balanced "
            f"(majority {percent(majority)} %)",
            "give each pair a true and a false statement",
            (),
            evidence,
        )
        return
    yield Finding(
        "balance",
        "warning" if ids else "note",
        f"{split}: {len(ids):,} of {n:,} statements are about pairs that have one label only; "
        f"knowing each pair's majority label scores {percent(oracle(pairs), 2)} % "
        f"(majority {percent(majority, 2)} %)",
        "report accuracy on balanced pairs beside; give each pair a true and a false statement",
        ids,
        evidence,
    )
