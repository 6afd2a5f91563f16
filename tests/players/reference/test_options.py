"""Options as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.encodings import Disk, Memory
from deixis.errors import BadInput
from deixis.players.common.ensemble import Members
from deixis.players.reference.linear import LinearLearner
from deixis.players.reference.options import cache_of, joined, positive, tuned, whole


def test_presets_and_what_is_written_instead() -> None:
    plain = tuned("clip-kilogram")
    assert (plain.recipe.epochs, plain.contexts, plain.canvas) == (200, "controlled", 224)
    other = tuned(
        "clip-kilogram", device="cpu", epochs="3", contexts="random", augment="all", canvas="64"
    )
    assert (other.recipe.epochs, other.recipe.device) == (3, "cpu")
    assert (other.contexts, other.augment, other.canvas) == ("random", "all", 64)
    assert other.recipe.optimiser == plain.recipe.optimiser


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"preset": "x"}, r"--tune: there is no preset 'x' \(known: clip-kilogram, "),
        ({"epochs": "0"}, r"--epochs: expected a whole number from 1, got '0'"),
        ({"canvas": "big"}, r"--canvas: expected a whole number"),
        ({"contexts": "x"}, r"--contexts: expected one of controlled, random, got 'x'"),
        ({"augment": "x"}, r"--augment: expected one of none, sampled, all, got 'x'"),
    ],
)
def test_what_is_wrong(wrong: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        tuned(**({"preset": "tiny"} | wrong))


def test_members() -> None:
    learner = LinearLearner()
    assert joined(learner, "1", "product") is learner
    several = joined(learner, "3", "sum")
    assert isinstance(several, Members)
    assert (several.n, several.how) == (3, "sum")


def test_caches(tmp_path: Path) -> None:
    assert isinstance(cache_of("none"), Memory)
    named, own = cache_of(str(tmp_path)), cache_of("")
    assert isinstance(named, Disk)
    assert isinstance(own, Disk)
    assert (named.folder, own.folder.name) == (tmp_path, "vectors")


def test_numbers() -> None:
    assert (whole("n", ""), whole("n", "7")) == (None, 7)
    assert (positive("x", ""), positive("x", "0.5")) == (None, 0.5)
    for written in ("0", "-1", "inf", "nan", "much"):
        with pytest.raises(BadInput, match="--x: expected a number above 0"):
            positive("x", written)
