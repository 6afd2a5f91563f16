"""What two splits share: records, pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from deixis.dataset import Dataset
from deixis.lint.finding import Finding, LintOptions, plural, some
from deixis.lint.items import contents, items


def splits(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """Records or pictures in two splits of which neither holds the other.

    Where both are selections of a third split that is no error.
    """
    members = {split: set(ids) for split, ids in dataset.splits.items()}
    shown = _pictures(dataset)
    for one, other in combinations(members, 2):
        common = members[one] & members[other]
        if common and common in (members[one], members[other]):
            small, large = sorted((one, other), key=lambda s: len(members[s]))
            yield Finding(
                "splits",
                "note",
                f"{small} is a part of {large} ({plural(len(common), 'record')})",
                "never train on the one and test on the other",
                (),
                {"splits": [small, large], "records": len(common)},
            )
            continue
        if common:
            ids = sorted(common)
            # Two selections of one split may overlap: none of them is there to train on.
            inside = any(members[one] | members[other] <= members[s] for s in members)
            yield Finding(
                "splits",
                "note" if inside else "error",
                f"{plural(len(ids), 'record')} in {one} and in {other} ({some(ids)})",
                "count each record once" if inside else "leave each record in one split",
                ids,
                {"splits": [one, other], "records": len(ids)},
            )
            if inside:
                continue
        yield from _shared(one, other, shown)
    yield from _listed(dataset, shown)


def _shared(
    one: str, other: str, shown: Mapping[str, Mapping[str, list[str]]]
) -> Iterator[Finding]:
    same = [content for content in shown[one] if content in shown[other]]
    if not same:
        return
    ids = list(dict.fromkeys(i for c in same for i in (*shown[one][c], *shown[other][c])))
    yield Finding(
        "splits",
        "warning",
        f"{plural(len(same), 'picture')} in {one} and in {other} ({some(ids, 2)})",
        "split by picture, not by record",
        ids,
        {"splits": [one, other], "pictures": len(same)},
        ids[:4],
    )


def _pictures(dataset: Dataset) -> dict[str, dict[str, list[str]]]:
    """The names of pictures of each content, for each split."""
    found: dict[str, dict[str, list[str]]] = {split: {} for split in dataset.splits}
    same: dict[str, str] = {}
    for item in items(dataset):
        new = [name for name in item.pictures if name not in same]
        same |= contents(dataset, new)
        for name in item.pictures:
            for split in item.splits:
                names = found[split].setdefault(same[name], [])
                if name not in names:
                    names.append(name)
    return found


def _listed(dataset: Dataset, shown: Mapping[str, Mapping[str, list[str]]]) -> Iterator[Finding]:
    """Pictures of a split's records that the source lists for another split."""
    listed: Mapping[str, tuple[str, ...]] = dataset.extras.get("pictures", {})
    for split, by_content in shown.items():
        names = [n for ns in by_content.values() for n in ns]
        for other, pictures in listed.items():
            common = sorted(set(names) & set(pictures))
            if common and split not in listed and not set(names) <= _of(dataset, other):
                yield Finding(
                    "splits",
                    "warning",
                    f"{plural(len(common), 'picture')} of {split} are listed for {other} "
                    f"({some(common)})",
                    "early stopping on pictures that were trained on is optimistic: validate on "
                    "others",
                    common,
                    {"splits": [split, other], "pictures": len(common)},
                )


def _of(dataset: Dataset, split: str) -> set[str]:
    """Pictures of the records of a split that is at hand."""
    return {dataset.records[i].picture for i in dataset.splits.get(split, ())}
