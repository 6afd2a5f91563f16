"""The eye for boxes: what comes with the package, and how it is made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from deixis.pictures.scene import COLORS, SHAPES, Thing, draw_scene
from deixis.players.statement.neural import eye as eyes
from deixis.training.recipe import Adam


def seen(*box: Thing) -> torch.Tensor:
    """Features of one box."""
    pixels = draw_scene((box,)).transpose(2, 0, 1)[None].copy()
    return eyes.pretrained()(torch.from_numpy(pixels))


def test_it_names_new_things() -> None:
    """Scenes of a seed that it was not trained on."""
    drawn = eyes.Boxes(7, 0, 1, 200)[0]
    with torch.no_grad():
        _, said = eyes.loss(eyes.pretrained(), drawn)
    assert said["right"] > 0.99


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("shape", SHAPES)
def test_where_a_thing_is(color: str, shape: str) -> None:
    features = seen(Thing(40, 60, 10, shape, color))
    there = eyes.pretrained().there(features)[0, 0]
    place = int(there.argmax())
    assert divmod(place, eyes.CELLS) == (45 // eyes.STRIDE, 65 // eyes.STRIDE)
    assert (there > 0).sum() == 1
    y, x = divmod(place, eyes.CELLS)
    assert (
        list(COLORS)[int(eyes.pretrained().named["color"](features)[0, :, y, x].argmax())] == color
    )


def test_blank_pictures_show_nothing() -> None:
    white = torch.full((1, 3, 100, 100), 255, dtype=torch.uint8)
    noise = torch.from_numpy(np.random.default_rng(0).integers(0, 256, (1, 3, 100, 100), np.uint8))
    for picture in (white, noise):
        assert (eyes.pretrained().there(eyes.pretrained()(picture)) < 0).all()


def test_a_few_steps_make_it_better() -> None:
    recipe = replace(eyes.RECIPE, epochs=2, optimiser=Adam(lr=4e-3))
    _, fitted = eyes.train(1, recipe, batches=6, size=8)
    first, last = (row["loss"] for row in fitted.history)
    assert fitted.steps == 12
    assert last < 0.8 * first


def test_batches_are_drawn_by_seed_epoch_and_number() -> None:
    one, same = eyes.Boxes(0, 1, 2, 3), eyes.Boxes(0, 1, 2, 3)
    assert one[1].things == same[1].things != one[0].things
    with pytest.raises(IndexError):
        one[2]


@pytest.mark.long
def test_made_anew_it_is_as_good() -> None:
    made, _ = eyes.train()
    _, said = eyes.loss(made, eyes.Boxes(1, 0, 1, 1000)[0])
    assert said["right"] > 0.995
