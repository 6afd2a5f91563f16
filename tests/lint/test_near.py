from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.lint.hashes import perceptual_hash
from deixis.lint.near import components, near_hashes, near_lists

WORDS64 = st.integers(0, 2**64 - 1)


def flipped(base: int, bits: list[int]) -> int:
    for bit in bits:
        base ^= 1 << bit
    return base


@given(
    st.lists(WORDS64, max_size=6),
    st.lists(st.tuples(st.integers(0, 5), st.lists(st.integers(0, 63), max_size=5)), max_size=12),
    st.integers(0, 6),
)
def test_all_near_pairs_and_no_others(bases, changes, distance: int) -> None:
    """Against all pairs; neighbours are planted, as random hashes are never near."""
    hashes = [*bases, *(flipped(bases[i % len(bases)], b) for i, b in changes if bases)]
    expected = [
        [i, j]
        for i, j in combinations(range(len(hashes)), 2)
        if (hashes[i] ^ hashes[j]).bit_count() <= distance
    ]
    assert near_hashes(np.array(hashes, np.uint64), distance).tolist() == expected


def test_many_equal_hashes_are_one_group() -> None:
    hashes = np.array([7, 7, 7, 6], np.uint64)
    assert near_hashes(hashes, 0).tolist() == [[0, 1], [0, 2], [1, 2]]
    assert len(near_hashes(hashes, 1)) == 6


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), max_size=10))
def test_lists_one_word_apart(lists: list[list[str]]) -> None:
    lists = [list(t) for t in dict.fromkeys(map(tuple, lists))]

    def apart(one: list[str], other: list[str]) -> bool:
        left = {tuple(one[:i] + one[i + 1 :]) for i in range(len(one))}
        right = {tuple(other[:i] + other[i + 1 :]) for i in range(len(other))}
        same = {(i, tuple(x[:i] + x[i + 1 :])) for x in (one,) for i in range(len(x))} & {
            (i, tuple(x[:i] + x[i + 1 :])) for x in (other,) for i in range(len(x))
        }
        swapped = len(one) == len(other) and bool(same)
        return swapped or tuple(one) in right or tuple(other) in left

    expected = [(i, j) for i, j in combinations(range(len(lists)), 2) if apart(lists[i], lists[j])]
    assert sorted(near_lists(lists, least=1)) == expected


def test_short_lists_are_not_compared() -> None:
    assert not list(near_lists([["a", "dog"], ["a", "cat"]]))


def test_chains_are_one_component() -> None:
    top = components([("a", "b"), ("c",), ("b", "d"), ("e", "d")])
    assert len({top[n] for n in "abde"}) == 1
    assert top["c"] == "c"
    assert components([]) == {}


def photograph(seed: int, size: int = 96) -> np.ndarray:
    """A smooth random picture."""
    generator = np.random.default_rng(seed)
    coarse = generator.integers(0, 256, (6, 6, 3), dtype=np.uint8)
    from PIL import Image

    return np.asarray(Image.fromarray(coarse).resize((size, size), Image.Resampling.BICUBIC))


def test_a_hash_survives_resizing_and_noise_but_not_another_picture() -> None:
    base = perceptual_hash(photograph(1))
    noisy = photograph(1).astype(int) + np.random.default_rng(0).integers(-8, 9, (96, 96, 3))
    noisy = np.clip(noisy, 0, 255).astype(np.uint8)
    assert (base ^ perceptual_hash(noisy)).bit_count() <= 4
    assert (base ^ perceptual_hash(photograph(1, 200))).bit_count() <= 4
    far = [(base ^ perceptual_hash(photograph(s))).bit_count() for s in range(2, 40)]
    assert min(far) > 10


@pytest.mark.parametrize("color", [0, 128, 255])
def test_a_picture_without_a_shape_has_hardly_a_bit(color: int) -> None:
    assert perceptual_hash(np.full((40, 40, 3), color, np.uint8)).bit_count() <= 1
