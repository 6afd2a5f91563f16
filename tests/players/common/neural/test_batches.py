"""Batches that do not fit are halved."""

from __future__ import annotations

import pytest
import torch

from deixis.errors import BadInput
from deixis.players.common.neural.batches import FIRST, Batches, out_of_memory

OUT = [
    MemoryError(),
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 GiB"),
    RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory"),
]


@pytest.mark.parametrize("error", OUT, ids=lambda e: type(e).__name__)
def test_auto_halves_until_it_fits_and_remembers(error: Exception) -> None:
    tried: list[int] = []

    def function(part: list[int]) -> list[int]:
        tried.append(len(part))
        if len(part) > 40:
            raise error
        return [2 * x for x in part]

    batches = Batches("auto")
    made = [x for part in batches(function, range(300)) for x in part]
    assert made == [2 * x for x in range(300)]
    assert tried[:4] == [256, 128, 64, 32]
    assert batches.size == 32
    tried.clear()
    list(batches(function, range(32)))
    assert tried == [32]


def test_a_small_last_batch_that_does_not_fit_halves_from_its_own_size() -> None:
    def function(part: list[int]) -> int:
        if len(part) > 3:
            raise MemoryError
        return len(part)

    assert list(Batches("auto")(function, range(10))) == [2, 2, 2, 2, 2]


def test_a_size_that_was_asked_for_is_kept_or_refused() -> None:
    assert list(Batches("4")(len, range(10))) == [4, 4, 2]

    def function(_: list[int]) -> int:
        raise MemoryError

    with pytest.raises(BadInput, match=r"a batch of 4 does not fit the memory; try a smaller"):
        list(Batches("4")(function, range(10)))
    with pytest.raises(BadInput, match=r"not even a batch of one"):
        list(Batches("auto")(function, range(10)))


def test_other_errors_are_not_about_memory() -> None:
    def function(_: list[int]) -> int:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with pytest.raises(RuntimeError, match="mat1"):
        list(Batches("auto")(function, range(3)))
    assert not out_of_memory(ValueError("a"))


@pytest.mark.parametrize("written", ["0", "-1", "many", "1.5", ""])
def test_what_is_no_size(written: str) -> None:
    with pytest.raises(BadInput, match="expected a number or auto"):
        Batches(written)
    assert Batches().size == FIRST
