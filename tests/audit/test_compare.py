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
