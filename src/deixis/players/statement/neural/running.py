"""Run the layouts of a batch: modules of one kind and depth at once, whatever the layouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from deixis.players.statement.neural.modules import Cells, Modules
from deixis.text.layout import Layout


@dataclass(frozen=True)
class Node:
    """A module of one of the layouts.

    Attributes:
        module: its name.
        words: that it reads.
        row: the number of the layout.
        inputs: numbers of the nodes that feed it.
        depth: of the longest way to it.
    """

    module: str
    words: str
    row: int
    inputs: tuple[int, ...]
    depth: int


def nodes(layouts: Sequence[Layout]) -> list[Node]:
    """Modules of all layouts, one after the other, each in postfix order.

    >>> [n.inputs for n in nodes([Layout.parse("exist(and(find[a], find[b]))")])]
    [(), (), (0, 1), (2,)]
    """
    made: list[Node] = []
    for row, layout in enumerate(layouts):
        stack: list[int] = []
        for one in layout.postfix():
            inputs = tuple(stack[len(stack) - len(one.inputs) :])
            del stack[len(stack) - len(one.inputs) :]
            depth = 1 + max((made[i].depth for i in inputs), default=0)
            stack.append(len(made))
            made.append(Node(one.module, one.words, row, inputs, depth))
    return made


def run(modules: Modules, cells: Cells, listed: Sequence[Node], texts: Tensor) -> Tensor:
    """Truth of each layout.

    Args:
        modules: the weights.
        cells: of n views.
        listed: from `nodes`, of n layouts.
        texts: what each node reads, shape (nodes, text).

    Returns:
        Probabilities, shape (n,).
    """
    groups: dict[tuple[int, str], list[int]] = {}
    for number, node in enumerate(listed):
        groups.setdefault((node.depth, node.module), []).append(number)
    made: dict[int, Tensor] = {}
    for _, name in sorted(groups):
        members = groups[_, name]
        rows = torch.tensor([listed[i].row for i in members], device=texts.device)
        given = [
            torch.stack([made[i] for i in places])
            for places in zip(*(listed[i].inputs for i in members), strict=True)
        ]
        found = modules.run(name, cells, rows, texts[members], *given)
        made.update(zip(members, found, strict=True))
    roots = {node.row: number for number, node in enumerate(listed)}
    return torch.stack([made[roots[row]] for row in range(len(roots))])
