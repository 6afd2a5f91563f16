"""No shells: what every neural baseline learns, in the figures that docs/statements.md quotes.

Short forms run beside, on the same path: sizes are smaller, and only the direction is checked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
import torch

from deixis.dataset import Dataset
from deixis.outcomes import score
from deixis.players.statement.neural.baseline import Trained, divide
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
@pytest.mark.parametrize(
    ("name", "seed", "other"), [("film", 0, 1), ("mac", 3, 2), ("cnn-rnn", 0, 1)]
)
def test_existence_on_new_scenes(name: str, seed: int, other: int) -> None:
    train, heard, unheard = existence(
        load("boxes", sentences=3000, kinds=("existence",)),
        load("boxes", sentences=400, kinds=("existence",), seed=other),
    )
    with counted(print, f"\n{name}"):
        player = build(name, train).fit(train, seed=seed)
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


def exact(player: Trained, task: Task) -> float:
    """Share of sentences whose likeliest layout is, module by module, the gold one."""
    gold = task.dataset.extras["layouts"]
    sentences = sorted({t.sentence for t in task.trials})
    tokens, lengths = player.senses.words.rows(sentences)
    with torch.inference_mode():
        plans = player.net.policy(tokens, lengths).plans
    return float(np.mean([p == gold[s].plan for p, s in zip(plans, sentences, strict=True)]))


@pytest.fixture(scope="module")
def statements() -> tuple[Task, Task]:
    """Statements of every kind: to learn from, and held out with sentences and pictures."""
    world = load("boxes", sentences=2000)
    return make(world.select("train"), "boxes:train"), make(world.select("test"), "boxes:test")


@pytest.mark.long
def test_modules_with_gold_layouts(statements: tuple[Task, Task]) -> None:
    train, test = statements
    with counted(print, "\nnmn"):
        player = build("nmn", train, layouts="gold").fit(train, seed=0)
    found = {"test": accuracy(player, test)}
    found |= {c: accuracy(player, test.do(c)) for c in ("image=blank",)}
    print("nmn", found)
    assert found["test"] >= 0.9
    assert abs(found["image=blank"] - 0.5) < 0.03


@pytest.mark.long
def test_cloning_and_tuning(statements: tuple[Task, Task]) -> None:
    train, test = statements
    learner = build("n2nmn:cloning", train, layouts="gold")
    with counted(print, "\nn2nmn, cloning"):
        player = learner.fit(train, seed=1)
    cloned, layouts = accuracy(player, test), exact(player, test)
    print("n2nmn, cloning", cloned, "layouts", layouts)
    with counted(print, "n2nmn, tuning"):
        parts = divide(train, 1)
        replace(learner, stages=("tuning",))._stages(player.net, player.senses, *parts, 1, None, "")
    tuned = accuracy(player, test)
    blank = accuracy(player, test.do("image=blank"))
    print("n2nmn, tuned", tuned, "image=blank", blank)
    assert cloned >= 0.9
    assert layouts >= 0.9
    assert tuned >= cloned - 0.01
    assert abs(blank - 0.5) < 0.03


@pytest.mark.long
def test_reinforcement_from_scratch(statements: tuple[Task, Task]) -> None:
    train, test = statements
    learner = build("n2nmn:reinforcement", train, epochs="10")
    with counted(print, "\nn2nmn, reinforcement"):
        player = learner.fit(train, seed=0)
    found = accuracy(player, test)
    print("n2nmn, reinforcement", found, [round(h["score"], 3) for h in learner.fits[0].history])
    assert found > 0.52, "it starts at a half"
