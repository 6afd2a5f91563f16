"""Statement tasks: trials, channels, donors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deixis.dataset import Dataset, Statement
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.scene import Thing
from deixis.pictures.scenestore import SceneStore
from deixis.players.common.constant import Constant
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import dose, see, views
from deixis.tasks.statement import NOTHING
from deixis.tasks.task import Task
from deixis.trials import BLANK
from deixis.units import MEASURES

SCENES = {
    f"{side}{i}": ((Thing(0, i, 10, "circle", color),),)
    for i in range(6)
    for side, color in (("left", "blue"), ("right", "black"))
}


def dataset(pairs: bool = True) -> Dataset:
    records = {
        f"s{i}": Statement(
            id=f"s{i}",
            sentence=f"sentence number {i // 2}",
            label=i % 3 == 0,
            pictures=((f"left{i}", f"right{i}" if pairs else ""),),
            split="all",
            set=f"set{i // 2}",
            pair=f"pair{i}",
            writer="w" if i else None,
            synset="a" if i < 4 else "b",
        )
        for i in range(6)
    }
    return Dataset("tiny", "statement", {"all": tuple(records)}, records, SceneStore(SCENES))


@pytest.fixture
def task() -> Task:
    return make(dataset())


def test_trials(task: Task) -> None:
    trial = task.trials[1]
    assert trial.clusters == (("set", "set0"), ("pair", "pair1"), ("worker", "w"))
    assert (trial.group, trial.stratum, trial.item, trial.answer) == ("set0--0", "a", "s1", 1)
    assert task.trials[0].clusters == (("set", "set0"), ("pair", "pair0"))
    assert task.chance == 0.5
    assert tuple(task.channels) == ("sentence", "left", "right", "image")


def test_a_view_holds_no_answer(task: Task) -> None:
    flipped = replace(task.trials[0], label=not task.trials[0].label)
    assert flipped.view() == task.trials[0].view()


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("sentence=drop", ("", "left0", "right0")),
        ("sentence=blank", ("_ _ _", "left0", "right0")),
        ("left=drop", ("sentence number 0", "blank", "right0")),
        ("right=blank", ("sentence number 0", "left0", "blank")),
        ("image=drop", ("sentence number 0", "blank", "blank")),
        ("left=swap", ("sentence number 0", "right0", "right0")),
        ("right=swap", ("sentence number 0", "left0", "left0")),
        ("image=swap", ("sentence number 0", "right0", "left0")),
    ],
)
def test_conditions(task: Task, condition: str, expected: tuple[str, str, str]) -> None:
    view = see(task.do(condition), task.trials[0])
    assert (view.sentence, view.left.source, view.right.source) == expected


def test_donors_bring_a_pair_of_another_set(task: Task) -> None:
    altered = task.do("image=shuffle")
    for trial, view in zip(task.trials[:4], views(altered)[:4], strict=True):
        assert view.left.source.removeprefix("left") == view.right.source.removeprefix("right")
        own, lent = int(trial.id[1:]), int(view.left.source.removeprefix("left"))
        assert own // 2 != lent // 2
        assert lent < 4  # of the same stratum
        assert view.sentence == trial.sentence


def test_one_picture_has_no_right_channel() -> None:
    task = make(dataset(pairs=False))
    assert tuple(task.channels) == ("sentence", "left", "image")
    assert task.channels["image"].atoms == ("left",)
    noisy = see(task.do("image=noise"), task.trials[0])
    assert noisy.right == NOTHING
    assert noisy.left.edits
    assert see(task.do("image=drop"), task.trials[0]).left == BLANK
    assert not dose(task.do("image=same"), task, task.trials[0]).altered
    with pytest.raises(BadInput, match="no channel 'right'"):
        task.do("right=drop")
    with pytest.raises(BadInput, match="image=swap: there is one picture only"):
        see(task.do("image=swap"), task.trials[0])


def test_swapping_twice_changes_nothing(task: Task) -> None:
    assert see(task.do("image=swap", "image=swap"), task.trials[0]).left.source == "right0"


def test_a_constant_player_is_at_chance(task: Task) -> None:
    outcomes = score(task, Constant().reply(views(task)))
    assert MEASURES["accuracy"].of(outcomes).values.mean() == 0.5
    assert MEASURES["consistency"].of(outcomes).values.tolist() == [0.25, 0.25, 0.25]


def test_options(task: Task) -> None:
    with pytest.raises(BadInput, match="first or all"):
        make(dataset(), permutations="some")
    with pytest.raises(BadInput, match="no statements"):
        make(replace(dataset(), records={}))


def test_all_drawings_of_nlvr(data: Path) -> None:
    task = make(load("nlvr:dev", data), permutations="all")
    assert len(task) == 5934
    assert task.trials[0].id == "dev-1572-0-0.png"
    assert {t.stratum for t in task.trials} == {"tower", "scatter"}
    outcomes = score(task, Constant().reply(views(task)))
    consistency = MEASURES["consistency"].of(outcomes)
    # a group of four examples is drawn 24 times, and all must be right
    assert np.isclose(consistency.values.min(), 0.5**24)
    assert len(MEASURES["accuracy"].of(outcomes).values) == 989


def test_donors_of_the_releases(data: Path) -> None:
    for source in ("nlvr2:dev", "nlvr:dev"):
        task = make(load(source, data))
        for position, trial in enumerate(task.trials):
            donor = task.donor(position)
            assert donor.clusters[0] != trial.clusters[0]
            assert donor.sentence != trial.sentence
            assert donor.left.content not in (trial.left.content, trial.right.content)
        same = [t.stratum == task.donor(i).stratum for i, t in enumerate(task.trials)]
        assert np.mean(same) > 0.99
