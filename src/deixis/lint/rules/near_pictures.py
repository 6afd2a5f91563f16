"""Pictures that are nearly the same, inside a split and across: by perceptual hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.lint.finding import Finding, LintOptions, plural
from deixis.lint.hashes import perceptual_hash
from deixis.lint.items import contents, items
from deixis.lint.near import components, near_hashes
from deixis.pictures.scenestore import SceneStore
from deixis.pictures.store import TangramStore

DRAWN = (TangramStore, SceneStore)
"""Stores of drawings: there, other rules know better than a hash what is the same."""

FLAT = 4
"""Hashes with fewer bits set, or unset, are of pictures without a shape, and say nothing."""


def near_pictures(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """One finding for each group of near pictures; groups across splits are warnings."""
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
    # Published hashes are of average brightness: of a photograph they tell little, so that only
    # equal ones say something.
    for hashes, distance in ((told, 0), (seen, options.distance)):
        kept = [n for n, h in hashes.items() if FLAT <= int(h).bit_count() <= 64 - FLAT]
        table = np.array([hashes[n] for n in kept], np.uint64)
        pairs = near_hashes(table, distance)
        yield from _groups(kept, pairs, table, where, contents(dataset, kept))


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
