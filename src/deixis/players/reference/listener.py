"""What listeners that look at groups of pieces have in common, whatever they learn with.

They compare texts with shapes in three ways: whole texts with figures, the joined names of parts
with figures, and each single name with the group of pieces that its color shows. Where no picture
is painted the second way takes the place of the third.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from deixis.encodings import Memory, encode
from deixis.errors import BadInput
from deixis.pictures.features import group_features
from deixis.pictures.store import TangramStore
from deixis.players.common.oracle import answers
from deixis.players.common.pairs import dots, scored
from deixis.replies import Replies
from deixis.tasks.see import views as views_of
from deixis.tasks.task import Task
from deixis.trials import Description, Paint, Picture, ReferenceView

Floats = NDArray[np.floating]
Ints = NDArray[np.int64]
Group = tuple[str, tuple[int, ...]]
"""A figure, and the ids of some of its pieces."""

ALL = (1, 2, 3, 4, 5, 6, 7)

WAYS = ("whole", "names", "parts")
"""The three comparisons."""


class Listener(ABC):
    """Plays by dot products of texts and shapes.

    Attributes:
        name: of the player.
        revision: of all numbers that replies depend on.
        store: of tangrams.
        parts: weight of names and parts against the whole.
    """

    name: str
    revision: str

    def __init__(self, store: TangramStore, parts: float) -> None:
        self.store = store
        self.parts = parts
        self._cache = Memory()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_cache": Memory()}

    @abstractmethod
    def texts(self, way: str, texts: list[str]) -> Floats:
        """Vectors of texts for one of the `WAYS`, shape (n, d)."""

    @abstractmethod
    def shapes(self, way: str, groups: list[Group]) -> Floats:
        """Vectors of groups of visible figures, shape (n, d)."""

    @abstractmethod
    def looking(self, store: TangramStore) -> Self:
        """The same listener looking at other tangrams."""

    def at(self, task: Task) -> Self:
        """The same listener looking at another task's pictures."""
        store = tangrams(task, self.name)
        return self if store is self.store else self.looking(store)

    def reply(self, views: Sequence[ReferenceView]) -> Replies:
        """The whole against each figure, and parts against groups or figures."""
        whole = self._figures(views, "whole", [t.whole for v in views for t in v.texts])
        blind = [" ".join(t.parts) if not painted(v) else "" for v in views for t in v.texts]
        names = self._figures(views, "names", blind)
        assert whole.scores is not None  # `scored` gives scores
        assert names.scores is not None
        parts = names.scores + self._groups(views)
        return Replies(whole.ids, whole.status, whole.scores + self.parts * parts)

    def _figures(self, views: Sequence[ReferenceView], way: str, texts: list[str]) -> Replies:
        vectors, text_of = self._texts(way, texts)
        figures, figure_of = self._shapes(
            way, [(visible(p), ALL) for v in views for p in v.pictures]
        )
        return scored(views, text_of, figure_of, lambda t, p: dots(vectors, figures, t, p))

    def _groups(self, views: Sequence[ReferenceView]) -> NDArray[np.float64]:
        """Sum over parts of each part's text against the pieces in its color."""
        cells, names, groups = [], [], []
        for row, view in enumerate(views):
            for option in range(view.k):
                text = view.texts[option if len(view.texts) > 1 else 0]
                picture = view.pictures[option if len(view.pictures) > 1 else 0]
                for position, pieces in colored(picture, len(text.parts)):
                    cells.append((row, option))
                    names.append(text.parts[position])
                    groups.append((visible(picture), pieces))
        table = np.zeros((len(views), max(v.k for v in views)))
        if not cells:
            return table
        vectors, name_of = self._texts("parts", names)
        shapes, group_of = self._shapes("parts", groups)
        width = len(shapes)
        pairs, back = np.unique(name_of * width + group_of, return_inverse=True)
        values = dots(vectors, shapes, pairs // width, pairs % width)[back]
        np.add.at(table, tuple(np.array(cells).T), values)
        return table

    def _texts(self, way: str, texts: list[str]) -> tuple[Floats, Ints]:
        return encode(
            texts,
            key=str,
            encoder=lambda some: self.texts(way, some),
            by=f"{way} texts",
            cache=self._cache,
        )

    def _shapes(self, way: str, groups: list[Group]) -> tuple[Floats, Ints]:
        def encoder(some: list[Group]) -> Floats:
            """Zero where there is no figure to see."""
            seen = [i for i, (figure, _) in enumerate(some) if figure]
            vectors = self.shapes(way, [some[i] for i in seen] or [("square", ALL)])
            made = np.zeros((len(some), vectors.shape[1]))
            if seen:
                made[seen] = vectors
            return made

        return encode(groups, key=repr, encoder=encoder, by=f"{way} shapes", cache=self._cache)


def seen_pairs(task: Task) -> list[tuple[Description, Picture]]:
    """The text and the target of each trial, as the task's condition shows them."""
    seen = views_of(task)
    pairs = []
    for view, answer in zip(seen, answers(task, seen), strict=True):
        text = view.texts[answer if len(view.texts) > 1 else 0]
        pairs.append((text, view.pictures[answer if len(view.pictures) > 1 else 0]))
    return pairs


def describe(store: TangramStore, group: Group) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measurements, shape (45,), and coverage, shape (256,), of a group; made once."""
    figure, pieces = group
    return store.derived(
        ("group features", group), lambda: group_features(store.tangram(figure), pieces)
    )


def tangrams(task: Task, player: str) -> TangramStore:
    """The task's store.

    Raises:
        BadInput: it holds no tangrams.
    """
    if not isinstance(task.store, TangramStore):
        raise BadInput(f"{player} reads tangrams, and {task.name} has none")
    return task.store


def visible(picture: Picture) -> str:
    """The name of the tangram to be seen; empty where there is none."""
    return "" if picture.edits or picture.source == "blank" else picture.source


def painted(view: ReferenceView) -> bool:
    """Whether any of its pictures shows colors."""
    return any(p.paint is not None for p in view.pictures)


def colored(picture: Picture, count: int) -> list[tuple[int, tuple[int, ...]]]:
    """Position and pieces of each part that a color shows, up to `count` parts."""
    paint: Paint = picture.paint or ()
    groups: dict[int, list[int]] = {}
    for piece, position in enumerate(paint, start=1):
        if position is not None and position < count and visible(picture):
            groups.setdefault(position, []).append(piece)
    return [(position, tuple(pieces)) for position, pieces in sorted(groups.items())]
