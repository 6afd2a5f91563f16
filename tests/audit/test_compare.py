"""Comparisons of runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deixis.audit.compare import BETTER, SAME, WORSE, Side, compare
from deixis.audit.infer import UNDECIDED
from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.seeds import draw
from deixis.stats.tests import holm
from deixis.units import MEASURES
from tests.audit.test_infer import outcomes

ACCURACY = MEASURES["accuracy"]


def side(name: str, rate: float, n: int = 300) -> Side:
    return Side(name, (outcomes(draw(0, name).random(n) < rate),))


def people(rate: float, raters: int = 15, items: int = 100) -> Side:
    credit = draw(0, "people").random(items * raters) < rate
    made = outcomes(credit)
    items_ = np.tile([f"t{i:04}" for i in range(items)], raters)
    who = np.repeat([f"p{i}" for i in range(raters)], items)
    return Side("people", (replace(made, items=items_, clusters=items_, raters=who),))


def test_every_pair_with_its_verdict() -> None:
    sides = [side("good", 0.9), side("poor", 0.5), side("good twin", 0.9)]
    sides.append(Side("good again", sides[0].outcomes))
    found = compare(sides, ACCURACY, margin=0.01)
    verdicts = {(a, b): c.verdict for a, b, c in found.pairs}
    assert verdicts["good", "poor"] == BETTER
    assert verdicts["poor", "good twin"] == WORSE
    assert verdicts["good", "good again"] == SAME
    assert verdicts["good", "good twin"] == UNDECIDED
    p = np.array([c.p for _, _, c in found.pairs])
    assert [c.p_holm for _, _, c in found.pairs] == holm(p).tolist()


def test_people_are_compared_with_two_way_clusters() -> None:
    machine = side("machine", 0.5, 100)
    found = compare([people(0.8), machine], ACCURACY, margin=0.01)
    ((_, _, contrast),) = found.pairs
    assert contrast.verdict == BETTER
    assert contrast.value == pytest.approx(0.3, abs=0.1)
    assert found.sides[0]["raters"] == 15
    assert found.sides[1]["raters"] == 0
    assert found.json()["pairs"][0]["a"] == "people"


def test_other_items_are_refused_by_name() -> None:
    with pytest.raises(BadInput, match=r"not of the same items: 20 differ, such as t0100, t0101"):
        compare([side("a", 0.5, 100), side("b", 0.5, 120)], ACCURACY, margin=0.01)
    with pytest.raises(BadInput, match="two runs or more"):
        compare([side("a", 0.5)], ACCURACY, margin=0.01)
    with pytest.raises(BadInput, match="different names"):
        compare([side("a", 0.5), side("a", 0.5)], ACCURACY, margin=0.01)


def test_replicates_of_a_machine_count_as_one_reply_beside_people() -> None:
    runs: tuple[Outcomes, ...] = tuple(outcomes(draw(i, "m").random(100) < 0.5) for i in range(3))
    found = compare([people(0.8), Side("machine", runs)], ACCURACY, margin=0.01)
    mean = np.mean([o.credit.mean() for o in runs])
    assert found.sides[1]["value"] == pytest.approx(mean)
    assert found.pairs[0][2].value == pytest.approx(found.sides[0]["value"] - mean)


def test_people_are_compared_by_what_is_asked_for() -> None:
    """Groups of two: the difference is that of the sides' consistencies, and is less certain."""
    groups = np.array([f"g{i // 2}" for i in range(100)])
    machine = outcomes(draw(0, "machine").random(100) < 0.5)
    machine = replace(machine, groups=groups, clusters=groups)
    rated = people(0.8).outcomes[0]
    rated = replace(
        rated, groups=np.tile(groups, 15), clusters=np.tile(groups, 15), ids=rated.items
    )
    sides = [Side("people", (rated,)), Side("machine", (replace(machine, ids=machine.items),))]
    found = compare(sides, MEASURES["consistency"], margin=0.01)
    single = compare(sides, ACCURACY, margin=0.01)
    ((_, _, contrast),) = found.pairs
    assert contrast.value == pytest.approx(found.sides[0]["value"] - found.sides[1]["value"])
    assert contrast.value > single.pairs[0][2].value
    with pytest.raises(BadInput, match="consistency or percentile_rank, not by probability"):
        compare(sides, MEASURES["probability"], margin=0.01)


def test_the_error_of_a_product_is_that_of_its_replies() -> None:
    """One group's consistency is a²; its error is 2a times that of a, where raters differ most."""
    rng = draw(0, "errors")
    raters, groups = 40, 60
    skill = rng.normal(0.8, 0.1, raters).clip(0, 1)
    credit = (rng.random((raters, groups, 2)) < skill[:, None, None]).ravel()
    made = outcomes(credit)
    names = np.tile(np.repeat([f"g{i}" for i in range(groups)], 2), raters)
    ids = np.tile([f"t{i:04}" for i in range(groups * 2)], raters)
    who = np.repeat([f"p{i}" for i in range(raters)], groups * 2)
    rated = replace(made, ids=ids, items=ids, groups=names, clusters=names, raters=who)
    none = replace(outcomes(np.zeros(groups * 2, bool)), raters=np.full(groups * 2, ""))
    none = replace(none, ids=ids[: groups * 2], items=ids[: groups * 2])
    none = replace(none, groups=names[: groups * 2], clusters=names[: groups * 2])
    sides = [Side("people", (rated,)), Side("nobody", (none,))]
    wide = compare(sides, MEASURES["consistency"], margin=0.01).pairs[0][2]
    narrow = compare(sides, ACCURACY, margin=0.01).pairs[0][2]
    assert wide.error / narrow.error == pytest.approx(2 * credit.mean(), rel=0.15)
