from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.measures.naming import by_picture
from deixis.measures.sampling import (
    PUBLISHED,
    PUBLISHED_VOCABULARY,
    Grid,
    around,
    drawn,
    outermost,
    perplexity,
)


@pytest.fixture(scope="module")
def listed(data: Path) -> list[str]:
    """The dense tangrams as the authors list them: periphery, cells, uniform, drawn by hand."""
    return json.loads((data / "kilogram/data_split.json").read_text())["dense"]


@pytest.fixture(scope="module")
def published(kilogram: Dataset) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Published PSA, and the texts of the first collection, of dense tangrams."""
    groups = by_picture(kilogram.select("dense10").records.values())
    psa = kilogram.extras["measures"]["full"]["psa"]
    return {p: psa[p] for p in groups}, {p: [a.whole for a in g] for p, g in groups.items()}


def test_the_published_recipe_puts_the_published_picks_into_cells_of_their_own(
    listed: list[str], published
) -> None:
    """25 tangrams were drawn, one of each of 25 cells: the recipe finds exactly these cells."""
    psa, texts = published
    asked = {"vocabulary": PUBLISHED_VOCABULARY, "published": True}
    surprise = {p: perplexity(own, **asked) for p, own in texts.items()}
    assert len({PUBLISHED.cell(psa[p], surprise[p]) for p in listed[12:37]}) == 25
    # The bounds of the published grid just hold all values.
    assert min(surprise.values()) == pytest.approx(3.94, abs=0.005)
    assert max(surprise.values()) == pytest.approx(5195.87, abs=0.005)


def test_looking_words_up_unstemmed_changed_the_sample(listed: list[str], published) -> None:
    """With stemmed look-up the same 25 tangrams fall into fewer cells."""
    psa, texts = published
    surprise = {p: perplexity(own, vocabulary=PUBLISHED_VOCABULARY) for p, own in texts.items()}
    assert len({PUBLISHED.cell(psa[p], surprise[p]) for p in listed[12:37]}) == 18


def test_the_outside_is_where_the_authors_found_it(listed: list[str], published) -> None:
    """Of the five outermost of the dense tangrams all are in the twelve chosen by hand."""
    psa, texts = published
    surprise = {p: perplexity(own, vocabulary=700) for p, own in texts.items()}
    assert set(outermost(list(psa), psa, surprise)[:5]) <= set(listed[:12])


def test_perplexity_by_hand() -> None:
    found = perplexity(["dog", "dogs run", "the"], vocabulary=4)
    k, v = 0.01, 4
    first = -math.log2((1 + k) / (2 + k * v))
    second = -(math.log2((1 + k) / (1 + k * v)) + math.log2(k / (1 + k * v))) / 2
    assert found == pytest.approx(2 ** ((first + second) / 2))
    assert perplexity(["dog"]) is None
    assert perplexity(["the", "a"], vocabulary=2) is None


def plane(n: int, seed: int = 0) -> tuple[dict[str, float], dict[str, float]]:
    rng = np.random.default_rng(seed)
    names = [f"p{i:03}" for i in range(n)]
    return (
        dict(zip(names, (2 + 5 * rng.random(n)).tolist(), strict=True)),
        dict(zip(names, np.exp(rng.normal(4, 1.5, n)).tolist(), strict=True)),
    )


@given(st.integers(0, 30), st.integers(0, 12), st.integers(0, 20))
def test_a_sample(seed: int, periphery: int, uniform: int) -> None:
    psa, surprise = plane(120, seed)
    grid = around(psa, surprise)
    made = drawn(psa, surprise, grid, periphery=periphery, uniform=uniform, seed=seed)
    assert len(set(made.pictures)) == len(made.pictures), "nothing is drawn twice"
    assert (len(made.periphery), len(made.uniform)) == (periphery, uniform)
    assert all(grid.cell(psa[p], surprise[p]) == c for c, p in made.grid.items())
    left = set(psa) - set(made.periphery)
    assert set(made.grid) == {grid.cell(psa[p], surprise[p]) for p in left}
    backwards = dict(reversed(list(psa.items())))
    again = drawn(backwards, surprise, grid, periphery=periphery, uniform=uniform, seed=seed)
    assert again == made


def test_seeds_draw_anew_and_hands_may_choose() -> None:
    psa, surprise = plane(120)
    grid = around(psa, surprise)
    assert drawn(psa, surprise, grid, seed=1) != drawn(psa, surprise, grid, seed=2)
    made = drawn(psa, surprise, grid, periphery=["p007", "p003"])
    assert made.periphery == ("p007", "p003")
    assert not {"p007", "p003"} & {*made.grid.values(), *made.uniform}


def test_layers() -> None:
    psa = dict(zip("abcdef", (1.0, 5, 1, 5, 3, 2.9), strict=True))
    surprise = dict(zip("abcdef", (10.0, 10, 1000, 1000, 100, 100), strict=True))
    assert set(outermost("abcdef", psa, surprise)[:4]) == set("abcd")
    flat = dict.fromkeys("abc", 2.0)
    assert len(outermost("abc", flat, dict.fromkeys("abc", 5.0))) == 3


def test_bounds() -> None:
    grid = Grid((1.0, 6.0), (1.0, 32.0))
    assert grid.cell(1.0, 2.0) is None
    assert grid.cell(6.0, 32.0) == (4, 4)
    assert grid.cell(2.0, 2.0) == (0, 0), "upper bounds are closed"
    assert grid.cell(2.001, 2.001) == (1, 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"periphery": ["x"]}, "no picture 'x'"),
        ({"periphery": ["p000", "p000"]}, "twice"),
        ({"uniform": 500}, "500 pictures are to be drawn uniformly"),
    ],
)
def test_mistakes(change: dict, said: str) -> None:
    psa, surprise = plane(60)
    with pytest.raises(BadInput, match=said):
        drawn(psa, surprise, around(psa, surprise), **change)
    with pytest.raises(BadInput, match="p000 has a PSA or a perplexity, but not both"):
        drawn(psa, {p: v for p, v in surprise.items() if p != "p000"}, PUBLISHED)
    with pytest.raises(BadInput, match="different PSA"):
        around({"a": 2.0, "b": 2.0}, {"a": 1.0, "b": 2.0})
