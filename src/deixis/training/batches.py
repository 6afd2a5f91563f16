"""Batches in an order that depends on seed and epoch alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from deixis.seeds import draw

T = TypeVar("T")


class Named(Protocol):
    """A batch that can be named when something goes wrong in it."""

    @property
    def ids(self) -> Sequence[str]:
        """Of the examples in it."""


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """Some examples.

    Attributes:
        ids: of the examples.
        items: the examples, or what stands for them until the step needs them.
    """

    ids: tuple[str, ...]
    items: tuple[T, ...]

    def __len__(self) -> int:
        return len(self.items)


def cut(
    items: Sequence[T], size: int, *, name: Callable[[T], str] = str, drop_last: bool = False
) -> list[Batch[T]]:
    """Batches of `size` in the order given.

    Args:
        items: the examples.
        size: of a batch; the last may be smaller.
        name: the id of an example.
        drop_last: leave a smaller last batch out.

    >>> [b.items for b in cut("abcde", 2)]
    [('a', 'b'), ('c', 'd'), ('e',)]
    """
    stop = len(items) - len(items) % size if drop_last else len(items)
    parts = (tuple(items[i : i + size]) for i in range(0, stop, size))
    return [Batch(tuple(name(x) for x in part), part) for part in parts]


def shuffled(
    items: Sequence[T],
    size: int,
    *,
    seed: int,
    name: Callable[[T], str] = str,
    drop_last: bool = False,
) -> Callable[[int], list[Batch[T]]]:
    """Batches in a new order every epoch, as `deixis.training.loop.fit` takes them.

    Args:
        items: what is learnt from.
        size: of a batch.
        seed: of the orders.
        name: of an item, for errors about its batch.
        drop_last: whether a last batch that is smaller is left out.

    >>> epochs = shuffled("abcdef", 2, seed=0)
    >>> sorted(x for b in epochs(0) for x in b.items) == sorted("abcdef")
    True
    >>> epochs(1) == epochs(1) != epochs(0)
    True
    """

    def epoch(number: int) -> list[Batch[T]]:
        order = draw(seed, "batches", number).permutation(len(items))
        return cut([items[i] for i in order], size, name=name, drop_last=drop_last)

    return epoch
