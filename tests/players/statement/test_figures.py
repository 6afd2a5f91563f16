"""No shells: what every neural baseline learns, in the figures that docs/statements.md quotes.

Short forms run beside, on the same path: sizes are smaller, and only the direction is checked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from deixis.dataset import Dataset
from deixis.outcomes import score
from deixis.players.statement.neural.baseline import Trained
from deixis.runs.prepare import build
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task


@contextmanager
def counted(say: Callable[[str], object], what: str) -> Iterator[None]:
    """Tell how much processor time something takes."""
    start = time.process_time()
    yield
    say(f"{what}: {time.process_time() - start:.0f} s of processor time")


def accuracy(player: Trained, task: Task) -> float:
    return float(score(task, player.at(task).reply(views(task))).credit.mean())


def existence(learnt: Dataset, other: Dataset) -> tuple[Task, Task, Task]:
    """What is learnt; new scenes with sentences that were learnt; and with others."""
    train = make(learnt.select("train"), "boxes:train")
    known = {t.sentence for t in train.trials}
    whole = make(other, "boxes, another seed")
    heard = {t.item for t in whole.trials if t.sentence in known}
    unheard = {t.item for t in whole.trials} - heard
    return train, whole.only(heard), whole.only(unheard)


@pytest.mark.long
@pytest.mark.parametrize("name", ["film", "mac", "cnn-rnn"])
def test_existence_on_new_scenes(name: str) -> None:
    train, heard, unheard = existence(
        load("boxes", sentences=3000, kinds=("existence",)),
        load("boxes", sentences=400, kinds=("existence",), seed=1),
    )
    with counted(print, f"\n{name}"):
        player = build(name, train).fit(train, seed=0)
    found = {
        "new scenes": accuracy(player, heard),
        "and sentences": accuracy(player, unheard),
        "sentence=blank": accuracy(player, heard.do("sentence=blank")),
        "image=blank": accuracy(player, heard.do("image=blank")),
    }
    print(name, len(heard), len(unheard), {n: round(100 * v, 1) for n, v in found.items()})
    assert found["new scenes"] >= 0.8
    for condition in ("sentence=blank", "image=blank"):
        assert abs(found[condition] - 0.5) < 0.04, condition
