"""What layouts say of scenes, by hand."""

from __future__ import annotations

import pytest

from deixis.errors import BadInput
from deixis.pictures.scene import Scene, Thing
from deixis.text.layout import Layout
from deixis.worlds.scenes.meaning import evaluate, quantity

SCENE: Scene = (
    (
        Thing(0, 0, 10, "circle", "yellow"),
        Thing(20, 50, 20, "square", "black"),
        Thing(41, 50, 20, "square", "yellow"),
    ),
    (Thing(70, 70, 30, "triangle", "blue"),),
    (Thing(10, 10, 20, "circle", "blue"), Thing(60, 80, 20, "circle", "blue")),
)
"""From left to right: three things, one thing, two things."""


@pytest.mark.parametrize(
    ("layout", "truth"),
    [
        ("exist(find[yellow square])", True),
        ("exist(find[black circle])", False),
        ("exist(find[small circle])", True),
        ("exist(find[big square])", False),
        ("exist(find[objects])", True),
        ("count[exactly three](find[circle])", True),
        ("count[at least four](find[circle])", False),
        ("count[more than two](find[circle])", True),
        ("count[fewer than three](find[circle])", False),
        ("boxes[exactly one](count_in[exactly two](find[square]))", True),
        ("boxes[each](exist_in(find[circle]))", False),
        ("boxes[each](exist_in(find[object]))", True),
        ("boxes[a](all_in(find[object], find[blue]))", True),
        ("boxes[exactly two](all_in(find[circle], find[blue]))", False),
        ("boxes[exactly one](colors_in[exactly two](find[object]))", True),
        ("boxes[exactly two](colors_in[exactly one](find[object]))", True),
        ("boxes[a](both_in(exist_in(find[square]), not_in(exist_in(find[circle]))))", False),
        ("all(find[triangle], find[blue])", True),
        ("all(find[circle], find[blue])", False),
        ("all(find[black triangle], find[blue])", False),
        ("more(find[circle], find[square])", True),
        ("fewer(find[circle], find[square])", False),
        ("equal(find[yellow], find[square])", True),
        ("both(exist(find[blue]), exist(find[black]))", True),
        ("either(exist(find[black circle]), exist(find[black triangle]))", False),
        ("not(exist(find[black triangle]))", True),
        ("exist(or(find[black circle], find[triangle]))", True),
        ("exist(except(find[circle], find[blue]))", True),
        ("exist(and(find[circle], find[blue]))", True),
        ("exist(filter[left wall](find[yellow]))", True),
        ("exist(filter[top wall](find[blue]))", False),
        ("count[exactly one](filter[corner](find[circle]))", True),
        ("count[exactly three](filter[any wall](find[object]))", True),
        ("exist(filter[left box](find[triangle]))", False),
        ("exist(filter[middle box](find[triangle]))", True),
        ("exist(filter[right image](find[circle]))", True),
        ("exist(filter[uppermost](find[square]))", False),
        ("exist(filter[lowest](find[yellow square]))", True),
        ("exist(filter[second](find[black]))", True),
        ("exist(filter[between](find[black]))", True),
        ("exist(and(find[black], transform[on](find[yellow])))", True),
        ("exist(and(find[circle], transform[on](find[black])))", False),
        ("exist(and(find[circle], transform[above](find[square])))", True),
        ("exist(and(find[square], transform[below](find[circle])))", True),
        ("exist(and(find[circle], transform[left of](find[square])))", True),
        ("exist(and(find[square], transform[right of](find[circle])))", True),
        ("exist(and(find[triangle], transform[above](find[object])))", False),
    ],
)
def test_truth(layout: str, truth: bool) -> None:
    assert evaluate(Layout.parse(layout), SCENE) is truth


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        ("exist(find[red])", "no thing is called 'red'"),
        ("exist(filter[upside](find[blue]))", "'upside' is no place"),
        ("exist(transform[near](find[blue]))", "'near' is no relation"),
        ("count[some](find[blue])", "'some' names no quantity"),
    ],
)
def test_words_that_mean_nothing(layout: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        evaluate(Layout.parse(layout), SCENE)


def test_a_number_alone_is_exact() -> None:
    assert [n for n in range(4) if quantity("two")(n)] == [2]
