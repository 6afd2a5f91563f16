"""What pictures look like, as words: all that a learner of pictures alone is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from deixis.dataset import Dataset, Statement
from deixis.errors import BadInput
from deixis.pictures.scene import Scene
from deixis.pictures.scenestore import SceneStore
from deixis.text.vocabulary import words

GRID = 8
"""Photographs are seen as so many fields a side, each of one of 27 colors."""


def picture_words(dataset: Dataset, ids: Sequence[str]) -> list[list[str]] | None:
    """Words for the pictures of each statement; None where nothing is known of some picture.

    Scenes give their things by box, photographs coarse colors by place, and pictures without files
    the phrase that they were searched for.
    """
    records: list[Statement] = [dataset.records[i] for i in ids]
    if isinstance(dataset.store, SceneStore):
        store = dataset.store
        return [scene_words(store.scene(r.pictures[0][0])) for r in records]
    if all(r.query or r.synset for r in records):
        return [[r.synset, *words(f"{r.query} {r.synset}".lower())] for r in records]
    found: list[list[str]] = []
    for record in records:
        own: list[str] = []
        for side, name in zip("lr", record.pictures[0], strict=True):
            try:
                pixels = dataset.store.pixels(dataset.store.picture(name), GRID) if name else None
            except BadInput:
                return None
            if pixels is not None:
                own += [f"{side}{place} {color}" for place, color in enumerate(_colors(pixels))]
        found.append(own)
    return found


def scene_words(scene: Scene) -> list[str]:
    """Counts of each kind of thing in the whole picture and in each box.

    >>> scene_words(())
    ['0 things']
    """
    made = [f"{sum(map(len, scene))} things"]
    for where, things in [("all", [t for box in scene for t in box]), *enumerate(scene)]:
        kinds = Counter(f"{t.color} {t.shape}" for t in things)
        kinds.update(f"{t.color}" for t in things)
        kinds.update(f"{t.shape}" for t in things)
        made += [f"{where}: {n} {kind}" for kind, n in kinds.items()]
    return made


def _colors(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[int]:
    """Each field's color, three levels of each channel."""
    levels = pixels.reshape(-1, 3).astype(np.int64) * 3 // 256
    return [int(c) for c in levels @ np.array([9, 3, 1])]
