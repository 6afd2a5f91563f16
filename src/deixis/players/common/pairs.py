"""Score texts against pictures, each distinct pair once.

Two views that hold the same text and the same picture get the very same number, so ties are ties
however the arithmetic rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from deixis.encodings import Cache, Memory, encode
from deixis.players.protocols import DualEncoder, Floats, Limited, Looking, PairScorer
from deixis.replies import Replies
from deixis.tasks.task import Task
from deixis.trials import Description, ReferenceView

Ints = NDArray[np.int64]

_BLOCK = 16_384
"""Pairs whose vectors are gathered at a time; bounds the memory."""


class DualPlayer:
    """Plays reference games with a dual encoder; each distinct input is encoded once."""

    def __init__(self, encoder: DualEncoder, cache: Cache | None = None, batch: int = 256) -> None:
        """Adapt.

        Args:
            encoder: gives vectors; scores are dot products.
            cache: where vectors are kept; by default as long as the player lives.
            batch: inputs encoded at a time.
        """
        self.encoder = encoder
        self.name, self.revision = encoder.name, encoder.revision
        self._cache: Cache = Memory() if cache is None else cache
        self._batch = batch

    def at(self, task: Task) -> Self:
        """The same player looking at another task's pictures."""
        if not isinstance(self.encoder, Looking):
            return self
        return type(self)(self.encoder.at(task.store), self._cache, self._batch)

    def reply(self, views: Sequence[ReferenceView]) -> Replies:
        """Dot products of texts and pictures."""
        by = f"{self.name}@{self.revision}"
        written = [str(t) for v in views for t in v.texts]
        texts, text_of = encode(
            written,
            key=str,
            by=f"{by} texts",
            encoder=self.encoder.texts,
            cache=self._cache,
            batch=self._batch,
        )
        pictures, picture_of = encode(
            [p for v in views for p in v.pictures],
            key=lambda p: p.key,
            by=f"{by} pictures",
            encoder=self.encoder.pictures,
            cache=self._cache,
            batch=self._batch,
        )
        replies = scored(views, text_of, picture_of, lambda t, p: dots(texts, pictures, t, p))
        return replace(replies, cut=cut(views, written, self.encoder, by, self._cache))


class PairPlayer:
    """Plays reference games with a joint scorer; each distinct pair is scored once."""

    def __init__(self, scorer: PairScorer, batch: int = 64) -> None:
        """Adapt a scorer that takes `batch` pairs at a time."""
        self.scorer = scorer
        self.name, self.revision = scorer.name, scorer.revision
        self._batch = batch
        self._known: dict[tuple[Description, str], float] = {}
        self._lengths = Memory()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_known": {}, "_lengths": Memory()}

    def at(self, task: Task) -> Self:
        """The same player looking at another task's pictures; it remembers the same pairs."""
        if not isinstance(self.scorer, Looking):
            return self
        other = type(self)(self.scorer.at(task.store), self._batch)
        other._known, other._lengths = self._known, self._lengths
        return other

    def reply(self, views: Sequence[ReferenceView]) -> Replies:
        """Scores of distinct pairs, remembered as long as the player lives."""
        texts: dict[Description, int] = {}
        written = [t for v in views for t in v.texts]
        text_of = [texts.setdefault(t, len(texts)) for t in written]
        rows: dict[str, int] = {}
        picture_of = [rows.setdefault(p.key, len(rows)) for v in views for p in v.pictures]
        pictures = {p.key: p for v in views for p in v.pictures}
        text_list, picture_list = list(texts), [pictures[k] for k in rows]

        def scorer(t: Ints, p: Ints) -> Floats:
            pairs = [(text_list[i], picture_list[j]) for i, j in zip(t, p, strict=True)]
            new = [(a, b) for a, b in pairs if (a, b.key) not in self._known]
            for start in range(0, len(new), self._batch):
                part = new[start : start + self._batch]
                values = self.scorer.pairs([a for a, _ in part], [b for _, b in part])
                self._known.update(
                    {(a, b.key): float(s) for (a, b), s in zip(part, values, strict=True)}
                )
            return np.array([self._known[a, b.key] for a, b in pairs])

        replies = scored(views, np.array(text_of), np.array(picture_of), scorer)
        by = f"{self.name}@{self.revision}"
        return replace(
            replies, cut=cut(views, [str(t) for t in written], self.scorer, by, self._lengths)
        )


def cut(
    views: Sequence[ReferenceView], texts: Sequence[str], by_whom: Any, by: str, cache: Cache
) -> NDArray[np.bool_] | None:
    """Which views hold a text that loses its end, shape (n,); None where any length is taken.

    Args:
        views: n games.
        texts: their texts, views one after the other.
        by_whom: an encoder or scorer, perhaps `Limited`.
        by: names it, for the cache.
        cache: remembers which texts are too long, so that no tokeniser is needed again.
    """
    if not isinstance(by_whom, Limited) or not views:
        return None
    limited: Limited = by_whom
    over, rows = encode(
        texts,
        key=str,
        by=f"{by} over",
        encoder=lambda some: np.asarray(limited.over(some), np.float32)[:, None],
        cache=cache,
    )
    starts = np.cumsum([0, *(len(v.texts) for v in views[:-1])])
    return np.logical_or.reduceat(over[rows, 0] > 0, starts)


def scored(
    views: Sequence[ReferenceView],
    text_of: Ints,
    picture_of: Ints,
    scorer: Callable[[Ints, Ints], Floats],
) -> Replies:
    """Replies from a scorer of distinct pairs.

    Args:
        views: n games.
        text_of: the row of each text of each view, views one after the other.
        picture_of: the same of pictures.
        scorer: scores of pairs, given rows of texts and of pictures, both of shape (m,).
    """
    sizes = np.array([v.k for v in views])
    texts = _spread(text_of, np.array([len(v.texts) for v in views]), sizes)
    pictures = _spread(picture_of, np.array([len(v.pictures) for v in views]), sizes)
    width = int(pictures.max(initial=0)) + 1
    pairs, back = np.unique(texts * width + pictures, return_inverse=True)
    values = np.asarray(scorer(pairs // width, pairs % width), np.float64)[back]
    table = np.full((len(views), int(sizes.max(initial=0))), np.nan)
    table[np.arange(table.shape[1]) < sizes[:, None]] = values
    return Replies.scored(views, [row[: v.k] for row, v in zip(table, views, strict=True)])


def dots(texts: Floats, pictures: Floats, t: Ints, p: Ints) -> Floats:
    """Dot products of chosen rows, shape (m,)."""
    out = np.empty(len(t), np.result_type(texts, pictures))
    for start in range(0, len(t), _BLOCK):
        part = slice(start, start + _BLOCK)
        out[part] = np.einsum("nd,nd->n", texts[t[part]], pictures[p[part]])
    return out


def _spread(rows: Ints, lengths: Ints, sizes: Ints) -> Ints:
    """One row for each option: a view's only text is repeated for each of its pictures."""
    starts = np.cumsum(lengths) - lengths
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    single = np.repeat(lengths == 1, sizes)
    return np.asarray(rows[np.repeat(starts, sizes) + np.where(single, 0, within)], np.int64)
