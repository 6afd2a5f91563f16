"""Batches as large as the memory allows: ``--batch auto`` halves them until they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import torch

from deixis.errors import BadInput

T = TypeVar("T")
R = TypeVar("R")

FIRST = 256
"""Size of the first batch that ``auto`` tries."""

_SIGNS = ("out of memory", "can't allocate memory")


class Batches:
    """Runs a function over batches; remembers the size that fits.

    >>> Batches("2").size, Batches("auto").size
    (2, 256)
    """

    def __init__(self, written: str = "auto") -> None:
        """Read the size as written: a number, or ``auto``.

        Raises:
            BadInput: it is neither.
        """
        self.auto = written == "auto"
        if not self.auto and not (written.isdigit() and int(written) > 0):
            raise BadInput(f"--batch: expected a number or auto, got {written!r}")
        self.size = FIRST if self.auto else int(written)

    def __call__(self, function: Callable[[list[T]], R], items: Sequence[T]) -> Iterator[R]:
        """What the function makes of each batch, in order.

        Raises:
            BadInput: a batch of the size given, or of one, does not fit the memory.
        """
        start = 0
        while start < len(items):
            part = list(items[start : start + self.size])
            try:
                made = function(part)
            except (MemoryError, RuntimeError) as error:
                if not out_of_memory(error):
                    raise
                self._halve(len(part))
                continue
            yield made
            start += len(part)

    def _halve(self, tried: int) -> None:
        if not self.auto:
            raise BadInput(
                f"a batch of {tried} does not fit the memory; try a smaller --batch, or auto"
            ) from None
        if tried == 1:
            raise BadInput("not even a batch of one fits the memory") from None
        self.size = max(1, tried // 2)
        if torch.cuda.is_available():
            torch.cuda.empty_cache()


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out, on a graphics processor or off it."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return any(sign in str(error) for sign in _SIGNS)
