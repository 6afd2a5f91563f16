"""Answering games: trials, what a reader sees, measures of planted scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from deixis.dataset import Conversation, Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.vectors import NameStore
from deixis.replies import Replies
from deixis.runs.play import play
from deixis.runs.summary import measured
from deixis.tasks.make import make
from deixis.tasks.see import see, views
from deixis.tasks.task import Task
from deixis.trials import Dialog, Turn

OPTIONS = ("yes", "no", "red", "two", "maybe")


@pytest.fixture
def dataset() -> Dataset:
    """Two rounds of twelve dialogs; the answer to the second is judged, with two synonyms."""
    records = {}
    options = {}
    for i in range(12):
        name = str(i)
        turns = (Turn("is it big?", "yes"), Turn(f"is it number {i}?", "no"))
        records[name] = Conversation(name, name, Dialog(f"thing {i}", turns))
        options |= {(name, 1): (OPTIONS, 0), (name, 2): (OPTIONS, 1)}
    dense = {n: (2, np.array([0.0, 1.0, 0.0, 0.0, 0.4])) for n in records}
    return Dataset(
        "made",
        "answering",
        {"all": tuple(records)},
        records,
        NameStore(list(records), "made"),
        extras={"options": options, "dense": dense, "form": "dense"},
    )


class Fixed:
    """Scores options by their text."""

    name, revision = "fixed", "1"

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def reply(self, views: Any) -> Replies:
        return Replies.scored(views, [[self.scores.get(o, 0.0) for o in v.options] for v in views])


def values(task: Task, player: Any) -> dict[str, Any]:
    return measured(task.about.measures, play(task, player).base)[0]


def test_a_trial_for_each_round_and_no_answer_in_sight(dataset: Dataset) -> None:
    task = make(dataset)
    assert len(task) == 24
    for trial, view in zip(task.trials, views(task), strict=True):
        assert view.dialog.turns[-1].answer == ""
        assert sorted(view.options) == sorted(OPTIONS)
        assert view.options[list(task.order(task.position(trial))).index(trial.answer)] in (
            "yes",
            "no",
        )
        assert len(view.before) == len(view.dialog.turns) - 1
    assert views(task)[1].dialog.turns[0].answer == "yes"


def test_measures_of_known_scores(dataset: Dataset) -> None:
    """`yes` before `maybe` before `no`: ranks 1 and 3; the judged round has .4 at 2, 1 at 3."""
    found = values(make(dataset), Fixed(yes=3.0, maybe=2.0, no=1.0))
    assert found["mrr"] == pytest.approx((1 + 1 / 3) / 2)
    assert found["accuracy"] == 0.5
    assert found["top_5"] == found["top_10"] == 1
    assert found["mean_rank"] == 2
    # Two options are relevant, so two places count: .4 at place 2 of at most 1 + .4 / log2(3).
    discount = 1 / np.log2(3)
    assert found["ndcg"] == pytest.approx(0.4 * discount / (1 + 0.4 * discount))


def test_a_player_that_knows_nothing_has_exactly_chance(dataset: Dataset) -> None:
    task = make(dataset)
    found = values(task, Fixed())
    assert found["mrr"] == pytest.approx(task.chance)
    assert found["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 5)
    assert found["accuracy"] == pytest.approx(0.2)
    assert found["mean_rank"] == 3
    mute = Replies((), np.zeros(0, np.uint8), np.zeros((0, 0)))
    unheard = measured(task.about.measures, [score(task, mute)])[0]
    assert unheard == pytest.approx(found)


def test_interventions_reach_what_was_said_before_alone(dataset: Dataset) -> None:
    task = make(dataset)
    trial = task.trials[1]
    seen = see(task.do("answer=negate"), trial)
    assert [t.answer for t in seen.dialog.turns] == ["no", ""]
    assert see(task.do("caption=drop"), trial).dialog.caption == ""
    lent = see(task.do("question=shuffle"), trial).dialog.turns
    assert lent[0].question == "is it big?"
    assert lent[1].question not in ("is it number 0?", "is it big?")
    assert see(task.do("image=shuffle"), trial).image != trial.image


def test_what_no_trial_can_be_made_of(dataset: Dataset) -> None:
    few = replace(dataset, extras={**dataset.extras, "options": {("0", 1): (OPTIONS, 0)}})
    assert make(few).dropped == {"rounds without options": 23}
    with pytest.raises(BadInput, match="no round has options"):
        make(replace(dataset, extras={**dataset.extras, "options": {}}))
    short = {**dataset.extras, "dense": {"0": (2, np.ones(3))}}
    with pytest.raises(BadInput, match="round 2 of dialog 0 has 5 options and 3 relevances"):
        make(replace(dataset, extras=short))


def test_no_judged_round_is_no_number(dataset: Dataset) -> None:
    task = make(replace(dataset, extras={**dataset.extras, "dense": {}}))
    assert np.isnan(values(task, Fixed())["ndcg"])
