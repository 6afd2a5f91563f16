"""Statements: load and score NLVR2, facts for maxent, and steps of models that see pictures.

python benchmarks/statements.py --data FOLDER    # the folder of public data, or NLVR2's own
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from itertools import product
from pathlib import Path
from types import ModuleType

import torch

from deixis.encodings import Memory
from deixis.outcomes import score
from deixis.pictures.scene import COLORS, SHAPES
from deixis.players.common.constant import constant
from deixis.players.statement.facts import facts
from deixis.players.statement.neural.baseline import Senses
from deixis.players.statement.neural.inputs import Epoch, Table
from deixis.players.statement.neural.net import ANSWERS, Net, Setting
from deixis.runs.prepare import build
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.units import MEASURES
from timing import seconds, side_by_side

PLAIN = Path(__file__).parents[1] / "tests/players/statement/plain_facts.py"
SCENES = 20
STEPS, BATCH = 10, 32


def plain() -> ModuleType:
    """The same facts, one scene and one thing at a time: what tests compare with."""
    spec = importlib.util.spec_from_file_location("plain_facts", PLAIN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def records(data: Path) -> None:
    """Load both public splits of NLVR2 and score a player, in processor seconds."""

    def all_of_it() -> None:
        task = make(load("nlvr2:dev+test1", data), "nlvr2:dev+test1")
        outcomes = score(task, constant("", task).reply(views(task)))
        for measure in ("accuracy", "consistency"):
            MEASURES[measure].of(outcomes)

    took = seconds(all_of_it)
    print(f"load and score 13,949 statements of NLVR2: {took:.2f} s")


def vectorised() -> None:
    """Facts of scenes for maxent, all at once and one by one."""
    world = load("strips", sentences=SCENES // 4)
    store = world.store
    scenes = [store.scene(r.pictures[0][0]) for r in world.records.values()]
    loop = plain()
    kinds = list(product([None, *COLORS], [None, *SHAPES]))

    def one_by_one() -> None:
        for scene in scenes:
            loop.counts(scene)
            for one, other in product(kinds, kinds):
                loop.pairs(scene, one, other)

    side_by_side(
        f"facts of {len(scenes)} scenes",
        {"deixis": lambda: facts(scenes), "loop": one_by_one},
        tries=2,
    )


def steps(name: str) -> None:
    """Steps of training with features that are kept, and with the eye looking every time."""
    task = make(load("boxes:train", sentences=80, kinds=("existence",)), "boxes:train")
    learner = build(name, task)
    senses: Senses = learner.senses([task])
    table = senses.lesson(task)
    net: Net = learner.preset.make(Setting(senses.words, table.shape, senses.looks.salient))
    optimiser = torch.optim.Adam(net.parameters())

    def trained(fresh: bool) -> None:
        epoch = Epoch(table, BATCH, 0, 0)
        for number in range(STEPS):
            rows = epoch.order[number * BATCH % len(table) :][:BATCH]
            lessons: Table = table
            if fresh:
                shown = [views(task)[i] for i in rows]
                labels = [task.trials[i].label for i in rows]
                lessons = Senses(senses.looks, senses.words, senses.parser, Memory()).table(
                    shown, task.store, labels
                )
                rows = list(range(len(rows)))
            optimiser.zero_grad()
            loss = net.loss(lessons.batch(rows), ANSWERS)
            (loss if isinstance(loss, torch.Tensor) else loss[0]).backward()
            optimiser.step()

    line = side_by_side(
        f"{STEPS} steps of {name}, {BATCH} statements each",
        {"features kept": lambda: trained(False), "seen anew": lambda: trained(True)},
        tries=2,
    )
    print({way: f"{STEPS / took:.1f} steps a second" for way, took in line["seconds"].items()})


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    torch.set_num_threads(1)
    records(parser.parse_args().data)
    vectorised()
    for name in ("film", "mac"):
        steps(name)


if __name__ == "__main__":
    started = time.process_time()
    main()
    print(f"{time.process_time() - started:.0f} s of processor time in all")
