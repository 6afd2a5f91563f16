"""Neural modules: what each module of a layout computes, softly, from features of boxes.

Things are an attention over the cells of all boxes, boxes and truths are probabilities. Modules
that read words get them as a vector; logic has no weights (Andreas et al., CVPR 2016; Hu et al.,
ICCV 2017, whose `find`, `filter` and `transform` these are, with relations between cells in place
of convolutions).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from deixis.players.statement.neural.looks import Shape

NUMBERS = 10
"""Counts that are told apart: 0 to 8, and 9 or more."""

PLANES = 3
"""Half-planes whose intersection a relation between two cells is."""

_ORDERS = 4


@dataclass(frozen=True)
class Cells:
    """Everything that is computed once for each view.

    Attributes:
        objects: whether there is a thing at all, shape (n, boxes, cells).
        hidden: for `find`, shape (n, boxes, cells, width).
        places: for `filter`, with the order of things from above, shape (n, boxes, cells, width).
        related: for `transform`, shape (n, boxes, cells, width).
        colors: classes of things, shape (n, boxes, cells, classes), sums to 1 over the last.
    """

    objects: Tensor
    hidden: Tensor
    places: Tensor
    related: Tensor
    colors: Tensor


def tents(numbers: Tensor, most: int = NUMBERS) -> Tensor:
    """How near a number is to each count, from 0 to `most` - 1 or more, 1 if it is that.

    >>> tents(torch.tensor([1.25]), 4).tolist()
    [[0.0, 0.75, 0.25, 0.0]]
    """
    counts = torch.arange(most, device=numbers.device)
    return relu(1 - (numbers.clamp(max=most - 1)[..., None] - counts).abs())


class Modules(nn.Module):
    """The weights of all modules.

    Attributes:
        text: size of the vector that modules read.
        kept: cells of a box that are looked at: those whose last channel is largest, which says
            where things are; 0 for all cells, and it is learnt where things are.
    """

    def __init__(
        self,
        shape: Shape,
        text: int,
        width: int = 48,
        *,
        kept: int = 0,
        classes: int = 4,
    ) -> None:
        super().__init__()
        boxes, channels, rows, columns = shape
        self.text = text
        self.kept = kept
        self.register_buffer("where", _where(boxes, rows, columns), persistent=False)
        known = channels + self.where.shape[-1]
        self.hide = nn.Linear(known, width)
        self.object = nn.Linear(channels, 1)
        with torch.no_grad():
            self.object.bias.fill_(-4.0)
            if kept:
                self.object.weight.zero_()
                self.object.weight[0, -1] = 8.0
        self.place = nn.Linear(known + _ORDERS, width)
        self.relate = nn.Linear(known, width)
        self.color = nn.Linear(width, classes)
        self.finds = nn.Linear(text, width + 1)
        self.filters = nn.Linear(text, width + 1)
        self.relates = nn.Linear(text, PLANES * (2 * width + 1))
        self.counts = nn.Linear(text, NUMBERS)
        self.boxed = nn.Linear(text, boxes + 1)
        self.margin = nn.Parameter(torch.tensor([8.0, -4.0]))

    where: Tensor

    def cells(self, boxes: Tensor) -> Cells:
        """Prepare views, shape (n, boxes, channels, rows, columns)."""
        features = boxes.flatten(3).transpose(2, 3)
        known = torch.cat([features, self.where.expand(len(boxes), -1, -1, -1)], dim=3)
        if self.kept:
            chosen = features[..., -1].topk(min(self.kept, features.shape[2]), dim=2).indices
            known = known.gather(2, chosen[..., None].expand(-1, -1, -1, known.shape[3]))
        channels = features.shape[3]
        objects = self.object(known[..., :channels])[..., 0].sigmoid()
        hidden = relu(self.hide(known))
        orders = in_order(objects, known[..., channels])
        places = relu(self.place(torch.cat([known, orders], dim=3)))
        related, colors = relu(self.relate(known)), self.color(hidden).softmax(3)
        return Cells(objects, hidden, places, related, colors)

    def find(self, cells: Cells, rows: Tensor, text: Tensor) -> Tensor:
        """Things that words name, shape (m, boxes, cells)."""
        return cells.objects[rows] * _named(cells.hidden[rows], self.finds(text))

    def filter(self, cells: Cells, rows: Tensor, text: Tensor, things: Tensor) -> Tensor:
        """Those of the things that are at a place."""
        return things * _named(cells.places[rows], self.filters(text))

    def transform(self, cells: Cells, rows: Tensor, text: Tensor, things: Tensor) -> Tensor:
        """Whatever stands so to one of these, in the same box."""
        width = cells.related.shape[3]
        weights = self.relates(text).reshape(len(text), PLANES, -1)
        own, other, bias = weights.split([width, width, 1], dim=2)
        seen = cells.related[rows]
        left = torch.einsum("mbkw,mpw->mbpk", seen, own) + bias[:, None]
        right = torch.einsum("mbkw,mpw->mbpk", seen, other)
        holds: Tensor = (left[..., :, None] + right[..., None, :]).sigmoid().prod(2)
        return cells.objects[rows] * (holds * things[:, :, None]).amax(3)

    def count(self, numbers: Tensor, text: Tensor) -> Tensor:
        """Whether numbers are as words say, for any shape (m, …)."""
        wanted: Tensor = self.counts(text)
        wanted = wanted.reshape(len(text), *[1] * (numbers.dim() - 1), -1)
        return (tents(numbers) * wanted).sum(-1).sigmoid()

    def run(self, name: str, cells: Cells, rows: Tensor, text: Tensor, *given: Tensor) -> Tensor:
        """Run one module for m of the views.

        Args:
            name: of the module.
            cells: of n views.
            rows: which views, shape (m,).
            text: what it reads, shape (m, text).
            given: what the modules before it gave.
        """
        if name in ("find", "filter", "transform"):
            made: Tensor = getattr(self, name)(cells, rows, text, *given)
            return made
        if name == "count":
            return self.count(given[0].sum((1, 2)), text)
        if name == "count_in":
            return self.count(given[0].sum(2), text)
        if name == "colors_in":
            shown = (given[0][..., None] * cells.colors[rows]).amax(2)
            return self.count(shown.sum(2), text)
        if name == "boxes":
            near = tents(given[0].sum(1), given[0].shape[1] + 1)
            wanted: Tensor = near * self.boxed(text)
            return wanted.sum(1).sigmoid()
        if name in ("more", "fewer", "equal"):
            return self.compared(name, *given)
        return LOGIC[name](*given)

    def compared(self, name: str, one: Tensor, other: Tensor) -> Tensor:
        """Whether there are more of one, fewer, or as many."""
        difference = one.sum((1, 2)) - other.sum((1, 2))
        if name == "equal":
            return relu(1 - difference.abs())
        signed = difference if name == "more" else -difference
        return (self.margin[0] * signed + self.margin[1]).sigmoid()


def _named(hidden: Tensor, wanted: Tensor) -> Tensor:
    """Of cells, shape (m, boxes, cells, width), those that are wanted, shape (m, width + 1)."""
    odds = torch.einsum("mbkw,mw->mbk", hidden, wanted[:, :-1]) + wanted[:, -1, None, None]
    return odds.sigmoid()


def in_order(objects: Tensor, down: Tensor) -> Tensor:
    """Whether no or one thing is above, or below, in the same box.

    Args:
        objects: whether there is a thing, shape (n, boxes, cells).
        down: how far down a cell is, shape (n, boxes, cells).

    Returns:
        Nothing above, one thing above, nothing below, one thing below, from 0 to 1, shape
        (n, boxes, cells, 4).
    """
    lower = (down[..., :, None] > down[..., None, :]).float()
    above = torch.einsum("nbij,nbj->nbi", lower, objects)
    below = torch.einsum("nbji,nbj->nbi", lower, objects)
    return torch.cat([tents(above, 3)[..., :2], tents(below, 3)[..., :2]], dim=3)


def _where(boxes: int, rows: int, columns: int) -> Tensor:
    """Down, across, and which box, shape (boxes, rows × columns, 2 + boxes)."""
    down = torch.linspace(-1, 1, rows)[:, None].expand(-1, columns).reshape(-1)
    across = torch.linspace(-1, 1, columns).repeat(rows)
    inside = torch.stack([down, across], dim=1).expand(boxes, -1, -1)
    which = torch.eye(boxes)[:, None].expand(-1, rows * columns, -1)
    # transformers has a linspace of its own that stays on the processor whatever the device.
    return torch.cat([inside.to(which.device), which], dim=2)


def _all_in(things: Tensor, others: Tensor) -> Tensor:
    return things.amax(2) * (1 - (things * (1 - others)).amax(2))


LOGIC: dict[str, Callable[..., Tensor]] = {
    "and": torch.minimum,
    "or": torch.maximum,
    "except": lambda a, b: a * (1 - b),
    "exist": lambda a: a.amax((1, 2)),
    "exist_in": lambda a: a.amax(2),
    "all_in": _all_in,
    "both_in": lambda a, b: a * b,
    "not_in": lambda a: 1 - a,
    "all": lambda a, b: a.amax((1, 2)) * (1 - (a * (1 - b)).amax((1, 2))),
    "both": lambda a, b: a * b,
    "either": lambda a, b: a + b - a * b,
    "not": lambda a: 1 - a,
}
"""Modules without weights."""


def odds(truth: Tensor, least: float = 1e-3) -> Tensor:
    """Log-odds of a probability, which is never quite 0 or 1."""
    inside = truth * (1 - 2 * least) + least
    return torch.logit(inside)
