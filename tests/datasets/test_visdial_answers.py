"""VisDial's options as answering games, on the published subsets of val."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.datasets.visdial_answers import visdial_answers
from deixis.players.common.constant import Constant
from deixis.runs.play import play
from deixis.runs.summary import measured
from deixis.tasks.make import make


def test_the_published_rounds(data: Path) -> None:
    held = visdial_answers(data)
    task = make(held.select("crowdsourced", "vispro"))
    assert len(task) == 1650
    assert {len(t.options) for t in task.trials} == {100}
    answers = {i: [t.answer for t in c.dialog.turns] for i, c in held.records.items()}
    for trial in task.trials:
        name, number = trial.id.split("@")
        assert trial.options[trial.answer] == answers[name][int(number) - 1]
    judged = [t for t in task.trials if t.relevance]
    assert len(judged) == 165
    found = measured(task.about.measures, play(task, Constant()).base)[0]
    assert found["accuracy"] == pytest.approx(0.01)
    assert found["mean_rank"] == 50.5
    assert found["mrr"] == pytest.approx(task.chance)
    # Golden: a constant's gain is that of a drawn order.
    assert found["ndcg"] == pytest.approx(0.100, abs=0.001)
