from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.seeds import Seeds
from deixis.units import MEASURES, accuracy, consistency, probability, stack


def outcomes(credit: list[float], items: str, groups: str = "", clusters: str = "") -> Outcomes:
    """One row for each letter of `items`."""
    n = len(credit)
    blank = np.array([""] * n)
    return Outcomes(
        ids=np.array([str(i) for i in range(n)]),
        items=np.array(list(items)),
        clusters=np.array(list(clusters or items)),
        workers=blank,
        raters=blank,
        groups=np.array(list(groups or items)),
        strata=blank,
        status=np.zeros(n, np.uint8),
        credit=np.array(credit, float),
        guess=np.full(n, 0.5),
        rank=np.ones(n),
        ties=np.ones(n, np.int64),
        sizes=np.full(n, 2),
        probability=np.array(credit, float) / 2,
        choice=np.zeros(n, np.int64),
        rounds=np.zeros(n, np.int64),
        condition="",
        seeds=Seeds(),
    )


def test_accuracy_is_the_mean_over_an_items_trials() -> None:
    units = accuracy(outcomes([1, 0, 0.5, 1], "baab", clusters="yxxy"))
    assert units.names.tolist() == ["a", "b"]
    assert units.values.tolist() == [0.25, 1]
    assert units.clusters.tolist() == ["x", "y"]


def test_probability() -> None:
    assert probability(outcomes([1, 0, 1], "aab")).values.tolist() == [0.25, 0.5]


def test_consistency_is_the_probability_that_all_is_right() -> None:
    units = consistency(outcomes([1, 0.5, 0.5, 1, 0], "abcde", groups="ggghh"))
    assert units.names.tolist() == ["g", "h"]
    assert units.values.tolist() == [0.25, 0]


def test_measures_are_known_by_name() -> None:
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.scale in (1, 100)


def test_conditions_stand_side_by_side() -> None:
    one, other = outcomes([1, 0, 1], "aab"), outcomes([0, 0, 1], "aab")
    values, units = stack(MEASURES["accuracy"], [one, other])
    assert values.tolist() == [[0.5, 0], [1, 1]]
    assert units.clusters.tolist() == units.names.tolist() == ["a", "b"]


def test_the_order_of_rows_does_not_matter() -> None:
    one = outcomes([1, 0, 0.25], "abc")
    back = replace(one, items=one.items[::-1], clusters=one.clusters[::-1], credit=one.credit[::-1])
    values, _ = stack(MEASURES["accuracy"], [one, back])
    assert (values[:, 0] == values[:, 1]).all()


def test_other_items_are_refused_by_name() -> None:
    one, other = outcomes([1, 0], "ab"), outcomes([1, 0], "az")
    with pytest.raises(BadInput, match=r"not the same items: 2 differ, b among them"):
        stack(MEASURES["accuracy"], [one, other])
    with pytest.raises(BadInput, match=r"not the same items: 1 differ, b among them"):
        stack(MEASURES["accuracy"], [one, outcomes([1], "a")])
