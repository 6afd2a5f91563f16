"""Expectations as unit tests."""

from __future__ import annotations

from functools import partial

import pytest

from deixis.audit.audit import Audit, Spec, audit
from deixis.audit.expect import FAILED, PASSED, Expectation, decide, interventions
from deixis.audit.infer import UNDECIDED
from deixis.errors import BadInput
from deixis.players.common.planted import planted
from deixis.runs.play import play
from deixis.sources import load
from deixis.tasks.make import make


@pytest.fixture(scope="module")
def answered() -> Audit:
    task = make(load("figures", variants=4))
    player = planted("whole=0.3,parts=0.03", task)
    return audit(task, partial(play, task, player), Spec(resamples=500))


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("whole >= 20", PASSED),
        ("whole >= 40", FAILED),
        ("whole >= 30", UNDECIDED),
        ("whole <= 40", PASSED),
        ("whole <= 20", FAILED),
        ("whole used", PASSED),
        ("whole not used", FAILED),
        ("shape not used", PASSED),
        ("color used", FAILED),
        ("whole=drop >= 20", PASSED),
        ("accuracy >= 30", PASSED),
        ("accuracy <= 30", FAILED),
    ],
)
def test_lines(answered: Audit, line: str, outcome: str) -> None:
    assert decide(Expectation.parse(line), answered).outcome == outcome


@pytest.mark.parametrize("line", ["whole", "whole > 3", "whole >= many", "whole unused", ">= 3"])
def test_no_expectation(line: str) -> None:
    with pytest.raises(BadInput, match="no expectation"):
        Expectation.parse(line)


def test_unknown_names_are_refused(answered: Audit) -> None:
    with pytest.raises(BadInput, match="no 'frob'"):
        decide(Expectation.parse("frob >= 3"), answered)
    with pytest.raises(BadInput, match="neither used nor not used"):
        decide(Expectation.parse("accuracy used"), answered)


def test_only_what_is_expected_is_played() -> None:
    lines = [Expectation.parse(t) for t in ("whole used", "parts=shuffle >= 1", "accuracy >= 1")]
    assert interventions(lines, {"whole": "whole=drop"}) == ["whole=drop", "parts=shuffle"]
