"""Any matcher by threshold: what is chosen, on scores whose meaning is planted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.neural import tiny
from deixis.players.common.saved import saved
from deixis.players.statement.threshold import POOLINGS, ThresholdLearner, best_threshold
from deixis.replies import Replies
from deixis.runs.prepare import build
from deixis.tasks.see import views
from deixis.tasks.task import Task


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=12))
def test_no_threshold_is_better(trials: list[tuple[int, bool]]) -> None:
    scores, labels = np.array([float(s) for s, _ in trials]), np.array([y for _, y in trials])
    cut, share = best_threshold(scores, labels)
    tried = [-1.0, *(v + 0.5 for v in range(5))]
    assert share == max(((scores > t) == labels).mean() for t in tried)
    assert ((scores > cut) == labels).mean() == share


class Matcher:
    """Scores a picture 1 where the sentence is true of the pair, on one side only."""

    name, revision = "planted", "1"

    def __init__(self, task: Task, side: int) -> None:
        self.labels = {v.id: t.label for v, t in zip(views(task), task.trials, strict=True)}
        self.side = side

    def reply(self, asked) -> Replies:
        rows = [[0.3, 0.3] for _ in asked]
        for row, view in zip(rows, asked, strict=True):
            row[self.side] = 0.9 if self.labels[view.id] else 0.1
        return Replies.scored(asked, rows)


@pytest.mark.parametrize("side", [0, 1])
def test_planted_side_is_found(side: int, learnt: Task) -> None:
    player = ThresholdLearner("planted", Matcher(learnt, side)).fit(learnt)
    assert 0.1 < player.threshold < 0.9
    assert score(learnt, player.reply(views(learnt))).credit.mean() == 1


def test_poolings() -> None:
    both = np.array([[1.0, 3.0]])
    assert {n: float(pool(both)[0]) for n, pool in POOLINGS.items()} == {
        "mean": 2,
        "lower": 1,
        "higher": 3,
        "left": 1,
        "right": 3,
    }


def test_a_real_matcher_is_kept(learnt: Task, played: Task, tmp_path: Path) -> None:
    towers = tiny.clip(tmp_path / "clip", [t.sentence for t in learnt.trials])
    player = build(f"threshold:clip:{towers}", learnt).fit(learnt)
    train = score(learnt, player.reply(views(learnt))).credit.mean()
    assert train >= 0.5, "always true, or always false, is among what is chosen from"
    player.save(tmp_path / "kept")
    again = saved(str(tmp_path / "kept"), played)
    told = player.at(played).reply(views(played)).scores
    np.testing.assert_array_equal(again.reply(views(played)).scores, told)


def test_refusals(learnt: Task) -> None:
    with pytest.raises(BadInput, match="expected threshold:MATCHER"):
        build("threshold", learnt)
    with pytest.raises(BadInput, match="trained on reference games first"):
        build("threshold:linear", learnt)
