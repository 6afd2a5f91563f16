from __future__ import annotations

import numpy as np
import pytest
from tests.stats.test_clustered_logit import crossed

from deixis.stats import crossed as module
from deixis.stats.crossed import crossed_means


def test_resamples_are_means_of_drawn_rows() -> None:
    """Against drawing rows one by one, with the same draws."""
    rng = np.random.default_rng(0)
    who, what = rng.integers(0, 5, 60), rng.integers(0, 7, 60)
    values, own = rng.random(60), np.array(["a", "b"])[rng.integers(0, 2, 60)]
    made = crossed_means(values, who, what, own, n=20)
    people = module._drawn(0, "workers", 20, 5)
    things = module._drawn(0, "items", 20, 7)
    for b in range(20):
        weights = people[b][who] * things[b][what]
        for name in "ab":
            w = weights * (own == name)
            expected = (w @ values) / w.sum() if w.sum() else np.nan
            assert made[name][b] == pytest.approx(expected, nan_ok=True)


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _, right, who, what = crossed(1, 0.0)
    own = np.array(["c"] * len(right))
    whole = crossed_means(right, who, what, own, n=50)["c"]
    monkeypatch.setattr(module, "_CELLS", 200)
    assert crossed_means(right, who, what, own, n=50)["c"] == pytest.approx(whole)


def test_wider_than_drawing_judgments_alone() -> None:
    """Judgments share workers and items, so they are no independent draws."""
    _, right, who, what = crossed(2, 0.0, spread=1.5)
    own = np.array(["c"] * len(right))
    both = crossed_means(right, who, what, own, n=400)["c"].std()
    alone = np.sqrt(right.var() / len(right))
    assert both > 2 * alone


def test_no_observation_in_a_resample_is_nan() -> None:
    made = crossed_means(
        np.array([1.0, 0.0]), np.array([0, 1]), np.array([0, 1]), np.array(["a", "b"]), n=200
    )
    assert np.isnan(made["a"]).any()
    assert set(made["a"][~np.isnan(made["a"])]) == {1.0}
