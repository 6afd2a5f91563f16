"""Fine-tuning examples a second: our loop against a plain one that takes context after context.

Both train the same tiny CLIP on the same contexts with the same step of the optimiser: the mean
loss of sixteen contexts. The plain loop draws, prepares and encodes each context by itself and
adds up gradients, as the published scripts do; ours draws each picture once and encodes what is
distinct in all sixteen together. Peak memory of the whole process is printed at the end.

python benchmarks/neural/training.py [SOURCE]
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from deixis.players.common.neural import tiny
from deixis.players.common.neural.mounted import drawn
from deixis.players.reference.clip import TowerMatcher, clip
from deixis.players.reference.lessons import lessons
from deixis.players.reference.tuning import PRESETS, Tuner, batches, contrastive
from deixis.sources import load
from deixis.tasks.make import make
from deixis.training.loop import fit
from timing import side_by_side

STEPS = 12
TUNING = PRESETS["tiny"]


def ours(matcher: TowerMatcher, epoch: Any) -> None:
    """Batches of contexts through `fit`."""
    recipe = replace(TUNING.recipe, epochs=1, patience=None)
    fit(matcher.module, lambda _: epoch, lambda b: contrastive(matcher.blocks(b.items)), recipe)


def plain(matcher: TowerMatcher, epoch: Any) -> None:
    """One context at a time."""
    towers = matcher.module.train()
    adam = torch.optim.Adam(towers.parameters(), lr=2e-3, weight_decay=0.01)
    for batch in epoch:
        adam.zero_grad()
        for context in batch.items:
            pictures = [one.picture for one in context]
            pixels = drawn(matcher.store, pictures, matcher.canvas, towers.transform)
            left = towers.texts([str(one.text) for one in context])
            logits = towers.log_scale.exp() * left @ towers.pictures(pixels).T
            (contrastive(logits[None]) / len(batch.items)).backward()
        adam.step()


def main() -> None:
    """Print a line."""
    if "OMP_NUM_THREADS" in os.environ:
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    source = sys.argv[1] if len(sys.argv) > 1 else "figures"
    task = make(load(source))
    texts = sorted({str(t) for trial in task.trials for t in trial.texts})
    epoch = batches(lessons(task), TUNING, 0)(0)[:STEPS]
    examples = sum(len(context) for batch in epoch for context in batch.items)
    with tempfile.TemporaryDirectory() as folder:
        place = tiny.clip(Path(folder), texts)
        tuner: Any = clip(str(place), task, tune="tiny", cache="none")
        assert isinstance(tuner, Tuner)
        line = side_by_side(
            f"{examples} examples in {STEPS} steps",
            {
                "deixis": partial(ours, tuner.matcher(task, 0), epoch),
                "context after context": partial(plain, tuner.matcher(task, 0), epoch),
            },
        )
    rates = {way: round(examples / s) for way, s in line["seconds"].items()}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"examples a second: {rates}; peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
