from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis import registry
from deixis.errors import BadInput
from deixis.interventions import pictures
from deixis.interventions.operator import Given
from deixis.pictures.store import SQUARE, TangramStore
from deixis.trials import BLANK, Paint, Picture

PLAIN = Picture("p", "c")
PAINTED = replace(PLAIN, paint=(0, 1, 1, 2, 0, 3, 2))
OTHER = Picture("q", "d", (1, 0, 0, 0, 0, 0, 0))
OPERATORS = [(k, n) for k, n in registry.table("interventions") if k in ("paint", "shape", "image")]
ARGUMENT = {"keep": "2"}


def around(argument: str = "", seed: int = 0, place: str = "t") -> Given:
    return Given(argument, seed, (place,), lambda: OTHER, lambda: OTHER, dict)  # type: ignore


@pytest.mark.parametrize(("kind", "name"), [o for o in OPERATORS if o[0] == "paint"])
def test_whatever_is_done_to_the_paint_a_blank_picture_stays_blank(kind: str, name: str) -> None:
    operator = registry.find("interventions", name, kind)
    assert operator(BLANK, around(ARGUMENT.get(name, ""))) == BLANK


@pytest.mark.parametrize(("kind", "name"), [o for o in OPERATORS if o[0] != "image"])
def test_paint_and_shape_are_apart(kind: str, name: str) -> None:
    altered = registry.find("interventions", name, kind)(PAINTED, around(ARGUMENT.get(name, "")))
    if kind == "paint":
        assert replace(altered, paint=None) == PLAIN
    elif altered != BLANK:
        assert altered.paint == PAINTED.paint


def test_paint(given_) -> None:
    assert pictures.unpaint(PAINTED, given_()) == PLAIN
    assert pictures.one_color(PAINTED, given_()).paint == (0,) * 7
    assert pictures.rotate_paint(PAINTED, given_()).paint == (3, 0, 0, 1, 3, 2, 1)
    assert pictures.rotate_paint(PLAIN, given_()) == PLAIN
    assert pictures.donor_paint(PAINTED, around()).paint == OTHER.paint
    assert pictures.partner_paint(PAINTED, around()).paint == OTHER.paint


@pytest.mark.parametrize(
    ("n", "paint"),
    [
        ("0", None),
        ("1", (0, None, None, None, 0, None, None)),
        ("3", (0, 1, 1, 2, 0, None, 2)),
        ("7", PAINTED.paint),
    ],
)
def test_keep_colors_the_first_parts_and_leaves_the_rest_black(n: str, paint: Paint | None) -> None:
    assert pictures.keep_paint(PAINTED, around(n)).paint == paint
    assert pictures.keep_paint(PLAIN, around(n)) == PLAIN


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.permutations([*range(n), *[None] * (7 - n)]).map(tuple)  # some pieces black
    )
)
def test_a_full_turn_of_the_colors_is_none(paint: Paint) -> None:
    picture = replace(PLAIN, paint=paint)
    count = 1 + max(p for p in paint if p is not None)
    for _ in range(count):
        picture = pictures.rotate_paint(picture, around())
    assert picture.paint == paint


def test_random_paint_keeps_how_much_of_each_color(given_) -> None:
    drawn = {pictures.random_paint(PAINTED, around(seed=s)).paint for s in range(50)}
    assert len(drawn) > 40
    assert all(sorted(p) == sorted(PAINTED.paint) for p in drawn if p)
    here, there = around(place="t"), around(place="u")
    assert pictures.random_paint(PAINTED, here) == pictures.random_paint(PAINTED, there)
    assert pictures.random_paint(PLAIN, given_()) == PLAIN


def test_shape() -> None:
    assert pictures.assemble(PAINTED, around()) == replace(SQUARE, paint=PAINTED.paint)
    assert pictures.assemble(BLANK, around()) == BLANK
    assert pictures.donor_shape(PAINTED, around()) == replace(OTHER, paint=PAINTED.paint)
    assert pictures.partner_shape(PLAIN, around()) == replace(OTHER, paint=None)
    assert pictures.empty(PAINTED, around()) == BLANK


def test_noise_is_the_same_for_the_same_picture_unless_asked_otherwise() -> None:
    def drawn(argument: str = "", picture: Picture = PAINTED, **more) -> tuple[str, ...]:
        return pictures.noise(picture, around(argument, **more)).edits

    assert drawn(place="t") == drawn(place="u")
    assert drawn() == drawn("raw")
    assert drawn()[0].startswith("noise:raw:")
    assert drawn("matched")[0].startswith("noise:matched:")
    different = [drawn(), drawn(picture=PLAIN), drawn(seed=1), drawn("per-trial", place="t")]
    different.append(drawn("per-trial", place="u"))
    assert len(set(different)) == 5
    with pytest.raises(BadInput, match=r"per-trial, per-round, got 'grey'"):
        drawn("grey")


def test_black_on_blank_is_blank_in_pixels(world) -> None:
    store: TangramStore = world.store
    blank = pictures.unpaint(pictures.empty(store.picture("swan-001"), around()), around())
    assert (store.pixels(blank, 32) == 255).all()
    assert np.unique(store.pixels(store.picture("swan-001"), 32)).size > 1
