"""The additive projection."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays

from deixis.audit.emap import emap, project
from deixis.errors import BadInput
from deixis.players.common.constant import Constant
from deixis.sources import load
from deixis.tasks.make import make


@given(arrays(np.float64, (5, 5), elements={"min_value": -5, "max_value": 5}))
def test_the_projection_is_the_best_additive_fit(odds: np.ndarray) -> None:
    found = project(odds)
    rows, columns = np.indices((5, 5)).reshape(2, -1)
    design = np.column_stack([np.eye(5)[rows], np.eye(5)[columns]])
    fitted = design @ np.linalg.lstsq(design, odds.ravel(), rcond=None)[0]
    assert found.ravel() == pytest.approx(fitted, abs=1e-9)
    assert project(found) == pytest.approx(found, abs=1e-9)


def test_it_is_for_label_sets_only() -> None:
    task = make(load("figures", variants=2))
    with pytest.raises(BadInput, match="label sets"):
        emap(task, Constant())
