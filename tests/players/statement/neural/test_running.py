"""Layouts of a batch, run together or one by one."""

from __future__ import annotations

import torch

from deixis.players.statement.neural.modules import Modules
from deixis.players.statement.neural.running import nodes, run
from deixis.text.layout import Layout

LAYOUTS = [
    "exist(find[a])",
    "boxes[exactly one](both_in(exist_in(find[a]), not_in(exist_in(filter[b](find[c])))))",
    "not(more(find[a], transform[above](find[b])))",
    "all(find[a], and(find[b], find[c]))",
]


def test_together_is_as_one_by_one() -> None:
    torch.manual_seed(0)
    modules = Modules((2, 5, 3, 3), 6, width=8)
    layouts = [Layout.parse(text) for text in LAYOUTS]
    boxes = torch.rand(4, 2, 5, 3, 3)
    listed = nodes(layouts)
    texts = torch.rand(len(listed), 6)
    together = run(modules, modules.cells(boxes), listed, texts)
    start = 0
    for row, layout in enumerate(layouts):
        own = nodes([layout])
        text = texts[start : start + len(own)]
        start += len(own)
        alone = run(modules, modules.cells(boxes[row : row + 1]), own, text)
        torch.testing.assert_close(alone[0], together[row])
    assert together.unique().numel() == 4


def test_nodes_know_what_feeds_them() -> None:
    listed = nodes([Layout.parse("exist(find[a])"), Layout.parse("exist(and(find[a], find[b]))")])
    assert [n.row for n in listed] == [0, 0, 1, 1, 1, 1]
    assert [n.inputs for n in listed] == [(), (0,), (), (), (2, 3), (4,)]
    assert [n.depth for n in listed] == [1, 2, 1, 1, 2, 3]
