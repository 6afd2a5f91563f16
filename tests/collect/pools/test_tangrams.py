"""Tangrams to be annotated."""

from __future__ import annotations

import pytest
from tests.collect.small import names

from deixis.collect.plan import Plan, Step
from deixis.collect.pools.tangrams import TangramPool
from deixis.collect.trial_types.annotate_parts import Figure
from deixis.collect.trial_types.describe_whole import Whole
from deixis.errors import BadInput


def pool_of(**over: object) -> TangramPool:
    pool = Plan(names(pool=over)).pool
    assert isinstance(pool, TangramPool)
    return pool


def test_dense_tangrams_are_kept_and_wanted_more_often() -> None:
    pool = pool_of(limit=5, dense=["swan-000", "key-000"], dense_people=50)
    wanted = {u.key: u.wanted for u in pool.units}
    assert len(wanted) == 5
    assert (wanted["swan-000"], wanted["key-000"]) == (50, 50)
    assert sorted(wanted.values()) == [3, 3, 3, 50, 50]
    with pytest.raises(BadInput, match="no tangram 'owl-9' to be dense"):
        pool_of(dense=["owl-9"])


def test_a_split_gives_its_own_tangrams_only() -> None:
    assert len(pool_of(limit=None).units) == 55
    assert len(pool_of(source="figures:test", limit=None).units) == 18


def test_the_stages_of_one_tangram() -> None:
    plan = Plan(names())
    assert plan.pool is not None
    key = plan.pool.units[0].key
    phase = plan.phases["shapes"]
    assert plan.keys(phase, key, "s") == [("describe_whole", key), ("annotate_parts", key)]
    whole = plan.stimulus(Step("shapes", "describe_whole", key, "all", "s"), {})
    assert isinstance(whole, Whole)
    pieces = whole.drawing["pieces"]
    assert sorted(p["piece"] for p in pieces) == list(range(1, 8))
    assert {p["shape"] for p in pieces} == {
        "square",
        "parallelogram",
        "small triangle",
        "medium triangle",
        "large triangle",
    }
    earlier = {"describe_whole": {"text": "a heron"}}
    figure = plan.stimulus(Step("shapes", "annotate_parts", key, "all", "s"), earlier)
    assert isinstance(figure, Figure)
    assert figure.whole == "a heron"
    assert figure.examples[0].pieces.count(0) >= 1


def test_practice_shows_three() -> None:
    assert len(set(pool_of().practice("x"))) == 3
