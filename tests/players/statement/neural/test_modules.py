"""Neural modules against what they soften: counts, logic, order, relations."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from deixis.players.statement.neural.modules import LOGIC, Cells, Modules, in_order, odds, tents
from deixis.text.layout import BOXES, MODULES, THINGS, TRUTH

SHAPE = (2, 5, 3, 4)
"""Boxes, channels, rows, columns."""


@pytest.fixture(scope="module")
def modules() -> Modules:
    torch.manual_seed(0)
    return Modules(SHAPE, 6, width=8)


@pytest.fixture(scope="module")
def cells(modules: Modules) -> Cells:
    return modules.cells(torch.rand(3, *SHAPE))


@pytest.mark.parametrize("name", MODULES)
def test_every_module_takes_and_gives_what_layouts_say(
    modules: Modules, cells: Cells, name: str
) -> None:
    shapes = {THINGS: (4, 2, 12), BOXES: (4, 2), TRUTH: (4,)}
    takes, gives, _ = MODULES[name]
    rows = torch.tensor([0, 1, 1, 2])
    given_ = [torch.rand(shapes[kind]) for kind in takes]
    made = modules.run(name, cells, rows, torch.rand(4, 6), *given_)
    assert made.shape == shapes[gives]
    assert ((made >= 0) & (made <= 1)).all()


@given(st.integers(0, 20))
def test_a_whole_number_is_one_count(number: int) -> None:
    expected = [float(i == min(number, 9)) for i in range(10)]
    assert tents(torch.tensor([float(number)]))[0].tolist() == expected


TRUTHS = torch.tensor([[0.0, 0, 1, 1], [0.0, 1, 0, 1]])


@pytest.mark.parametrize(
    ("name", "expected"),
    [("both", [0, 0, 0, 1]), ("either", [0, 1, 1, 1]), ("and", [0, 0, 0, 1]), ("or", [0, 1, 1, 1])],
)
def test_logic_of_two(name: str, expected: list[int]) -> None:
    assert LOGIC[name](*TRUTHS).tolist() == expected


def test_logic_of_things() -> None:
    """Two boxes of three cells: things at two cells of the left one."""
    things = torch.tensor([[[1.0, 1, 0], [0, 0, 0]]])
    some = torch.tensor([[[1.0, 0, 0], [0, 1, 0]]])
    assert LOGIC["exist"](things).tolist() == [1]
    assert LOGIC["exist_in"](things).tolist() == [[1, 0]]
    assert LOGIC["except"](things, some).tolist() == [[[0, 1, 0], [0, 0, 0]]]
    assert LOGIC["all"](things, some).tolist() == [0]
    assert LOGIC["all"](things, things).tolist() == [1]
    assert LOGIC["all"](0 * things, things).tolist() == [0], "all of none is not said of things"
    assert LOGIC["all_in"](things, things).tolist() == [[1, 0]]
    assert LOGIC["not"](torch.tensor([1.0])).tolist() == [0]


def test_only_cells_with_things_are_looked_at() -> None:
    """The last channel says where things are; what is elsewhere changes nothing."""
    torch.manual_seed(0)
    modules = Modules(SHAPE, 6, width=8, kept=3)
    boxes = torch.rand(1, *SHAPE)
    boxes[:, :, -1] = 0
    boxes[:, :, -1, 0, :3] = 1
    cells = modules.cells(boxes)
    assert cells.hidden.shape == (1, 2, 3, 8)
    assert (cells.objects > 0.9).all()
    changed = boxes.clone()
    changed[:, :, :-1, 1:] = 0.5
    torch.testing.assert_close(modules.cells(changed).hidden, cells.hidden)


def test_more_and_fewer_are_each_others_opposite(modules: Modules) -> None:
    one = torch.zeros(1, 2, 12)
    one[0, 0, :3] = 1
    none = torch.zeros(1, 2, 12)
    assert modules.compared("more", one, none) > 0.9
    assert modules.compared("fewer", none, one) > 0.9
    assert modules.compared("more", none, one) < 0.1
    assert modules.compared("equal", one, one).tolist() == [1]


def test_relations_stay_in_their_box(modules: Modules, cells: Cells) -> None:
    things = torch.zeros(1, 2, 12)
    things[0, 1, 3] = 1
    related = modules.transform(cells, torch.tensor([0]), torch.rand(1, 6), things)
    assert (related[0, 0] == 0).all()
    assert (related[0, 1] > 0).all()


def test_the_order_of_things_from_above() -> None:
    """One thing in each row: none, one, two above; two, one, none below."""
    objects = torch.tensor([[[0.0, 1, 1, 1]]])
    orders = in_order(objects, torch.tensor([[[0.5, -1.0, 0.0, 1.0]]]))[0, 0]
    nothing_above, one_above, nothing_below, one_below = orders[1:].T.tolist()
    assert nothing_above == [1, 0, 0]
    assert one_above == [0, 1, 0]
    assert nothing_below == [0, 0, 1]
    assert one_below == [0, 1, 0]


def test_certain_truths_have_finite_odds() -> None:
    found = odds(torch.tensor([0.0, 0.5, 1.0]))
    assert torch.isfinite(found).all()
    assert found[1] == 0
    torch.testing.assert_close(found[0], -found[2])
    assert found[0] < -5
