"""How pictures reach a model: as features of an eye, or as their own pixels, box by box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import max_pool2d

from deixis.dataset import Store
from deixis.encodings import Cache, encode
from deixis.pictures.scene import BAR, SIDE
from deixis.pictures.scenestore import SceneStore
from deixis.pictures.store import square
from deixis.players.statement.neural import eye as eyes
from deixis.tasks.statement import NOTHING
from deixis.training import weights
from deixis.trials import Picture, StatementView

Array = NDArray[Any]
Shape = tuple[int, int, int, int]
"""Boxes, channels, rows, columns."""


class Looks(Protocol):
    """Turns pictures into numbers.

    Attributes:
        revision: changes whenever the numbers could.
        salient: whether the last channel says, from 0 to 1, that a thing's centre is in a cell.
    """

    revision: str
    salient: bool

    def shape(self, store: Store, /) -> Shape:
        """Of one picture of the store."""

    def __call__(self, store: Store, pictures: Sequence[Picture], /) -> Array:
        """Numbers of pictures, each flattened, shape (n, boxes × channels × rows × columns)."""


def native(store: Store, picture: Picture) -> NDArray[np.uint8]:
    """A scene in its own size; any other picture padded to a square of one box."""
    if isinstance(store, SceneStore):
        return store.native(picture)
    return square(store.pixels(picture, SIDE), SIDE)


def boxes_of(store: Store) -> int:
    """How many boxes a picture of the store shows; one where it shows no scenes."""
    return store.boxes if isinstance(store, SceneStore) else 1


def cut(store: Store, pictures: Sequence[Picture]) -> torch.Tensor:
    """All boxes of pictures, shape (pictures × boxes, 3, SIDE, SIDE), bytes."""
    step = SIDE + BAR
    boxes = [
        native(store, p)[:, i * step : i * step + SIDE]
        for p in pictures
        for i in range(boxes_of(store))
    ]
    return torch.from_numpy(np.stack(boxes)).permute(0, 3, 1, 2)


class Seen:
    """Features of the pre-trained eye for boxes, box by box, and where it sees centres of things.

    Cells may be pooled: of each square of them, the largest of each feature is kept.
    """

    salient = True

    def __init__(self, pooled: int = 1) -> None:
        """See in cells of `pooled` × `pooled` of the eye's own."""
        self.pooled = pooled
        self.revision = f"{weights.fingerprint(eyes.pretrained().state_dict())} {pooled}"

    def shape(self, store: Store) -> Shape:
        """See `Looks`."""
        cells = -(-eyes.CELLS // self.pooled)
        return (boxes_of(store), eyes.pretrained().width + 1, cells, cells)

    def __call__(self, store: Store, pictures: Sequence[Picture]) -> Array:
        """See `Looks`; half precision."""
        with torch.inference_mode():
            found = eyes.pretrained()(cut(store, pictures))
            found = torch.cat([found, eyes.pretrained().there(found).sigmoid()], dim=1)
            found = max_pool2d(found, self.pooled, ceil_mode=True)
        flat: Array = found.half().numpy().reshape(len(pictures), -1)
        return flat


class Named:
    """What the pre-trained eye names, box by box: color, shape and size of what is in a cell.

    Channels are the chances of each color, shape and size, and where in the cell the centre is,
    all times the chance that there is a centre at all; then that chance. Where nothing is, all
    are 0, so models that compare sentences with cells are not held up by empty ground.
    """

    salient = True

    def __init__(self, pooled: int = 1) -> None:
        """See in cells of `pooled` × `pooled` of the eye's own, the largest of each channel."""
        self.pooled = pooled
        self.revision = f"named {weights.fingerprint(eyes.pretrained().state_dict())} {pooled}"

    def shape(self, store: Store) -> Shape:
        """See `Looks`."""
        cells = -(-eyes.CELLS // self.pooled)
        return (boxes_of(store), eyes.NAMED, cells, cells)

    def __call__(self, store: Store, pictures: Sequence[Picture]) -> Array:
        """See `Looks`; half precision."""
        with torch.inference_mode():
            found = max_pool2d(
                eyes.pretrained().name(cut(store, pictures)), self.pooled, ceil_mode=True
            )
        flat: Array = found.half().numpy().reshape(len(pictures), -1)
        return flat


class Pixels:
    """A picture's own pixels, 0 to 255, in one piece."""

    revision = "pixels"
    salient = False

    def shape(self, store: Store) -> Shape:
        """See `Looks`."""
        return (1, 3, SIDE, (SIDE + BAR) * boxes_of(store) - BAR)

    def __call__(self, store: Store, pictures: Sequence[Picture]) -> Array:
        """See `Looks`; bytes."""
        return np.stack([native(store, p).transpose(2, 0, 1).ravel() for p in pictures])


class Blind:
    """Nothing of any picture, for models that only read."""

    revision = "blind"
    salient = False

    def shape(self, _: Store) -> Shape:
        """See `Looks`."""
        return (1, 1, 1, 1)

    def __call__(self, _: Store, pictures: Sequence[Picture]) -> Array:
        """See `Looks`."""
        return np.zeros((len(pictures), 1), np.uint8)


def shown(view: StatementView) -> tuple[Picture, ...]:
    """The pictures of a view, from left to right."""
    return tuple(p for p in (view.left, view.right) if p != NOTHING)


def gallery(
    looks: Looks, store: Store, views: Sequence[StatementView], cache: Cache
) -> tuple[Array, NDArray[np.int64]]:
    """Numbers of the distinct pictures of views.

    Returns:
        Shape (m, …) flattened pictures; and rows among them, shape (n, pictures of a view).
    """
    pictures = [p for v in views for p in shown(v)]
    held, rows = encode(
        pictures,
        key=lambda p: p.key,
        by=f"{looks.revision} {looks.shape(store)}",
        encoder=lambda some: looks(store, some),
        cache=cache,
    )
    return held, rows.reshape(len(views), -1)
