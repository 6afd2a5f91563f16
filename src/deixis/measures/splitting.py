"""Splits by picture: equal shares of every stratum, and what belongs together on one side.

Records that share a picture or a family are never divided; on request neither are pictures that
look alike, nor the records of one annotator. What must stay together is dealt out as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.lint.items import Item, contents, items
from deixis.lint.near import components
from deixis.measures.naming import by_picture, measured
from deixis.stats.dealing import checked, deal

ROOM = 1.1
"""A bundle may be so much larger than the largest share that it is to fill."""

THIRDS = ("low", "middle", "high")


@dataclass(frozen=True)
class Split:
    """Where each record went.

    Attributes:
        records: ids by split.
        pictures: names by split.
        left_out: records that stand on no side, as their annotator is on another.
        bundles: how many groups were dealt out.
        strata: records of each stratum, by split.
    """

    records: Mapping[str, tuple[str, ...]]
    pictures: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...]
    bundles: int
    strata: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def split(
    dataset: Dataset,
    shares: Mapping[str, float],
    *,
    stratum: Callable[[Dataset], Mapping[str, str]] | None = None,
    near: Iterable[Sequence[str]] = (),
    annotators: str = "",
    seed: int = 0,
) -> Split:
    """Split a dataset by picture.

    Args:
        dataset: any whose records have pictures.
        shares: of records, by the name of the split.
        stratum: the stratum of each record, see `STRATA`; none by default.
        near: groups of names of pictures that look alike.
        annotators: ``together``: all records of an annotator stay on one side, with all that
            shares a picture with them; ``drop``: pictures are dealt out as ever, annotators are
            given sides so that what is kept has the shares, and their other records are left out.
        seed: of the draw.

    Raises:
        BadInput: a share is wrong, or what must stay together is larger than any split.
    """
    checked(shares)
    found = [item for item in items(dataset) if item.pictures]
    if not found:
        raise BadInput(f"{dataset.name}: no record has a picture to split by")
    top = _bundles(dataset, found, near, together=annotators == "together")
    sizes = Counter(top.values())
    n = max(sizes.values())
    if n > ROOM * max(shares.values()) * len(found):
        why = " (records of one annotator tie them: drop those that cross)" if annotators else ""
        raise BadInput(
            f"{dataset.name}: {n:,} of {len(found):,} records must stay together, more than any "
            f"split is to hold{why}"
        )
    kinds = {item.id: "" for item in found} | dict(stratum(dataset) if stratum else {})
    where = deal(_majorities(found, top, kinds), shares, weights=dict(sizes), seed=seed)
    side = {item.id: where[top[item.id]] for item in found}
    left_out = _crossing(found, side, shares) if annotators == "drop" else set()
    kept = {s: [i for i in found if side[i.id] == s and i.id not in left_out] for s in shares}
    return Split(
        records={s: tuple(i.id for i in own) for s, own in kept.items()},
        pictures={s: tuple(dict.fromkeys(p for i in own for p in i.pictures))
                  for s, own in kept.items()},
        left_out=tuple(i.id for i in found if i.id in left_out),
        bundles=len(sizes),
        strata={s: dict(Counter(kinds[i.id] for i in own)) for s, own in kept.items()}
        if stratum else {},
    )  # fmt: skip


def synset(dataset: Dataset) -> dict[str, str]:
    """What the pictures of each statement were searched for."""
    return {i: getattr(r, "synset", "") for i, r in dataset.records.items()}


def label(dataset: Dataset) -> dict[str, str]:
    """The answer of each record."""
    return {item.id: item.answer for item in items(dataset)}


def number_of_parts(dataset: Dataset) -> dict[str, str]:
    """Thirds of pictures by the mean number of parts that people see in them."""
    groups = by_picture(_annotations(dataset))
    means = {p: float(np.mean([len(a.parts) for a in own])) for p, own in groups.items()}
    return _thirds(dataset, means)


def agreement(dataset: Dataset) -> dict[str, str]:
    """Thirds of pictures by segmentation agreement; one stratum of those that have none."""
    return _by_measure(dataset, "psa")


def divergence(dataset: Dataset) -> dict[str, str]:
    """Thirds of pictures by shape naming divergence; one stratum of those that have none."""
    return _by_measure(dataset, "snd")


STRATA: Mapping[str, Callable[[Dataset], Mapping[str, str]]] = {
    "synset": synset,
    "label": label,
    "parts": number_of_parts,
    "psa": agreement,
    "snd": divergence,
}
"""Strata by name."""


def _bundles(
    dataset: Dataset, found: Sequence[Item], near: Iterable[Sequence[str]], *, together: bool
) -> dict[str, str]:
    """What each record's bundle is called: records linked by pictures, families, likeness."""
    names = list(dict.fromkeys(p for item in found for p in item.pictures))
    same = contents(dataset, names)
    edges = [[f"picture {same[p]}" for p in group if p in same] for group in near]
    for item in found:
        own = [f"record {item.id}", f"family {item.family}"]
        own += [f"picture {same[p]}" for p in item.pictures]
        if together and item.writer:
            own.append(f"writer {item.writer}")
        edges.append(own)
    top = components(edge for edge in edges if edge)
    return {item.id: top[f"record {item.id}"] for item in found}


def _majorities(
    found: Sequence[Item], bundle: Mapping[str, str], kinds: Mapping[str, str]
) -> dict[str, str]:
    """The stratum of most records of each bundle; of several, the first by name."""
    counted: dict[str, Counter[str]] = {}
    for item in found:
        counted.setdefault(bundle[item.id], Counter())[kinds[item.id]] += 1
    return {b: max(sorted(own), key=lambda k: own[k]) for b, own in counted.items()}


def _crossing(
    found: Sequence[Item], side: Mapping[str, str], shares: Mapping[str, float]
) -> set[str]:
    """Records of annotators who were given another side.

    The busiest come first; each goes to the side that lacks most of its share of what is kept,
    among those where they have a record.
    """
    counted: dict[str, Counter[str]] = {}
    for item in found:
        if item.writer:
            counted.setdefault(item.writer, Counter())[side[item.id]] += 1
    kept = dict.fromkeys(shares, 0)
    home: dict[str, str] = {}
    for writer, own in sorted(counted.items(), key=lambda wc: (-wc[1].total(), wc[0])):
        total = sum(kept.values())
        lack = {s: shares[s] * (total + n) - kept[s] for s, n in sorted(own.items())}
        home[writer] = max(lack, key=lambda s: lack[s])
        kept[home[writer]] += own[home[writer]]
    return {i.id for i in found if i.writer and home[i.writer] != side[i.id]}


def _annotations(dataset: Dataset) -> list[Any]:
    if dataset.kind != "reference":
        raise BadInput(f"{dataset.name}: these strata are for annotations of figures")
    return list(dataset.records.values())


def _by_measure(dataset: Dataset, name: str) -> dict[str, str]:
    groups = by_picture(_annotations(dataset))
    values = {p: v for p, own in groups.items() if (v := measured(own).values[name]) is not None}
    return _thirds(dataset, values)


def _thirds(dataset: Dataset, values: Mapping[str, float]) -> dict[str, str]:
    ranked = sorted(values, key=lambda p: (values[p], p))
    third = {p: THIRDS[min(3 * i // len(ranked), 2)] for i, p in enumerate(ranked)}
    return {i: third.get(r.picture, "unknown") for i, r in dataset.records.items()}
