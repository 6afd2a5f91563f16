"""Pictures that are nearly the same, inside a split and across: by perceptual hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.lint.finding import Finding, LintOptions, plural, some
from deixis.lint.hashes import perceptual_hash
from deixis.lint.items import contents, items
from deixis.lint.near import components, near_hashes
from deixis.pictures.scenestore import SceneStore
from deixis.pictures.store import TangramStore

Words = NDArray[np.uint64]

DRAWN = (TangramStore, SceneStore)
"""Stores of drawings: there, other rules know better than a hash what is the same."""

FLAT = 4
"""Hashes with fewer bits set, or unset, are of pictures without a shape, and say nothing."""


def near_pictures(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """One finding for each group of near pictures; groups across splits are warnings.

    Photographs that are not here are compared by their published hashes, where there are any.
    """
    if isinstance(dataset.store, DRAWN):
        return
    where: dict[str, set[str]] = {}
    for item in items(dataset):
        for name in item.pictures:
            where.setdefault(name, set()).update(item.splits)
    published: Mapping[str, int] = dataset.extras.get("hashes", {})
    told = {name: published[name] for name in where if name in published}
    seen, unread = _hashes(dataset, [n for n in where if n not in told], options)
    if unread:
        yield Finding(
            "near-pictures",
            "note",
            f"{plural(unread, 'picture')} of {len(where):,} have no file here, nor a published "
            "hash: they were not compared",
        )
    yield from _published(dataset, told, where, options)
    kept, table = _shaped(seen)
    pairs = near_hashes(table, options.distance)
    yield from _groups(kept, pairs, table, where, contents(dataset, kept))


def _shaped(hashes: Mapping[str, int]) -> tuple[list[str], Words]:
    """Names and hashes of pictures that have a shape."""
    kept = [n for n, h in hashes.items() if FLAT <= int(h).bit_count() <= 64 - FLAT]
    return kept, np.array([hashes[n] for n in kept], np.uint64)


def _published(
    dataset: Dataset, told: Mapping[str, int], where: Mapping[str, set[str]], options: LintOptions
) -> Iterator[Finding]:
    """One finding for each place in which published hashes of different photographs are equal.

    Published hashes are of average brightness, which says little of a photograph: a thing on white
    is like any other. So pairs are counted by distance, and only equal hashes of photographs that
    were searched for by one name are put together into groups.
    """
    kept, table = _shaped(told)
    same, about = contents(dataset, kept), _subjects(dataset)
    met: dict[tuple[str, ...], list[tuple[int, str, str]]] = {}
    for i, j in near_hashes(table, options.distance).tolist():
        one, other = kept[i], kept[j]
        if same[one] != same[other]:
            bits = int(table[i] ^ table[j]).bit_count()
            place = tuple(sorted(where[one] | where[other]))
            met.setdefault(place, []).append((bits, one, other))
    for place, pairs in sorted(met.items(), key=lambda kv: (-len(kv[0]), kv[0])):
        alike = [p for p in pairs if about.get(p[1]) == about.get(p[2])]
        top = components([(one, other) for bits, one, other in alike if not bits])
        groups: dict[str, list[str]] = {}
        for name in sorted(top):
            groups.setdefault(top[name], []).append(name)
        counted = [[sum(p[0] == d for p in own) for own in (pairs, alike)]
                   for d in range(options.distance + 1)]  # fmt: skip
        ids = [name for group in groups.values() for name in group]
        yield Finding(
            "near-pictures",
            "warning" if groups and len(place) > 1 else "note",
            f"{plural(counted[0][0], 'pair')} of different photographs have equal published hashes "
            f"in {' and '.join(place)}, {counted[0][1]:,} of them of one subject"
            + (f" ({some(ids, 2)})" if ids else ""),
            "look at those of one subject; keep copies of one picture on one side of a split",
            ids,
            {
                "splits": list(place),
                "pairs_by_bits": {str(d): n for d, (n, _) in enumerate(counted)},
                "of_one_subject_by_bits": {str(d): n for d, (_, n) in enumerate(counted)},
                "groups": list(groups.values()),
            },
            ids[:6],
        )


def _subjects(dataset: Dataset) -> dict[str, str]:
    """What each photograph was searched for; empty where nobody says."""
    return {
        name: getattr(record, "synset", "")
        for item, record in zip(items(dataset), dataset.records.values(), strict=True)
        for name in item.pictures
    }


def _groups(
    names: list[str],
    pairs: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    table: np.ndarray[tuple[int, ...], np.dtype[np.uint64]],
    where: Mapping[str, set[str]],
    same: Mapping[str, str],
) -> Iterator[Finding]:
    edges = [(names[i], names[j]) for i, j in pairs.tolist() if same[names[i]] != same[names[j]]]
    top = components(edges)
    groups: dict[str, list[str]] = {}
    for name in sorted(top):
        groups.setdefault(top[name], []).append(name)
    by_name = dict(zip(names, table, strict=True))
    crossing = [g for g in groups.values() if len(set.union(*(where[n] for n in g))) > 1]
    for group in [*crossing, *(g for g in groups.values() if g not in crossing)]:
        splits = sorted(set.union(*(where[n] for n in group)))
        bits = max(int(by_name[a] ^ by_name[group[0]]).bit_count() for a in group)
        yield Finding(
            "near-pictures",
            "warning" if group in crossing else "note",
            f"{plural(len(group), 'picture')} look alike in {' and '.join(splits)} "
            f"({bits} of 64 bits differ): {', '.join(group[:4])}",
            "look at them; keep copies of one picture on one side of a split",
            group,
            {"bits": bits, "splits": splits},
            group[:6],
        )


def _hashes(
    dataset: Dataset, names: Sequence[str], options: LintOptions
) -> tuple[dict[str, int], int]:
    """A hash of each picture's pixels, and how many have none."""
    found: dict[str, int] = {}
    unread = 0
    for done, name in enumerate(names):
        options.progress("hashes of pictures", done, len(names))
        try:
            pixels = dataset.store.pixels(dataset.store.picture(name), 64)
        except BadInput:
            unread += 1
            continue
        found[name] = perceptual_hash(pixels)
    return found, unread
