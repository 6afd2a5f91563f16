"""Tangrams whose silhouettes are nearly the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Dataset
from deixis.lint.finding import Finding, LintOptions
from deixis.pictures.paint import silhouette
from deixis.pictures.store import TangramStore

SIDE = 96
"""Pixels: the longer side of the bounding box fills them; the shape is not stretched."""

ROWS = 256


def near_silhouettes(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """One finding for each pair above the overlap; pairs across splits are warnings.

    All pictures of the store are compared, also those whose annotations are not at hand. A high
    overlap is no proof of identity: mirror-like and slightly turned figures reach it, too.
    """
    if not isinstance(dataset.store, TangramStore):
        return
    names = dataset.store.names
    shapes = np.empty((len(names), SIDE * SIDE), np.float32)
    for i, name in enumerate(names):
        options.progress("silhouettes", i, len(names))
        shapes[i] = silhouette(dataset.store.tangram(name), SIDE).ravel() > 0.5
    where, family = _splits(dataset), _families(dataset)
    pairs = [
        (value, names[i], names[j])
        for i, j, value in overlapping(shapes, options.overlap)
        if family.get(names[i], names[i]) != family.get(names[j], names[j])
    ]
    for value, one, other in sorted(pairs, key=lambda p: (-p[0], p[1:])):
        splits = [where.get(one, ""), where.get(other, "")]
        crossing = all(splits) and splits[0] != splits[1]
        place = f"{splits[0]} and {splits[1]}" if crossing else splits[0] or splits[1] or "no split"
        yield Finding(
            "near-silhouettes",
            "warning" if crossing else "note",
            f"{one} and {other} overlap by {value:.3f} ({place})",
            "look at them; merge copies, and keep them on one side of a split",
            [one, other],
            {"overlap": value, "splits": splits},
            [one, other],
        )


def overlapping(shapes: NDArray[np.float32], least: float) -> Iterator[tuple[int, int, float]]:
    """Pairs of masks whose intersection over union is above `least`: i < j and the value.

    Args:
        shapes: 0 and 1, shape (n, pixels); compared a few rows at a time.
        least: 0 to 1.

    >>> masks = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]], np.float32)
    >>> [(i, j, round(v, 3)) for i, j, v in overlapping(masks, 0.5)]
    [(0, 1, 0.667)]
    """
    sizes = shapes.sum(axis=1)
    for start in range(0, len(shapes), ROWS):
        both = shapes[start : start + ROWS] @ shapes[start:].T
        either = sizes[start : start + ROWS, None] + sizes[start:] - both
        value = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
        for i, j in np.argwhere(value > least):
            if i < j:
                yield int(start + i), int(start + j), float(value[i, j])


def _splits(dataset: Dataset) -> dict[str, str]:
    """The split of each picture: as the source lists them, else by the records."""
    listed: Mapping[str, tuple[str, ...]] = dataset.extras.get("pictures", {})
    found: dict[str, str] = {}
    for split, ids in dataset.splits.items():
        for i in ids:
            found.setdefault(dataset.records[i].picture, split)
    return found | {picture: split for split, pictures in listed.items() for picture in pictures}


def _families(dataset: Dataset) -> dict[str, str]:
    """Figures of one family are variants on purpose."""
    return {r.picture: r.family for r in dataset.records.values() if r.family}
