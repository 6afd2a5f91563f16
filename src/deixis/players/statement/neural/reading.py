"""What the eye makes of a picture, as a scene: nothing is decoded, all is seen.

Where the eye sees a centre there is a thing, of the likeliest color, shape and size.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray

from deixis.pictures.scene import COLORS, SHAPES, SIDE, SIZES, Scene, Thing
from deixis.pictures.scenestore import SceneStore
from deixis.players.statement.neural import eye as eyes
from deixis.players.statement.neural.looks import cut
from deixis.players.statement.sights import Sight
from deixis.training import weights
from deixis.trials import Picture

Floats = NDArray[np.float32]

APART = 5.0
"""Pixels: two centres nearer than this are one, seen from two cells."""

_COLORS = tuple(COLORS)
_SHAPES, _SIZES = len(_COLORS), len(_COLORS) + len(SHAPES)
_PLACE = _SIZES + len(SIZES)
_BATCH = 32


@cache
def eyesight() -> Sight:
    """How players see that look through the eye."""
    return Sight("eye", weights.fingerprint(eyes.pretrained().state_dict()), read)


def read(store: SceneStore, pictures: Sequence[Picture]) -> list[Scene]:
    """The scenes of pictures as the eye that comes with this package sees them, edits and all.

    Each distinct picture of a store is looked at once.
    """
    known: dict[str, Scene] = store.derived("scenes the eye saw", dict)
    new = list({p.key: p for p in pictures if p.key not in known}.values())
    for start in range(0, len(new), _BATCH):
        part = new[start : start + _BATCH]
        with torch.inference_mode():
            named = eyes.pretrained().name(cut(store, part)).numpy()
        boxes = named.reshape(len(part), -1, *named.shape[1:])
        known |= {p.key: tuple(map(things, b)) for p, b in zip(part, boxes, strict=True)}
    return [known[p.key] for p in pictures]


def things(named: Floats) -> tuple[Thing, ...]:
    """The things of one box.

    Args:
        named: what the eye names in each cell, shape (NAMED, CELLS, CELLS), as `Eye.name` says it.
    """
    surely = named[-1]
    cells = np.argwhere(surely > 0.5)
    order = np.argsort(-surely[tuple(cells.T)], kind="stable")
    kept: list[tuple[NDArray[np.float64], Thing]] = []
    for y, x in cells[order]:
        said = named[:-1, y, x].astype(float) / surely[y, x]
        centre = (said[_PLACE:] + np.array([y, x])) * eyes.STRIDE
        if all(np.abs(centre - other).max() >= APART for other, _ in kept):
            kept.append((centre, _thing(said, centre)))
    return tuple(sorted(thing for _, thing in kept))


def _thing(said: NDArray[np.float64], centre: NDArray[np.float64]) -> Thing:
    size = SIZES[int(said[_SIZES:_PLACE].argmax())]
    y, x = np.clip(np.rint(centre - size / 2), 0, SIDE - size).astype(int).tolist()
    shape = SHAPES[int(said[_SHAPES:_SIZES].argmax())]
    return Thing(y, x, size, shape, _COLORS[int(said[:_SHAPES].argmax())])
