"""Comparisons with items and raters as clusters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deixis.seeds import draw
from deixis.stats.two_way import Sample, difference


def rated(generator: np.random.Generator, raters: int, items: int, spread: float) -> Sample:
    """Every rater judges every item; raters differ in skill, items in ease."""
    skill = spread * generator.standard_normal(raters)
    ease = 0.1 * generator.standard_normal(items)
    chance = np.clip(0.7 + skill[:, None] + ease, 0.02, 0.98)
    values = (generator.random((raters, items)) < chance).astype(float).ravel()
    names = np.tile([f"i{i}" for i in range(items)], raters)
    who = np.repeat([f"r{i}" for i in range(raters)], items)
    return Sample(values, names, names, who)


def model(generator: np.random.Generator, items: int) -> Sample:
    values = (generator.random(items) < 0.7).astype(float)
    names = np.array([f"i{i}" for i in range(items)])
    return Sample(values, names, names, np.full(items, ""))


def test_the_mean_counts_items_alike() -> None:
    sample = Sample(
        np.array([1.0, 1, 1, 0]), np.array(["a", "a", "a", "b"]), np.array(["a", "a", "a", "b"]),
        np.array(["x", "y", "z", "x"]),
    )  # fmt: skip
    assert sample.mean == 0.5


def test_without_raters_it_is_the_paired_cluster_robust_t_test() -> None:
    generator = draw(0, "two-way")
    a, b = model(generator, 200), model(generator, 200)
    found = difference(a, b)
    apart = a.values - b.values
    assert found.value == pytest.approx(apart.mean())
    assert found.error == pytest.approx(apart.std(ddof=1) / np.sqrt(200))
    assert found.df == 199


def test_raters_widen_the_interval() -> None:
    generator = draw(1, "two-way")
    people = rated(generator, 12, 150, 0.15)
    machine = model(generator, 150)
    found = difference(people, machine)
    alone = difference(
        Sample(people.values, people.items, people.clusters, np.full(1800, "")), machine
    )
    assert found.error > 1.2 * alone.error
    assert found.df == 11


def test_coverage_with_raters() -> None:
    covered = []
    for number in range(300):
        generator = draw(number, "two-way coverage")
        found = difference(rated(generator, 20, 60, 0.1), model(generator, 60))
        low, high = found.interval()
        covered.append(low <= 0 <= high)
    assert 0.9 < np.mean(covered) <= 1.0


def test_equal_samples_do_not_differ() -> None:
    same = model(draw(2, "two-way"), 50)
    found = difference(same, same)
    assert found.value == 0.0
    assert found.error == pytest.approx(0.0, abs=1e-6)
    assert found.p == 1.0


def test_nothing_is_inferred_from_fewer_than_ten_clusters() -> None:
    """Four equal differences have no spread, and yet prove nothing."""
    few, none = model(draw(3, "two-way"), 4), np.zeros(4)
    found = difference(replace(few, values=none + 1), replace(few, values=none))
    assert (found.value, found.error) == (1.0, 0.0)
    assert np.isnan([*found.interval(), found.p]).all()
