"""Operators on the picture that an answerer looks at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from deixis.interventions.operator import Given
from deixis.interventions.pictures import mean, noise
from deixis.pictures.edits import edit
from deixis.trials import Picture


def given(argument: str, trial: str = "t", after: int = 0) -> Given:
    nothing: Any = lambda: None  # noqa: E731
    place = (trial, "image", "0")
    return replace(
        Given(argument, 0, place, nothing, nothing, nothing),
        round=after,  # type: ignore[arg-type]
    )


def test_noise_is_fixed_or_drawn_anew() -> None:
    picture = Picture("p")
    fixed = [noise(picture, given("", t, r)).edits for t in "ab" for r in (1, 2)]
    assert len(set(fixed)) == 1
    by_trial = [noise(picture, given("per-trial", t, r)).edits for t in "ab" for r in (1, 2)]
    assert len(set(by_trial)) == 2
    by_round = [noise(picture, given("per-round", t, r)).edits for t in "ab" for r in (1, 2)]
    assert len(set(by_round)) == 4
    assert noise(picture, given("matched:per-round")).edits[0].startswith("noise:matched:")


def test_the_mean_of_pixels() -> None:
    pixels = np.zeros((2, 2, 3), np.uint8)
    pixels[0] = [100, 50, 255]
    edits = mean(Picture("p"), given("")).edits
    assert edit(pixels, edits).tolist() == [[[50, 25, 128]] * 2] * 2
