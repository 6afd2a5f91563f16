"""Expectations of an audit: unit tests of a player's components.

A line is ``NAME >= POINTS``, ``NAME <= POINTS``, ``NAME used`` or ``NAME not used``. NAME is a
channel (what it loses when it is taken away), an intervention as written, or a measure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deixis.audit.audit import Audit
from deixis.audit.infer import NOT_USED, UNDECIDED, USED
from deixis.errors import BadInput
from deixis.runs.summary import averaged
from deixis.units import MEASURES

_LINE = re.compile(
    r"(?P<name>\S+)\s+(?:(?P<sign>>=|<=)\s*(?P<bound>-?\d+(?:\.\d+)?)|(?P<verdict>used|not used))"
)

PASSED, FAILED = "passed", "failed"


@dataclass(frozen=True)
class Expectation:
    """One line.

    Attributes:
        text: as written.
        name: channel, intervention or measure.
        sign: ``>=`` or ``<=``; empty for a verdict.
        bound: in points.
        verdict: ``used`` or ``not used``; empty for a bound.
    """

    text: str
    name: str
    sign: str = ""
    bound: float = 0.0
    verdict: str = ""

    @classmethod
    def parse(cls, text: str) -> Expectation:
        """Read one line.

        >>> Expectation.parse("caption >= 20").bound
        20.0

        Raises:
            BadInput: it is not of the form.
        """
        match = _LINE.fullmatch(text.strip())
        if match is None:
            raise BadInput(
                f"{text!r} is no expectation: expected NAME >= POINTS, NAME <= POINTS, NAME used, "
                "or NAME not used"
            )
        bound = float(match["bound"]) if match["bound"] else 0.0
        return cls(text.strip(), match["name"], match["sign"] or "", bound, match["verdict"] or "")


@dataclass(frozen=True)
class Result:
    """What became of an expectation: passed, failed, or undecided; values in points."""

    expectation: Expectation
    outcome: str
    value: float
    low: float
    high: float

    def json(self) -> Mapping[str, Any]:
        """As JSON gives it."""
        return {
            "expect": self.expectation.text,
            "outcome": self.outcome,
            "value": self.value,
            "low": self.low,
            "high": self.high,
        }


def interventions(expectations: Sequence[Expectation], absent: Mapping[str, str]) -> list[str]:
    """The conditions to play for these expectations, given how each channel is taken away."""
    named = [e.name for e in expectations if e.name not in MEASURES]
    return list(dict.fromkeys(absent.get(name, name) for name in named))


def decide(expectation: Expectation, audit: Audit) -> Result:
    """Hold an expectation against an audit.

    A bound holds if the whole 95 % interval is on its side, fails if none of it is, and is
    undecided in between. A verdict holds if it is the audit's, fails if the audit's is the other.

    Raises:
        BadInput: the audit has no such channel, intervention or measure.
    """
    scale = audit.measure.scale
    if expectation.name in MEASURES:
        measure = MEASURES[expectation.name]
        numbers = averaged(measure, audit.run.base)
        value, low, high = (measure.scale * v for v in numbers)
        verdict = ""
    else:
        of = audit.absent.get(expectation.name, expectation.name)
        found = next((c for c in audit.of("gap") if c.of == of), None)
        if found is None:
            known = ", ".join(audit.absent)
            raise BadInput(f"{expectation.text!r}: no {expectation.name!r} (channels: {known})")
        value, low, high = (scale * v for v in (found.value, found.low, found.high))
        verdict = found.verdict
    if expectation.verdict and not verdict:
        raise BadInput(f"{expectation.text!r}: a measure is neither used nor not used")
    outcome = (
        _by_verdict(expectation.verdict, verdict)
        if expectation.verdict
        else _by_bound(expectation.sign, expectation.bound, low, high)
    )
    return Result(expectation, outcome, value, low, high)


def _by_bound(sign: str, bound: float, low: float, high: float) -> str:
    if math.isnan(low):
        return UNDECIDED
    surely, surely_not = (
        (low >= bound, high < bound) if sign == ">=" else (high <= bound, low > bound)
    )
    return PASSED if surely else FAILED if surely_not else UNDECIDED


def _by_verdict(expected: str, given: str) -> str:
    other = NOT_USED if expected == USED else USED
    return PASSED if given == expected else FAILED if given == other else UNDECIDED
