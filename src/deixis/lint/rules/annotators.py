"""Annotators who wrote too much of a dataset, or of both sides of a split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from deixis.dataset import Dataset
from deixis.lint.finding import Finding, LintOptions, plural
from deixis.lint.items import Item, items
from deixis.plain import percent


def annotators(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """Dominance within each split, and writers that two splits share.

    A model that learns how one person writes does well on that person's texts everywhere (Geva,
    Goldberg and Berant, EMNLP 2019).
    """
    found = items(dataset)
    members = {s: [i for i in found if s in i.splits and i.writer] for s in dataset.splits}
    for split, written in members.items():
        yield from _dominant(split, written, options)
    for one, other in combinations(members, 2):
        nested = set(dataset.splits[one]) & set(dataset.splits[other])
        if members[one] and members[other] and not nested:
            yield from _shared(one, other, members[one], members[other])


def _dominant(split: str, written: Sequence[Item], options: LintOptions) -> Iterator[Finding]:
    counted = Counter(i.writer for i in written)
    for writer, n in counted.most_common():
        share = n / len(written)
        if share < options.share:
            return
        yield Finding(
            "annotators",
            "warning",
            f"{split}: annotator {writer} wrote {percent(share)} % of {len(written):,} records",
            "limit how much one person may write; report scores with and without these records",
            [i.id for i in written if i.writer == writer],
            {"split": split, "annotator": writer, "share": share, "n": n, "of": len(counted)},
        )


def _shared(
    one: str, other: str, first: Sequence[Item], second: Sequence[Item]
) -> Iterator[Finding]:
    writers = {i.writer for i in first} & {i.writer for i in second}
    if not writers:
        return
    covered = sum(i.writer in writers for i in second) / len(second)
    yield Finding(
        "annotators",
        "warning",
        f"{plural(len(writers), 'annotator')} wrote in {one} and in {other}: "
        f"{percent(covered)} % of {other}",
        "keep annotators on one side of the split, or report scores on writers never trained on",
        sorted(writers),
        {"splits": [one, other], "annotators": len(writers), "share": covered},
    )
