"""Plans of studies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.audit.plan import Design, described, intraclass, items_needed, pilot, power
from deixis.errors import BadInput
from deixis.seeds import draw
from deixis.stats.power import Paired
from deixis.units import MEASURES
from tests.audit.test_infer import outcomes

ALONE = Design(Paired(0.03, 0.15))


def test_items_needed_reach_the_power_and_hardly_more() -> None:
    needed = items_needed(ALONE, 0.8)
    assert power(ALONE, needed) >= 0.8
    assert power(ALONE, int(needed * 0.95)) < 0.8


def test_clusters_need_more_items() -> None:
    clustered = Design(Paired(0.03, 0.15), per_cluster=4, icc=0.3)
    ratio = items_needed(clustered, 0.8) / items_needed(ALONE, 0.8)
    assert ratio == pytest.approx(clustered.deff, rel=0.15)


def test_cost_and_workers() -> None:
    said = described(Design(ALONE.paired, raters=3, most=100, pay=0.14, fee=0.2), 500)
    assert said["judgments"] == 1500
    assert said["workers"] == 15
    assert said["cost"] == pytest.approx(1500 * 0.14 * 1.2)


def test_nothing_can_be_planned_from_nothing() -> None:
    same = outcomes(np.ones(50))
    with pytest.raises(BadInput, match="differ in no item"):
        pilot(MEASURES["accuracy"], same, same)
    with pytest.raises(BadInput, match="effect above 0"):
        items_needed(Design(Paired(0.0, 0.1)), 0.8)
    with pytest.raises(BadInput, match="more than 10,000,000"):
        items_needed(Design(Paired(1e-5, 0.5)), 0.8)


def test_a_pilot_shows_effect_clusters_and_correlation() -> None:
    generator = draw(0, "pilot")
    clusters = np.repeat(np.arange(80), 10).astype(str)
    lost = np.repeat(generator.random(80) < 0.3, 10) & (generator.random(800) < 0.8)
    found = pilot(MEASURES["accuracy"], outcomes(np.ones(800), clusters), outcomes(~lost, clusters))
    assert found.paired.effect == pytest.approx(lost.mean())
    assert found.paired.discordance == pytest.approx(lost.mean())
    assert found.per_cluster == 10
    assert found.icc > 0.4


@given(st.floats(0.05, 0.9))
def test_intraclass_correlation_is_recovered(icc: float) -> None:
    generator = draw(0, "icc", icc)
    common = np.repeat(generator.standard_normal(2000), 4) * np.sqrt(icc)
    values = common + generator.standard_normal(8000) * np.sqrt(1 - icc)
    assert intraclass(values, np.repeat(np.arange(2000), 4)) == pytest.approx(icc, abs=0.06)


def test_single_items_have_no_intraclass_correlation() -> None:
    assert intraclass(np.arange(5.0), np.arange(5)) == 0.0
    assert intraclass(np.ones(6), np.array([0, 0, 0, 1, 1, 1])) == 0.0
