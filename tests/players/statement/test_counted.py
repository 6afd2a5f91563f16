"""Maximum entropy on detections: learns counting where the detections are right, and only there."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from deixis.outcomes import score
from deixis.players.common.saved import saved
from deixis.players.statement.counted import fired, mentioned, named
from deixis.runs.prepare import build
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task


@pytest.fixture(scope="module")
def counting() -> tuple[Task, Task]:
    world = load("boxes", sentences=160, kinds=("hard", "soft"))
    return make(world.select("train"), "boxes:train"), make(world.select("test"), "boxes:test")


@pytest.fixture(scope="module")
def file(counting: tuple[Task, Task], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a perfect detector of shapes would find."""
    names = ["square", "circle", "triangle"]
    images, annotations = [], []
    for task in counting:
        for source in sorted({p.source for t in task.trials for p in (t.left, t.right)}):
            images.append({"id": len(images), "file_name": source})
            for box in task.store.scene(source):
                annotations += [
                    {"image_id": len(images) - 1, "category_id": names.index(t.shape)} for t in box
                ]
    categories = [{"id": i, "name": n} for i, n in enumerate(names)]
    made = tmp_path_factory.mktemp("found") / "found.json"
    made.write_text(
        json.dumps({"images": images, "categories": categories, "annotations": annotations})
    )
    return made


def test_words_and_kinds() -> None:
    assert named("dogs", "dog")
    assert named("boxes", "box")
    assert named("cats", "big cat")
    assert not named("cat", "cats")
    spoken = "there are exactly two brown dogs".split()
    assert list(mentioned(spoken, Counter(dog=1, cat=1))) == [("dog", 2)]
    made = set(fired("Two dogs.", {"dog": 2}, {"dog": 1}))
    assert {"#dog = left", "#dog > right", "#dog < both", "two dogs|dog|both|3"} <= made


def test_learns_is_kept_and_looks(counting: tuple[Task, Task], file: Path, tmp_path: Path) -> None:
    train, test = counting
    player = build(f"maxent-detections:{file}", train).fit(train)
    own = score(train, player.reply(views(train))).credit.mean()
    assert own > 0.7
    told = player.at(test).reply(views(test)).scores
    player.save(tmp_path / "kept")
    again = saved(str(tmp_path / "kept"), test)
    np.testing.assert_array_equal(again.reply(views(test)).scores, told)
    blind = score(train, player.reply(views(train.do("image=blank")))).credit.mean()
    assert blind < own - 0.1
