"""Poses, annotators and their words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deixis.seeds import draw
from deixis.worlds.tangrams.annotators import Annotator, crowd, team
from deixis.worlds.tangrams.layouts import layouts
from deixis.worlds.tangrams.parts import named_parts
from deixis.worlds.tangrams.placing import PIECES
from deixis.worlds.tangrams.pose import Pose, pose, rest
from deixis.worlds.tangrams.vocabulary import SYNONYMS, plural
from deixis.worlds.tangrams.wholes import facing, whole

PLAIN = Annotator(
    name="plain",
    specific=1,
    attributes=0,
    article=False,
    parts=6,
    sided=1,
    forward=False,
    splits=0,
    strays=0,
    idiolect=0,
    _words={noun: noun for noun in SYNONYMS},
)


def named(family: str, annotator: Annotator, posed: Pose | None = None) -> dict[str, str]:
    """The pieces of each part that an annotator names."""
    posed = posed or rest(layouts()[family])
    parts, pieces = named_parts(posed, facing(layouts()[family], posed), annotator, draw(0))
    return {
        part: "".join(p for p, k in zip(PIECES, pieces, strict=True) if k == i)
        for i, part in enumerate(parts)
    }


def called(family: str, annotator: Annotator, posed: Pose | None = None, seed: int = 0) -> str:
    known = layouts()
    return whole(known[family], posed or rest(known[family]), annotator, known, draw(seed))


def test_finest_parts() -> None:
    expected = {"head": "S", "neck": "P", "beak": "t", "tail": "uM", "body": "LK"}
    assert named("swan", PLAIN) == expected


def test_few_parts_merge_into_what_they_belong_to() -> None:
    assert set(named("swan", replace(PLAIN, parts=2))) == {"head", "body"}
    assert len(named("camel", replace(PLAIN, parts=3))) == 3


def test_twins_are_told_apart_or_named_together() -> None:
    assert named("lady", PLAIN)["left arm"] == "t"
    assert named("lady", PLAIN)["right arm"] == "u"
    assert named("lady", replace(PLAIN, sided=0))["arms"] == "tu"


def test_front_and_back_follow_the_mirror() -> None:
    ahead = replace(PLAIN, forward=True)
    laid = rest(layouts()["turtle"])
    mirrored = Pose({p: -o.conj() for p, o in laid.outlines.items()}, laid.parts, mirrored=True)
    for posed in (laid, mirrored):
        assert named("turtle", ahead, posed)["front leg"] == "t"
    assert named("turtle", PLAIN, laid)["left leg"] == "t"
    assert named("turtle", PLAIN, mirrored)["left leg"] == "u"


def test_parts_of_many_pieces_are_cut() -> None:
    cut = named("goldfish", replace(PLAIN, splits=1, parts=6))
    assert len(cut) == 6
    assert not {"body", "tail"} <= set(cut)


def test_names_of_the_whole() -> None:
    assert called("swan", PLAIN) in ("swan", "goose")
    assert called("swan", replace(PLAIN, specific=0)) == "bird"
    assert called("eagle", replace(PLAIN, specific=0, article=True)) == "a bird"
    assert called("camel", replace(PLAIN, specific=0, article=True)) == "an animal"
    assert called("swan", replace(PLAIN, strays=1, specific=0)) in ("bird", "boat")


def test_attributes_are_true() -> None:
    full = replace(PLAIN, attributes=1, specific=0)
    laid = rest(layouts()["swan"])
    assert called("swan", full) == "long-necked bird facing left"
    assert called("swan", full, replace(laid, mirrored=True)) == "long-necked bird facing right"
    assert called("lady", full, replace(rest(layouts()["lady"]), turned=-12)).endswith(
        "leaning right"
    )


def test_nobody_speaks_of_a_running_runner() -> None:
    full = replace(PLAIN, attributes=1)
    names = {called("runner", full, seed=seed) for seed in range(20)}
    assert names == {"runner facing left", "running jogger facing left"}


def test_poses_depend_on_the_draw_alone() -> None:
    layout = layouts()["house"]
    first, again, other = (pose(layout, draw(0, "x", n)) for n in (1, 1, 2))
    assert all((first.outlines[p] == again.outlines[p]).all() for p in PIECES)
    assert first.turned != other.turned


def test_exchanged_pieces_change_parts() -> None:
    layout = layouts()["temple"]
    seen = {tuple(sorted(pose(layout, draw(0, n)).parts.items())) for n in range(30)}
    assert len(seen) == 2


def test_a_team_repeats_nobody_before_everybody_worked() -> None:
    names = [one.name for one in team(3, 100, draw(0))]
    assert len(set(names[:40])) == len(crowd(3)) == 40
    assert len(names) == 100


@pytest.mark.parametrize(("word", "many"), [("foot", "feet"), ("lower leaf", "lower leaves")])
def test_plurals(word: str, many: str) -> None:
    assert plural(word) == many
