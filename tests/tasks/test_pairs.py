from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Annotation, Dataset
from deixis.sources import load
from deixis.tasks.pairs import painted, pair


@cache
def small() -> Dataset:
    return load("figures", variants=1)


@pytest.fixture(scope="module")
def some(world: Dataset) -> list[Annotation]:
    return list(world.records.values())[::9]


@given(st.integers(0, 99))
def test_part_i_goes_with_the_pieces_in_color_i(seed: int) -> None:
    world = small()
    for annotation in list(world.records.values())[:5]:
        made = pair(world, annotation, "plain", seed)
        for piece in range(7):
            name = annotation.parts[annotation.pieces[piece]]
            assert made.text.parts[made.picture.paint[piece]] == name
        assert sorted(made.text.parts) == sorted(annotation.parts)
        assert made.text.whole == annotation.whole


def test_the_order_of_parts_is_drawn_for_each_annotation(
    world: Dataset, some: list[Annotation]
) -> None:
    def orders(seed: int) -> list[tuple[str, ...]]:
        return [pair(world, a, "plain", seed).text.parts for a in some]

    assert orders(0) == orders(0)
    assert orders(0) != orders(1)
    moved = [o != a.parts for o, a in zip(orders(0), some, strict=True) if len(a.parts) > 2]
    assert sum(moved) > len(moved) / 2


def test_large_parts_tend_to_come_first(world: Dataset) -> None:
    """A part stands where its first piece stands in a random order of the pieces."""
    some = list(world.records.values())[:40]
    sizes = [{name: a.pieces.count(i) for i, name in enumerate(a.parts)} for a in some]
    first = [
        size[pair(world, annotation, "plain", seed).text.parts[0]]
        for annotation, size in zip(some, sizes, strict=True)
        for seed in range(20)
    ]
    expected = [sum(n * n for n in size.values()) / 7 for size in sizes]
    assert sum(first) / len(first) == pytest.approx(sum(expected) / len(expected), rel=0.08)


def test_without_a_piece_map_the_picture_stays_black(world: Dataset) -> None:
    annotation = Annotation("swan-001_9", "swan-001", "swan", ("a", "b", "c"), None)
    made = pair(world, annotation, "plain", 0)
    assert made.picture.paint is None
    assert sorted(made.text.parts) == ["a", "b", "c"]
    assert painted(world.store.picture("swan-001"), annotation, [0, 1]).paint is None


def test_clusters_and_families(world: Dataset) -> None:
    lone = Annotation("x_0", "swan-001", "swan", ("a",), (0,) * 7, worker="w")
    assert pair(world, lone, "plain", 0).clusters == (("tangram", "swan-001"), ("worker", "w"))
    kin = Annotation("x_0", "swan-001", "swan", ("a",), (0,) * 7, family="swan")
    assert pair(world, kin, "plain", 0).clusters == (("tangram", "swan"),)
    assert pair(world, kin, "plain", 0).figure == "swan"


def test_parts_left_out_of_the_order_stay_black(world: Dataset) -> None:
    annotation = Annotation("x_0", "swan-001", "swan", ("a", "b"), (0, 1, 0, 1, 1, 1, 0))
    picture = world.store.picture("swan-001")
    assert painted(picture, annotation, [1]).paint == (None, 0, None, 0, 0, 0, None)
