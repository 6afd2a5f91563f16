"""Percentile ranks and the formulas of other programs."""

from __future__ import annotations

import numpy as np
import pytest

from deixis.stats.percentile import FORMULAS, percentile


def test_a_guess_is_50_in_every_pool() -> None:
    sizes = np.array([2, 3, 10, 1000, 40_000])
    assert percentile((sizes + 1) / 2, sizes).tolist() == [50.0] * 5


def test_a_pool_of_one_leaves_nothing_to_guess() -> None:
    assert percentile(np.array([1.0]), np.array([1])).tolist() == [50.0]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("deixis", 100.0, 0.0),
        ("das2017", 100 * (1 - 1 / 1000), 0.0),
        ("interventions2017", 100 * (1 - 0.5 / 1000), 100 * (1 - 999.5 / 1000)),
        ("of-score", 100.0, 0.2),
    ],
)
def test_formulas_of_published_programs(name: str, first: float, last: float) -> None:
    made = FORMULAS[name](np.array([1.0, 1000.0]), np.array([1000, 1000]))
    assert made == pytest.approx([first, last])


def test_formulas_differ_by_little_in_the_published_pool() -> None:
    ranks = np.linspace(1, 40_000, 97)
    sizes = np.full(97, 40_000)
    values = np.array([f(ranks, sizes) for f in FORMULAS.values()])
    assert np.ptp(values, axis=0).max() <= 200 / 40_000 + 1e-9
