"""No shells: what every neural baseline learns, in the figures that docs/statements.md quotes.

Short forms run beside, on the same path: sizes are smaller, and only the direction is checked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from deixis.audit.audit import Spec, audit
from deixis.dataset import Dataset
from deixis.outcomes import score
from deixis.players.statement.neural.baseline import Trained, divide
from deixis.runs.play import play
from deixis.runs.prepare import build
from deixis.sources import load
from deixis.stats.clustered import t_intervals
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task


@contextmanager
def counted(say: Callable[[str], object], what: str) -> Iterator[None]:
    """Tell how much processor time something takes."""
    start = time.process_time()
    yield
    say(f"{what}: {time.process_time() - start:.0f} s of processor time")


BLANKS = {"image=blank": 0.0, "sentence=drop": 0.0, "sentence=blank": 0.04}
"""How far from a half a player may be without either input: by construction not at all; but a blank
sentence is as long as it was.
"""


def credit(player: Trained, task: Task) -> np.ndarray:
    return score(task, player.at(task).reply(views(task))).credit


def accuracy(player: Trained, task: Task) -> float:
    return float(credit(player, task).mean())


def blanked(player: Trained, task: Task) -> dict[str, float]:
    """Without either input it is at the majority."""
    found = {c: accuracy(player, task.do(c)) for c in BLANKS}
    for condition, value in found.items():
        assert abs(value - 0.5) <= BLANKS[condition], condition
    return found


def existence(learnt: Dataset, other: Dataset) -> tuple[Task, Task, Task]:
    """What is learnt; new scenes with sentences that were learnt; and with others."""
    train = make(learnt.select("train"), "boxes:train")
    known = {t.sentence for t in train.trials}
    heard, unheard = (make(other.select(*s)) for s in (["train"], ["dev", "test"]))
    strange = {t.clusters[0] for t in heard.trials if t.sentence not in known}
    whole = heard.only({t.item for t in heard.trials if t.clusters[0] not in strange})
    return train, whole, unheard


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
        **blanked(player, heard),
    }
    print(name, len(heard), len(unheard), {n: round(100 * v, 1) for n, v in found.items()})
    assert found["new scenes"] >= 0.8


@pytest.mark.long
def test_balanced_sentences_show_who_never_looks() -> None:
    """Where half of the sentences tell their label, and a player reads nothing but sentences."""
    world = load("boxes", sentences=800, kinds=("existence",), told=0.5)
    train, test = (make(world.select(s), f"boxes:{s}") for s in ("train", "test"))
    with counted(print, "\nrnn"):
        player = build("rnn", train).fit(train, seed=0)
    do = ("image=blank", "image=shuffle", "sentence=blank", "sentence=shuffle")
    found = audit(test, partial(play, test, player), Spec(do))
    left = {c["do"]: (c["measures"], c["subsets"]) for c in found.conditions if c["subsets"]}
    for condition, (measures, subsets) in left.items():
        shown = {n: round(100 * subsets[n]["accuracy"], 1) for n in ("balanced", "unbalanced")}
        print(condition, {n: round(100 * v, 1) for n, v in measures.items()}, shown)
    for condition in ("", "image=blank", "image=shuffle"):
        assert left[condition][1]["unbalanced"]["accuracy"] > 0.95
        assert left[condition][1]["balanced"]["accuracy"] == 0.5


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
    found = {"test": accuracy(player, test), **blanked(player, test)}
    print("nmn", found)
    assert found["test"] >= 0.9


@pytest.mark.long
def test_cloning_and_tuning(statements: tuple[Task, Task]) -> None:
    train, test = statements
    learner = build("n2nmn:cloning", train, layouts="gold")
    with counted(print, "\nn2nmn, cloning"):
        player = learner.fit(train, seed=2)
    cloned, layouts = accuracy(player, test), exact(player, test)
    print("n2nmn, cloning", cloned, "layouts", layouts)
    with counted(print, "n2nmn, tuning"):
        parts = divide(train, 2)
        replace(learner, stages=("tuning",))._stages(player.net, player.senses, *parts, 2, None)
    tuned = accuracy(player, test)
    print("n2nmn, tuned", tuned, blanked(player, test))
    assert cloned >= 0.9
    assert layouts >= 0.9
    assert tuned >= cloned - 0.01


@pytest.mark.long
def test_reinforcement_from_scratch() -> None:
    """Of existence statements alone, by layouts of three modules at most, which none is told of."""
    world = load("boxes", sentences=1000, kinds=("existence",))
    train, test = (make(world.select(s), f"boxes:{s}") for s in ("train", "test"))
    learner = build("n2nmn:reinforcement", train)
    short = replace(learner.preset.make, longest=3)
    learner = replace(learner, preset=replace(learner.preset, make=short))
    before = replace(learner, stages=()).fit(train, seed=0)
    with counted(print, "\nn2nmn, reinforcement"):
        player = learner.fit(train, seed=0)
    start, end = credit(before, test), credit(player, test)
    sentences = np.array([t.sentence for t in test.trials])
    gain = t_intervals((end - start)[:, None], sentences, np.ones((1, 1)))
    gained = float(gain.estimates[0]), float(gain.low[0]), float(gain.high[0])
    print("n2nmn, reinforcement", start.mean(), end.mean(), "gain", gained, blanked(player, test))
    assert gained[1] > 0
