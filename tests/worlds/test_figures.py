"""The world as a dataset."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from deixis.dataset import Annotation, Dataset
from deixis.errors import BadInput
from deixis.pictures.tangram import SHARES, Tangram
from deixis.registry import find
from deixis.seeds import draw
from deixis.worlds.figures import figures
from deixis.worlds.tangrams.layouts import layouts
from deixis.worlds.tangrams.pose import pose
from deixis.worlds.tangrams.touch import overlap

VARIANTS = 6


@pytest.fixture(scope="module")
def world() -> Dataset:
    return figures(variants=VARIANTS, annotators=2)


@pytest.fixture(scope="module")
def tangrams(world: Dataset) -> list[Tangram]:
    return [world.store.tangram(name) for name in world.store.names]  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def records(world: Dataset) -> list[Annotation]:
    return list(world.records.values())


def corners(figure: Tangram) -> dict[int, np.ndarray]:
    return {p.id: np.array([complex(*xy) for xy in p.points]) for p in figure.pieces}


def test_the_registry_finds_it() -> None:
    assert find("worlds", "figures", "reference") is figures


def test_families_and_categories(world: Dataset) -> None:
    per_category = Counter(world.extras["categories"].values())
    assert len(world.extras["categories"]) >= 50
    assert len(per_category) == 9
    assert min(per_category.values()) >= 4
    assert len(world.store.names) == VARIANTS * len(layouts())  # type: ignore[attr-defined]
    assert len(world) == 2 * VARIANTS * len(layouts())


def test_pieces_are_true(tangrams: list[Tangram]) -> None:
    for figure in tangrams:
        total = sum(p.area for p in figure.pieces)
        assert total == pytest.approx(8 * 50**2)
        for piece in figure.pieces:
            assert piece.area / total == pytest.approx(SHARES[piece.type])
            z = np.array([complex(*xy) for xy in piece.points])
            sides = np.sort(np.abs(np.roll(z, -1) - z))
            across = np.sort(np.abs(z[2:] - z[: len(z) - 2]))
            unit = sides / sides[0]
            if piece.type == "square":
                assert unit == pytest.approx([1, 1, 1, 1])
                assert across / sides[0] == pytest.approx([2**0.5, 2**0.5])
            elif piece.type == "parallelogram":
                assert unit == pytest.approx([1, 1, 2**0.5, 2**0.5])
                assert across / sides[0] == pytest.approx([1, 5**0.5])
            else:
                assert unit == pytest.approx([1, 1, 2**0.5])


def test_piece_ids_tell_types(tangrams: list[Tangram]) -> None:
    expected = ["square", "parallelogram", "small", "small", "medium", "large", "large"]
    for figure in tangrams:
        assert [p.id for p in figure.pieces] == [1, 2, 3, 4, 5, 6, 7]
        assert [p.type for p in figure.pieces] == expected


def test_no_pieces_overlap(tangrams: list[Tangram]) -> None:
    for figure in tangrams:
        outlines = corners(figure)
        total = sum(p.area for p in figure.pieces)
        for one, other in combinations(outlines, 2):
            shared = overlap(outlines[one], outlines[other])
            assert shared < 1e-6 * total, (figure.name, one, other)


def test_all_pieces_touch(tangrams: list[Tangram]) -> None:
    for figure in tangrams:
        outlines = corners(figure)
        reached, waiting = set(), [1]
        while waiting:
            here = waiting.pop()
            reached.add(here)
            waiting += [i for i in outlines if i not in reached and _touch(outlines, here, i)]
        assert len(reached) == 7, figure.name


def _touch(outlines: dict[int, np.ndarray], one: int, other: int) -> bool:
    a, b = outlines[one], outlines[other]
    return min(_distance(a, b), _distance(b, a)) < 1e-4


def _distance(points: np.ndarray, outline: np.ndarray) -> float:
    """From the nearest of some points to an outline."""
    along = np.roll(outline, -1) - outline
    steps = points[:, None] - outline
    share = np.clip((steps / along).real, 0, 1)
    return float(np.abs(steps - share * along).min())


def test_the_canvas_just_holds_the_figure(tangrams: list[Tangram]) -> None:
    for figure in tangrams:
        z = np.concatenate(list(corners(figure).values()))
        assert (z.real.min(), z.imag.min()) == pytest.approx((10, 10))
        assert (z.real.max(), z.imag.max()) == pytest.approx(
            (figure.width - 10, figure.height - 10)
        )


def test_parts_and_pieces_agree(records: list[Annotation]) -> None:
    for one in records:
        assert one.pieces is not None
        assert len(one.pieces) == 7
        assert len(set(one.parts)) == len(one.parts)
        assert 2 <= len(one.parts) <= 6
        # every part has a piece, and parts are in the order of their lowest piece
        assert list(dict.fromkeys(one.pieces)) == list(range(len(one.parts)))
        assert all(part.strip() == part and part for part in (*one.parts, one.whole))


def test_ids_and_workers(world: Dataset, records: list[Annotation]) -> None:
    for one in records:
        picture, _, number = one.id.rpartition("_")
        assert picture == one.picture
        assert number in "01"
        assert one.picture.rpartition("-")[0] == one.family
        assert one.worker != world.records[f"{picture}_{1 - int(number)}"].worker
    assert len({one.worker for one in records}) == 40


def test_sides_follow_the_mirror(records: list[Annotation]) -> None:
    told = Counter[bool]()
    for one in records:
        posed = pose(layouts()[one.family], draw(0, "figures", one.picture))
        for side in ("left", "right"):
            if f"facing {side}" in one.whole:
                assert layouts()[one.family].faces == "left"
                assert posed.mirrored == (side == "right")
                told[posed.mirrored] += 1
            if f"leaning {side}" in one.whole:
                assert posed.turned > 0 if side == "left" else posed.turned < 0
    assert min(told[True], told[False]) > 20


def test_splits_share_no_family(world: Dataset) -> None:
    of = {name: {world.records[i].family for i in ids} for name, ids in world.splits.items()}
    assert list(world.splits) == ["all", "train", "test"]
    assert of["all"] == of["train"] | of["test"] == set(layouts())
    assert not of["train"] & of["test"]
    assert 0.6 < len(of["train"]) / len(of["all"]) < 0.75
    for side in ("train", "test"):
        assert len({layouts()[family].category for family in of[side]}) == 9


def test_words_of_parts_are_shared(world: Dataset) -> None:
    heard = {part for i in world.splits["train"] for part in world.records[i].parts}
    said = [part for i in world.splits["test"] for part in world.records[i].parts]
    assert sum(part in heard for part in said) / len(said) > 0.7


def test_annotators_differ(records: list[Annotation]) -> None:
    wholes = {one.whole for one in records if one.family == "swan"}
    cuts = {one.pieces for one in records if one.family == "swan"}
    assert len(wholes) > 3
    assert len(cuts) >= 3
    strays = [
        not any(
            n in one.whole for n in (layouts()[one.family].category, *layouts()[one.family].names)
        )
        for one in records
    ]
    assert 0.03 < np.mean(strays) < 0.15


def test_same_seed_same_world(world: Dataset) -> None:
    again = figures(variants=VARIANTS, annotators=2)
    assert again.fingerprint == world.fingerprint
    assert again.records == world.records
    assert figures(variants=VARIANTS, annotators=2, seed=1).fingerprint != world.fingerprint


def test_more_variants_keep_the_first(world: Dataset) -> None:
    fewer = figures(variants=1, annotators=2)
    assert all(world.records[i] == one for i, one in fewer.records.items())
    name = "swan-000"
    assert fewer.store.picture(name) == world.store.picture(name)


def test_pictures_are_distinct(world: Dataset, tangrams: list[Tangram]) -> None:
    contents = {world.store.picture(t.name).content for t in tangrams}
    assert len(contents) == len(tangrams)


@pytest.mark.long
def test_thousands_of_distinct_pictures() -> None:
    world = figures(variants=120)
    names = world.store.names  # type: ignore[attr-defined]
    assert len({world.store.picture(name).content for name in names}) == len(names) > 4000


def test_pixels(world: Dataset) -> None:
    one = world.records["swan-000_0"]
    pixels = world.store.pixels(world.store.picture(one.picture), 64)
    assert pixels.shape == (64, 64, 3)
    assert 0.05 < (pixels.mean(axis=2) < 128).mean() < 0.6


@pytest.mark.parametrize("bad", [{"variants": 0}, {"annotators": 0}])
def test_none_is_refused(bad: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="at least one"):
        figures(**bad)
