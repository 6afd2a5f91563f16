"""Scenes drawn and read back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.pictures.scene import (
    COLORS,
    PERMUTATIONS,
    SHAPES,
    SIZES,
    Scene,
    Thing,
    decode,
    draw_scene,
    is_tower,
    permuted,
)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """One to four boxes; things on a grid of 33 pixels, each anywhere in its cell."""
    boxes = []
    for _ in range(draw(st.integers(1, 4))):
        box = []
        for cell in draw(st.sets(st.integers(0, 8), max_size=7)):
            size = draw(st.sampled_from(SIZES))
            free = st.integers(0, 32 - size)
            x, y = cell % 3 * 33 + draw(free), cell // 3 * 33 + draw(free)
            shape, color = draw(st.sampled_from(SHAPES)), draw(st.sampled_from(list(COLORS)))
            box.append(Thing(y, x, size, shape, color))
        boxes.append(tuple(sorted(box)))
    return tuple(boxes)


@given(scenes())
@settings(max_examples=60, deadline=None)
def test_decoding_undoes_drawing(boxes: Scene) -> None:
    pixels = draw_scene(boxes)
    assert pixels.shape == (100, 150 * len(boxes) - 50, 3)
    assert decode(pixels) == boxes


def test_permutations_are_lexicographic() -> None:
    boxes = tuple((Thing(0, 0, s, "square", "blue"),) for s in SIZES)
    orders = [tuple(b[0].size // 10 - 1 for b in permuted(boxes, k)) for k in range(6)]
    assert orders == sorted(orders)
    assert orders == list(PERMUTATIONS)


def test_touching_things_of_different_colors_stay_two() -> None:
    boxes = ((Thing(10, 10, 20, "square", "blue"), Thing(10, 30, 20, "square", "black")),)
    assert decode(draw_scene(boxes)) == boxes


def test_walls() -> None:
    assert Thing(70, 70, 30, "circle", "blue").walls == {"bottom", "right"}
    assert Thing(0, 0, 10, "circle", "blue").walls == {"top", "left"}
    assert Thing(1, 1, 10, "circle", "blue").walls == set()


def test_towers() -> None:
    block = Thing(80, 40, 20, "square", "blue")
    assert is_tower(((block,), (), ()))
    assert not is_tower(((block, Thing(0, 41, 20, "square", "blue")), (), ()))


@pytest.mark.parametrize("shape", [(99, 400, 3), (100, 390, 3), (1, 1, 3)])
def test_other_pictures_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="no scene of boxes"):
        decode(np.zeros(shape, np.uint8))
