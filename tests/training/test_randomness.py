"""Global generators: seeded inside, untouched outside."""

from __future__ import annotations

import random

import numpy as np
import torch

from deixis.training.randomness import restore, seeded, states


def draws() -> tuple[float, float, float, float, float]:
    return (
        float(torch.rand(())),
        float(np.random.rand()),
        float(np.random.standard_normal()),
        random.random(),
        random.gauss(0, 1),
    )


def test_states_come_back_in_the_middle_of_a_pair_of_gaussians() -> None:
    """NumPy and Python make Gaussians in pairs and keep the second for later."""
    np.random.seed(1)
    random.seed(1)
    np.random.standard_normal()
    random.gauss(0, 1)
    held = states()
    expected = draws()
    draws()
    restore(held)
    assert draws() == expected


def test_seeded_depends_on_its_arguments_alone() -> None:
    with seeded(0, "a"):
        one = draws()
    draws()
    with seeded(0, "a"):
        assert draws() == one
    for other in ((1, "a"), (0, "b")):
        with seeded(*other):
            assert draws() != one


def test_seeded_leaves_no_trace_even_after_an_error() -> None:
    held = states()
    expected = draws()
    restore(held)
    try:
        with seeded(0, "inside"):
            draws()
            raise KeyError
    except KeyError:
        pass
    assert draws() == expected
