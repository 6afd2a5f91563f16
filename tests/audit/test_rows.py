"""Questions as rows of weights."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.audit import rows as ask
from deixis.errors import BadInput
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task

ABSENT = {"whole": "whole=drop", "parts": "parts=drop", "color": "color=drop"}


@pytest.fixture(scope="module")
def task() -> Task:
    return make(load("figures", variants=2))


def value(row: ask.Row, worth: dict[str, float]) -> float:
    return sum(w * worth[c] for c, w in row.weights.items())


@given(st.lists(st.floats(-1, 1), min_size=8, max_size=8))
def test_shapley_values_add_up_and_are_those_of_all_orders(numbers: list[float]) -> None:
    channels = list(ABSENT)
    subsets = [s for n in range(4) for s in combinations(channels, n)]
    worth = {ask.coalition(ABSENT, s): v for s, v in zip(subsets, numbers, strict=True)}
    found = {r.of: value(r, worth) for r in ask.shapley(ABSENT, "absent")}
    assert sum(found.values()) == pytest.approx(worth[""] - worth[ask.coalition(ABSENT, ())])
    orders = [
        (a, b, c) for a in channels for b in channels for c in channels if len({a, b, c}) == 3
    ]
    for channel in channels:
        marginal = []
        for order in orders:
            before = order[: order.index(channel)]
            with_it = worth[ask.coalition(ABSENT, (*before, channel))]
            marginal.append(with_it - worth[ask.coalition(ABSENT, before)])
        assert found[channel] == pytest.approx(np.mean(marginal), abs=1e-12)


def test_an_additive_game_has_no_interactions() -> None:
    worth = {"": 6.0, "whole=drop": 5.0, "parts=drop": 4.0, "color=drop": 3.0}
    worth |= {"whole=drop,parts=drop": 3.0, "whole=drop,color=drop": 2.0}
    worth |= {"parts=drop,color=drop": 1.0}
    assert [value(r, worth) for r in ask.interactions(ABSENT, "absent")] == [0, 0, 0]


def test_seven_channels_are_too_many() -> None:
    with pytest.raises(BadInput, match="at most 6"):
        ask.shapley({f"c{i}": f"c{i}=drop" for i in range(7)}, "absent")


def test_open_channels_are_those_the_base_leaves_alone(task: Task) -> None:
    assert ask.open_channels(task) == ("whole", "parts", "color", "shape")
    assert ask.open_channels(task.do("color=drop")) == ("whole", "parts", "shape")
    assert ask.open_channels(task.do("image=blank")) == ("whole", "parts")


def test_absences_may_be_given(task: Task) -> None:
    assert ask.absences(task, ["whole=shuffle"])["whole"] == "whole=shuffle"
    assert ask.absences(task)["whole"] == "whole=drop"
    with pytest.raises(BadInput, match="expected one of"):
        ask.absences(task.do("whole=drop"), ["whole=shuffle"])
    with pytest.raises(BadInput, match="no intervention"):
        ask.absences(task, ["frob"])


def test_priors_keep_one_kind_of_input(task: Task) -> None:
    text, picture = ask.priors(task, ask.absences(task))
    assert set(text.weights) == {"color=drop,shape=drop", ask.CHANCE}
    assert set(picture.weights) == {"whole=drop,parts=drop", ask.CHANCE}
    assert ask.priors(task, {"whole": "whole=drop"}) == []


def test_curves_are_slopes() -> None:
    conditions = ["whole=words:0.5", "whole=words:1", "color=drop", "parts=words:0.5"]
    (row,) = ask.curves(conditions)
    assert row.of == "whole=words"
    worth = {"": 0.8, "whole=words:0.5": 0.6, "whole=words:1": 0.4}
    assert value(row, worth) == pytest.approx(0.4)


def test_perceptual_rows_are_raw_first(task: Task) -> None:
    found = ask.perceptual(task, ["whole=shuffle", "color=drop", "whole=shuffle,color=drop"])
    assert [r.form for r in found] == ["", "model-normalised", "task-normalised"]
    assert found[2].scale == pytest.approx(1 / 0.9)


def test_conditions_needed_are_listed_once(task: Task) -> None:
    asked = ask.gaps(["whole=drop"]) + ask.shapley({"whole": "whole=drop"}, "absent")
    assert ask.needed([*asked, ask.sham(task)]) == ["whole=drop", "whole=same"]
