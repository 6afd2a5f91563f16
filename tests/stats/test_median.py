"""Woodruff's interval of a median."""

from __future__ import annotations

import numpy as np

from deixis.stats.rates import median, rate


def test_the_interval_covers_as_often_as_it_says() -> None:
    draws = np.random.default_rng(0)
    hits = 0
    for _ in range(400):
        effects = draws.normal(size=60)
        clusters = np.repeat(np.arange(60), 3)
        values = effects[clusters] + draws.normal(size=180)
        _, low, high = median(values, clusters)
        hits += low <= 0 <= high
    assert 0.91 <= hits / 400 <= 0.985


def test_ties_at_the_median_and_few_clusters() -> None:
    assert median(np.full(20, 7.0), np.arange(20)) == (7.0, 7.0, 7.0)
    middle, low, high = median(np.arange(9.0), np.arange(9))
    assert middle == 4
    assert np.isnan([low, high]).all()


def test_a_rate_at_the_top_of_another_scale_has_wilson_s_width() -> None:
    of_one, of_hundred = (rate(np.full(25, top), np.arange(25), top=top) for top in (1.0, 100.0))
    assert of_hundred == tuple(100 * v for v in of_one)
    assert of_hundred[1] < 90
