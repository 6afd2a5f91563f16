"""Values as JSON has them, and numbers as people read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """The value in JSON's own types."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.15g}") if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def percent(value: float | None, places: int = 1) -> str:
    """A fraction in percent.

    >>> percent(0.1234), percent(None)
    ('12.3', '–')
    """
    return "–" if value is None else number(100 * value, places)


def number(value: float, places: int = 1) -> str:
    """A number for people: a dash where it is undefined, no minus before zero.

    >>> number(-0.04), number(float("nan"))
    ('0.0', '–')
    """
    return f"{round(value, places) + 0.0:.{places}f}" if math.isfinite(value) else "–"


def p_value(p: float) -> str:
    """A p value for people.

    >>> p_value(0.0004), p_value(0.034)
    ('< .001', '.034')
    """
    if math.isnan(p):
        return "–"
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
