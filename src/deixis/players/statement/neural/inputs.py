"""What models of statements get: words and pictures of some views, as tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from deixis.dataset import Store
from deixis.encodings import Cache
from deixis.players.statement.neural.looks import Array, Looks, Shape, gallery
from deixis.players.statement.neural.sentences import Words
from deixis.seeds import draw
from deixis.text.layout import Layout
from deixis.trials import StatementView

Parser = Callable[[str], Layout]
"""The layout of any sentence."""


@dataclass(frozen=True)
class Inputs:
    """A batch of n statements.

    Attributes:
        ids: of the views.
        tokens: numbers of words, shape (n, longest).
        lengths: of the sentences, shape (n,).
        boxes: what is seen, from left to right, shape (n, boxes, channels, rows, columns).
        layouts: of the sentences; empty where the model needs none.
        labels: 1 for true, shape (n,); None where they are not to be known.
    """

    ids: tuple[str, ...]
    tokens: Tensor
    lengths: Tensor
    boxes: Tensor
    layouts: tuple[Layout, ...] = ()
    labels: Tensor | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def to(self, device: torch.device) -> Inputs:
        """The batch on a device; lengths stay where they are."""
        labels = None if self.labels is None else self.labels.to(device)
        return replace(
            self, tokens=self.tokens.to(device), boxes=self.boxes.to(device), labels=labels
        )


class Table:
    """Views as rows; every distinct sentence and picture is turned into numbers once.

    Attributes:
        ids: of the views.
        shape: of what one view shows: boxes, channels, rows, columns.
    """

    def __init__(
        self,
        views: Sequence[StatementView],
        store: Store,
        looks: Looks,
        words: Words,
        cache: Cache,
        *,
        parser: Parser | None = None,
        labels: Sequence[bool] | None = None,
    ) -> None:
        self.ids = tuple(v.id for v in views)
        self._held, self._rows = gallery(looks, store, views, cache)
        self._one = looks.shape(store)
        self.shape: Shape = (self._one[0] * self._rows.shape[1], *self._one[1:])
        first: dict[str, int] = {}
        self._sentence = [first.setdefault(v.sentence, len(first)) for v in views]
        self._tokens, self._lengths = words.rows(list(first))
        self._layouts = [parser(s) for s in first] if parser else []
        self._labels = None if labels is None else torch.tensor(labels, dtype=torch.float32)

    def __len__(self) -> int:
        return len(self.ids)

    def batch(self, rows: Sequence[int]) -> Inputs:
        """Some of the rows."""
        sentences = [self._sentence[i] for i in rows]
        lengths = self._lengths[sentences]
        held = self._pictures(np.asarray(self._held[self._rows[list(rows)].ravel()]))
        return Inputs(
            tuple(self.ids[i] for i in rows),
            self._tokens[sentences][:, : int(lengths.max())],
            lengths,
            held.reshape(len(rows), *self.shape),
            tuple(self._layouts[s] for s in sentences) if self._layouts else (),
            None if self._labels is None else self._labels[list(rows)],
        )

    def batches(self, size: int) -> list[Inputs]:
        """All rows in order, some at a time, made on the way."""
        return [self.batch(range(i, min(i + size, len(self)))) for i in range(0, len(self), size)]

    @staticmethod
    def _pictures(held: Array) -> Tensor:
        return torch.from_numpy(held).float()


class Epoch(Sequence[Inputs]):
    """The batches of one epoch in a drawn order, made when they are asked for."""

    def __init__(self, table: Table, size: int, seed: int, number: int) -> None:
        self.table, self.size = table, size
        self.order = draw(seed, "batches", number).permutation(len(table)).tolist()

    def __len__(self) -> int:
        return -(-len(self.order) // self.size)

    def __getitem__(self, number: int) -> Inputs:  # type: ignore[override]
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self.table.batch(self.order[number * self.size : (number + 1) * self.size])
