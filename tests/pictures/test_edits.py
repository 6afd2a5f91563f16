from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.pictures.edits import blank, edit, noise

PICTURE = np.random.default_rng(0).integers(60, 120, (64, 48, 3)).astype(np.uint8)


def test_the_empty_canvas_is_white() -> None:
    assert blank(5).shape == (5, 5, 3)
    assert (blank(5) == 255).all()


def test_raw_noise_is_uniform_over_the_full_range() -> None:
    drawn = noise(np.zeros((256, 256, 3), np.uint8), "raw", "1") / 255
    assert drawn.mean() == pytest.approx(0.5, abs=0.005)
    assert drawn.var() == pytest.approx(1 / 12, abs=0.001)
    assert drawn.min() == 0
    assert drawn.max() == 1
    channels = np.corrcoef(drawn.reshape(-1, 3).T)
    assert np.abs(channels - np.eye(3)).max() < 0.02


def test_matched_noise_has_the_pictures_own_mean_and_spread() -> None:
    drawn = noise(PICTURE, "matched", "1").astype(float)
    for channel in range(3):
        own = PICTURE[..., channel].astype(float)
        assert drawn[..., channel].mean() == pytest.approx(own.mean(), abs=1.5)
        assert drawn[..., channel].std() == pytest.approx(own.std(), rel=0.05)
    flat = np.full((8, 8, 3), 255, np.uint8)
    assert (noise(flat, "matched", "1") == 255).all(), "nothing varies, nothing is drawn"


@given(st.integers(0, 2**63), st.sampled_from(["raw", "matched"]))
def test_the_seed_decides(seed: int, manner: str) -> None:
    one = edit(PICTURE, (f"noise:{manner}:{seed}",))
    assert (one == edit(PICTURE, (f"noise:{manner}:{seed}",))).all()
    assert (one != edit(PICTURE, (f"noise:{manner}:{seed + 1}",))).mean() > 0.5
    assert one.shape == PICTURE.shape
    assert one.dtype == np.uint8


def test_edits_are_made_in_order() -> None:
    assert edit(PICTURE, ()) is PICTURE
    both = edit(PICTURE, ("noise:raw:1", "noise:matched:2"))
    assert (both == noise(noise(PICTURE, "raw", "1"), "matched", "2")).all()
