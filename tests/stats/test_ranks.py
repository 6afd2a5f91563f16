"""Ranks by counting, against sorting in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.stats import ranks
from deixis.stats.ranks import TOP, Affine, Blocks, Gallery, rank_blocks

Floats = NDArray[np.float64]


def reference(predictions: Floats, pool: Floats, targets: NDArray[np.int64]) -> Floats:
    """Mid-ranks by Euclidean distance of the full read-out, equal vectors tied, one by one."""
    made = np.empty(len(targets))
    for i, target in enumerate(targets):
        same = (pool == pool[target]).all(axis=1)
        score = pool @ predictions[i] - (pool**2).sum(axis=1) / 2
        made[i] = 1 + (score[~same] > score[target]).sum() + (same.sum() - 1) / 2
    return made


def case(
    n: int, size: int, depth: int, width: int, seed: int = 0
) -> tuple[Affine, NDArray[np.float32], NDArray[np.int64]]:
    draws = np.random.default_rng(seed)
    pool = np.abs(draws.normal(size=(size, depth))).astype(np.float32)
    pool /= np.linalg.norm(pool, axis=1, keepdims=True)
    pool[size // 2 : size // 2 + size // 10] = pool[: size // 10]  # equal vectors
    read = Affine(
        draws.normal(size=(n, width)).astype(np.float32),
        (draws.normal(size=(depth, width)) / width).astype(np.float32),
        draws.normal(size=depth).astype(np.float32) / depth,
    )
    return read, pool, draws.integers(0, size, n)


@pytest.mark.parametrize("size", [50, ranks.SMALL + 1500])
def test_ranks_equal_the_full_read_out_in_float64(size: int) -> None:
    read, pool, targets = case(300, size, 64, 24)
    made = Gallery(pool, read.weight, read.bias).rank(read.hidden, targets)
    expected = reference(read.predictions, pool.astype(np.float64), targets)
    assert made.ranks.tolist() == expected.tolist()
    assert set(made.ties.tolist()) == {1, 2}


def test_near_ties_of_float32_are_told_apart() -> None:
    """Vectors that differ in the last digits of float32 only: float32 scores cannot order them."""
    draws = np.random.default_rng(1)
    base = draws.normal(size=64).astype(np.float32)
    pool = base + (draws.normal(size=(3000, 64)) * 1e-6).astype(np.float32)
    hidden = draws.normal(size=(40, 64)).astype(np.float32)
    targets = draws.integers(0, 3000, 40)
    made = Gallery(pool).rank(hidden, targets, top=False)
    expected = reference(hidden.astype(np.float64), pool.astype(np.float64), targets)
    assert made.ranks.tolist() == expected.tolist()
    narrow = hidden @ pool.T - (pool**2).sum(axis=1) / 2
    own = narrow[np.arange(40), targets][:, None]
    assert (1 + (narrow > own).sum(axis=1) != expected).any()


def test_a_prediction_of_nothing_ranks_by_length_and_ties_equals() -> None:
    pool = np.eye(5, dtype=np.float32)
    made = Gallery(pool).rank(np.zeros((2, 5)), np.array([0, 3]))
    assert made.ranks.tolist() == [3.0, 3.0]
    assert made.ties.tolist() == [5, 5]


@given(st.integers(2, 60), st.integers(1, 6), st.integers(0, 2**31), st.sampled_from([1, 7, 50]))
@settings(max_examples=60, deadline=None)
def test_small_integers_with_many_ties(size: int, depth: int, seed: int, n: int) -> None:
    draws = np.random.default_rng(seed)
    pool = draws.integers(0, 2, (size, depth)).astype(np.float32)
    hidden = draws.integers(-2, 3, (n, depth)).astype(np.float64)
    targets = draws.integers(0, size, n)
    made = Gallery(pool).rank(hidden, targets)
    scores = hidden @ pool.T - (pool.astype(np.float64) ** 2).sum(axis=1) / 2
    own = scores[np.arange(n), targets][:, None]
    better, equal = (scores > own).sum(axis=1), (scores == own).sum(axis=1)
    assert made.ranks.tolist() == (1 + better + (equal - 1) / 2).tolist()


@pytest.mark.parametrize("size", [12, ranks.SMALL + 3000])
def test_the_best_of_the_pool(size: int) -> None:
    read, pool, targets = case(150, size, 32, 16, seed=2)
    made = Gallery(pool, read.weight, read.bias).rank(read.hidden, targets)
    scores = (
        read.predictions @ pool.T.astype(np.float64) - (pool.astype(np.float64) ** 2).sum(1) / 2
    )
    order = np.argsort(-scores, axis=1, kind="stable")[:, :TOP]
    kept = min(TOP, size)
    found = np.take_along_axis(scores, made.top[:, :kept], axis=1)
    assert np.allclose(found, np.take_along_axis(scores, order, axis=1), atol=1e-5)
    assert (made.top[:, kept:] == -1).all()


def test_ranks_within_some_of_the_pool() -> None:
    read, pool, _ = case(40, 200, 16, 8, seed=3)
    draws = np.random.default_rng(4)
    places = np.array([draws.choice(200, 30, replace=False) for _ in range(40)])
    inside = draws.integers(0, 30, 40)
    made = Gallery(pool, read.weight, read.bias).rank_within(read.hidden, inside, places)
    for i in range(40):
        alone = Gallery(pool[places[i]], read.weight, read.bias)
        one = alone.rank(read.hidden[i : i + 1], inside[i : i + 1])
        assert one.ranks[0] == made.ranks[i]
        assert one.top[0].tolist() == made.top[i].tolist()


def test_scores_in_blocks() -> None:
    scores = np.array([[3.0, 1.0, 3.0], [0.0, 2.0, 1.0]])
    made = rank_blocks(Blocks(lambda a, b: scores[a:b], 2), np.array([0, 2]))
    assert made.ranks.tolist() == [1.5, 2.0]
    assert made.ties.tolist() == [2, 1]
    assert made.top[:, :3].tolist() == [[0, 2, 1], [1, 2, 0]]


def test_what_is_not_finite_is_refused() -> None:
    pool = np.eye(3, dtype=np.float32)
    with pytest.raises(BadInput, match="prediction for dialog 1 is not finite"):
        Gallery(pool).rank(np.array([[0.0, 0, 0], [np.nan, 0, 0]]), np.array([0, 1]))
    pool[2, 1] = np.inf
    with pytest.raises(BadInput, match="vector 2 of the pool is not finite"):
        Gallery(pool)


def test_predictions_are_affine() -> None:
    hidden = np.array([[1.0, 2.0]])
    assert Affine(hidden).predictions.tolist() == [[1.0, 2.0]]
    read = Affine(hidden, np.array([[1.0, 1.0], [0.0, 2.0], [1.0, 0.0]]), np.array([0.0, 1.0, 0.0]))
    assert read.predictions.tolist() == [[3.0, 5.0, 1.0]]
