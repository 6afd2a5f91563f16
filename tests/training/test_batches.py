"""The order of batches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deixis.training.batches import cut, shuffled

SIZES = st.integers(1, 9)


@given(st.integers(0, 40), SIZES, st.integers(0, 5), st.booleans())
def test_every_example_once_an_epoch(n: int, size: int, epoch: int, drop_last: bool) -> None:
    made = shuffled(range(n), size, seed=1, drop_last=drop_last)(epoch)
    seen = [x for b in made for x in b.items]
    assert len(seen) == len(set(seen)) == (n - n % size if drop_last else n)
    assert all(len(b) == size for b in made[:-1])
    assert all(b.ids == tuple(map(str, b.items)) for b in made)


@given(st.integers(2, 40), SIZES)
def test_cut_keeps_the_order(n: int, size: int) -> None:
    assert [x for b in cut(range(n), size) for x in b.items] == list(range(n))


def test_orders_differ_between_epochs_and_seeds_and_are_known() -> None:
    epochs = shuffled(range(30), 30, seed=0)
    orders = [b.items for e in range(3) for b in epochs(e)]
    orders += [b.items for b in shuffled(range(30), 30, seed=1)(0)]
    assert len(set(orders)) == 4
    assert orders[0][:5] == (10, 12, 2, 23, 24)
