"""Play published contexts with every input encoded once, and with every context encoded anew.

The published scripts draw, prepare and encode the ten pictures and the ten texts of each context
whenever it comes. Here the same tiny CLIP, weights drawn at random, plays the 2,360 contexts of
KiloGram's val split both ways; the answers must be the same. Then a tiny ViLT, which scores pairs:
the published way is all 100 pairs of a context, ours each distinct pair of the ten that count.

python benchmarks/neural/encode_once.py [SOURCE]
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import torch

from deixis.players.common.neural import tiny
from deixis.players.common.neural.mounted import drawn
from deixis.players.reference.clip import TowerPlayer, clip
from deixis.players.reference.vilt import vilt
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task

SIZE = tiny.Size(width=64, depth=2, side=64, patch=16)
FEW = 40
"""Contexts that the pair scorer plays the published way: all of them would take an hour."""


class Counting:
    """How many inputs a function with a batch as its first argument was given."""

    def __init__(self) -> None:
        self.inputs: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()

    def watch(self, owner: Any, name: str) -> None:
        """Count what `owner.name` is given from now on."""
        inner = getattr(owner, name)

        def counted(first: Any, *more: Any) -> Any:
            self.inputs[name] += len(first)
            self.calls[name] += 1
            return inner(first, *more)

        setattr(owner, name, counted)


def again(player: TowerPlayer, task: Task) -> np.ndarray:
    """Which picture is chosen in each context, all of it encoded anew."""
    encoder, chosen = player.encoder, []
    towers = encoder.module
    for trial, view in zip(task.trials, views(task), strict=True):
        texts = [str(t) for t in trial.texts]
        pixels = drawn(encoder.store, view.pictures, encoder.canvas, encoder.transform)
        with torch.inference_mode():
            logits = towers.texts(texts) @ towers.pictures(pixels).T
        chosen.append(int(logits[texts.index(str(view.texts[0]))].argmax()))
    return np.array(chosen)


def report(title: str, ours: dict[str, Any], theirs: dict[str, Any], **more: Any) -> None:
    """One line."""
    ratios = {k: round(theirs[k] / ours[k], 1) for k in ours}
    print(json.dumps({"what": title, "once": ours, "each context": theirs, "times": ratios} | more))


def towers(task: Task, folder: Path, texts: list[str]) -> None:
    """A dual encoder both ways."""
    place = str(tiny.clip(folder / "clip", texts, size=SIZE))
    results = {}
    for way in ("once", "each context"):
        # Another store, so that neither way finds pictures drawn by the other.
        player = clip(place, make(load(SOURCE), contexts=CONTEXTS), batch="64", cache="none")
        assert isinstance(player, TowerPlayer)
        count = Counting()
        count.watch(player.encoder.module, "texts")
        count.watch(player.encoder.module, "pictures")
        start = process_time()
        if way == "once":
            choice = player.reply(views(task)).scores.argmax(axis=1)
        else:
            choice = again(player, task)
        took = {"inputs": count.inputs.total(), "calls": count.calls.total()}
        results[way] = choice, took | {"seconds": round(process_time() - start, 2)}
    same = float((results["once"][0] == results["each context"][0]).mean())
    report(
        f"two towers, {len(task)} contexts",
        results["once"][1],
        results["each context"][1],
        same_choice=same,
    )


def pairs(task: Task, folder: Path, texts: list[str]) -> None:
    """A scorer of pairs both ways; the published way on a few contexts, and scaled up."""
    player: Any = vilt(str(tiny.vilt(folder / "vilt", texts, size=SIZE)), task, batch="64")
    count = Counting()
    count.watch(player.scorer, "pairs")
    start = process_time()
    player.reply(views(task))
    ours = {"inputs": count.inputs["pairs"], "seconds": round(process_time() - start, 2)}
    count.inputs.clear()
    start = process_time()
    for trial, view in zip(task.trials[:FEW], views(task)[:FEW], strict=True):
        player.scorer.pairs([t for t in trial.texts for _ in view.pictures], [*view.pictures] * 10)
    scale = len(task) / FEW
    theirs = {
        "inputs": round(count.inputs["pairs"] * scale),
        "seconds": round((process_time() - start) * scale, 2),
    }
    report(f"pairs, {len(task)} contexts", ours, theirs, measured_on=FEW)


SOURCE = sys.argv[1] if len(sys.argv) > 1 else "kilogram:val"
CONTEXTS = "published" if SOURCE == "kilogram:val" else "controlled"


def main() -> None:
    """Print two lines."""
    if "OMP_NUM_THREADS" in os.environ:
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    task = make(load(SOURCE), contexts=CONTEXTS)
    texts = sorted({str(t) for trial in task.trials for t in trial.texts})
    with tempfile.TemporaryDirectory() as folder:
        towers(task, Path(folder), texts)
        pairs(task, Path(folder), texts)


if __name__ == "__main__":
    main()
