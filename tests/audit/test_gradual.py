"""Part by part."""

from __future__ import annotations

from functools import partial

import pytest

from deixis.audit.audit import Spec, audit
from deixis.audit.gradual import conditions
from deixis.errors import BadInput
from deixis.players.common.call import Call
from deixis.runs.play import play
from deixis.sources import load
from deixis.tasks.make import make
from deixis.trials import ReferenceView


def by_parts(view: ReferenceView) -> list[float]:
    """Likes the candidate with the same pieces painted; more parts tell candidates apart."""
    wanted = len(view.texts[0].parts)
    return [
        float(len({q for q in p.paint or () if q is not None}) == wanted) for p in view.pictures
    ]


def test_points_for_every_number_of_parts() -> None:
    task = make(load("figures", variants=3))
    spec = Spec(do=("color=drop",), gradual=True, resamples=50)
    found = audit(task, partial(play, task, Call(by_parts)), spec)
    totals = {p.total for p in found.gradual}
    assert totals == {len(t.texts[0].parts) for t in task.trials}
    for total in totals:
        points = [p for p in found.gradual if p.total == total]
        assert [p.given for p in points] == list(range(total + 1))
        assert len({p.n for p in points}) == 1
        assert all(p.accuracy[0] == pytest.approx(0.1) for p in points)
        assert all(0 < p.probability[0] < 1 for p in points)
    assert sum(p.n for p in found.gradual if p.given == 0) == len(task)


def test_no_parts_no_curve() -> None:
    task = make(load("figures", variants=2))
    assert conditions(task)[0] == "parts=keep:0,color=keep:0"

    class Bare:
        name, atoms = "bare", ("sentence",)

    with pytest.raises(BadInput, match="a task with parts"):
        conditions(Bare())  # type: ignore[arg-type]
