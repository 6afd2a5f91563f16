"""Seeded draws of torch, NumPy and Python, and their states as tensors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor

from deixis.seeds import digest


@contextmanager
def seeded(seed: int, *what: object) -> Iterator[None]:
    """Draws inside depend on the arguments alone; draws outside are left as they were.

    For whatever draws from a global generator: initial weights, dropout.

    Args:
        seed: the training seed.
        what: what is drawn for.

    >>> with seeded(0, "weights"):
    ...     a = torch.rand(2)
    >>> with seeded(0, "weights"):
    ...     b = torch.rand(2)
    >>> bool((a == b).all())
    True
    """
    before = states()
    number = digest(seed, *what)
    torch.manual_seed(number >> 1)
    np.random.seed(number % 2**32)
    random.seed(number)
    try:
        yield
    finally:
        restore(before)


def states() -> dict[str, Tensor]:
    """The state of every global generator."""
    _, numbers, position, has_gauss, gauss = np.random.get_state(legacy=True)
    version, words, spare = random.getstate()
    found = {
        "torch": torch.get_rng_state(),
        "numpy": torch.from_numpy(np.asarray(numbers, np.int64)),
        "numpy.rest": torch.tensor([position, has_gauss, gauss], dtype=torch.float64),
        "python": torch.tensor(words, dtype=torch.int64),
        "python.rest": torch.tensor(
            [version, float("nan") if spare is None else spare], dtype=torch.float64
        ),
    }
    if torch.cuda.is_available():
        found |= {f"cuda.{i}": s for i, s in enumerate(torch.cuda.get_rng_state_all())}
    return found


def restore(found: dict[str, Tensor]) -> None:
    """Bring every global generator back to a state from `states`."""
    torch.set_rng_state(found["torch"])
    position, has_gauss, gauss = found["numpy.rest"].tolist()
    numbers = found["numpy"].numpy().astype(np.uint32)
    np.random.set_state(("MT19937", numbers, int(position), int(has_gauss), gauss))
    version, spare = found["python.rest"].tolist()
    words = tuple(int(w) for w in found["python"].tolist())
    random.setstate((int(version), words, None if spare != spare else spare))
    cuda = [found[name] for name in sorted(found) if name.startswith("cuda.")]
    if cuda and torch.cuda.device_count() == len(cuda):
        torch.cuda.set_rng_state_all(cuda)
