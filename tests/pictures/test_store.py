from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.pictures.store import SQUARE, ArrayStore, TangramStore, square
from deixis.pictures.tangram import Tangram, assembled
from deixis.trials import BLANK

PAINT = (0, 1, 2, 3, 4, 5, 6)


def make(calls: Counter[str], name: str) -> Tangram:
    calls[name] += 1
    return replace(assembled(), name=name, width=8.0 + len(name))


def store() -> tuple[TangramStore, Counter[str]]:
    calls: Counter[str] = Counter()
    return TangramStore(["a", "bb"], partial(make, calls)), calls


def test_tangrams_are_made_on_first_use_and_once() -> None:
    tangrams, calls = store()
    assert tangrams.names == ["a", "bb"]
    assert "a" in tangrams
    assert "c" not in tangrams
    assert not calls
    assert tangrams.tangram("bb") is tangrams.tangram("bb")
    tangrams.pixels(replace(tangrams.picture("bb"), paint=PAINT), 16)
    assert calls == {"bb": 1}


def test_pictures_carry_the_hash_of_their_content() -> None:
    tangrams, _ = store()
    one, other = tangrams.picture("a"), tangrams.picture("bb")
    assert one.source == "a"
    assert one.content
    assert one.content != other.content
    assert store()[0].picture("a") == one


def test_an_unknown_tangram() -> None:
    with pytest.raises(BadInput, match=r"no tangram 'c' among 2"):
        store()[0].picture("c")


def test_blank_and_square_are_always_there() -> None:
    tangrams, _ = store()
    assert tangrams.picture("blank") == BLANK
    assert tangrams.picture("square") == SQUARE
    assert (tangrams.pixels(BLANK, 16) == 255).all()
    assert tangrams.tangram("square") == assembled()
    painted = tangrams.pixels(replace(SQUARE, paint=PAINT), 64)
    assert len(np.unique(painted.reshape(-1, 3), axis=0)) > 7


def test_what_is_left_to_see() -> None:
    tangrams, _ = store()
    assert tangrams.figure(tangrams.picture("a")) is tangrams.tangram("a")
    assert tangrams.figure(BLANK) is None
    assert tangrams.figure(replace(tangrams.picture("a"), edits=("noise:raw:1",))) is None


def test_edits_and_paint_change_pixels() -> None:
    tangrams, _ = store()
    plain = tangrams.picture("a")
    painted, noisy = replace(plain, paint=PAINT), replace(plain, edits=("noise:raw:1",))
    drawn = {p.key: tangrams.pixels(p, 32).tobytes() for p in (plain, painted, noisy)}
    assert len(set(drawn.values())) == 3
    on_blank = tangrams.pixels(replace(BLANK, edits=("noise:raw:1",)), 32)
    assert on_blank.tobytes() == drawn[noisy.key], "raw noise is the same on every picture"


def test_derived_values_are_made_once_and_not_sent() -> None:
    tangrams, _ = store()
    assert tangrams.derived("x", lambda: [1]) is tangrams.derived("x", lambda: [2])
    sent = pickle.loads(pickle.dumps(tangrams))
    assert sent.derived("x", lambda: [3]) == [3]


def test_stores_of_datasets_can_be_sent(kilogram: Dataset, world: Dataset) -> None:
    for dataset in (kilogram, world):
        here = dataset.store
        there = pickle.loads(pickle.dumps(here))
        for name in list(here.names)[:3]:  # type: ignore[attr-defined]
            assert there.picture(name) == here.picture(name)
            assert (there.pixels(there.picture(name)) == here.pixels(here.picture(name))).all()


def test_arrays_are_padded_to_a_white_square() -> None:
    wide = np.zeros((4, 8, 3), np.uint8)
    arrays = ArrayStore({"wide": wide})
    drawn = arrays.pixels(arrays.picture("wide"), 8)
    assert (drawn[:2] == 255).all()
    assert (drawn[2:6] == 0).all()
    assert (drawn[6:] == 255).all()
    assert square(wide, 32).shape == (32, 32, 3)
    assert (arrays.pixels(BLANK, 8) == 255).all()
    noisy = replace(arrays.picture("wide"), edits=("noise:raw:1",))
    assert (arrays.pixels(noisy, 8) != drawn).any()
    assert arrays.picture("wide").content != ArrayStore({"wide": wide + 1}).picture("wide").content
    with pytest.raises(BadInput, match=r"no picture 'tall' among 1"):
        arrays.picture("tall")
