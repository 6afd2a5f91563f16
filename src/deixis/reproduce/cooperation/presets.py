"""What the study is run on: a world made for it, real dialogs that are here, or the real thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.reproduce.cooperation.conditions import ROUNDS
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.worlds.rooms import rooms


@dataclass(frozen=True)
class Preset:
    """One way to run the study.

    Attributes:
        about: one phrase.
        tasks: gives what is trained on (None: folds of what is played) and what is played, from the
            data folder and the file of features.
        bots: name of the bots' design.
        changes: of its numbers.
        seeds: training runs.
    """

    about: str
    tasks: Callable[[Path | None, Path | None], tuple[Task | None, Task]]
    bots: str
    changes: Mapping[str, Any]
    seeds: int = 5


def _rooms(_: Path | None, features: Path | None) -> tuple[Task, Task]:
    if features:
        raise BadInput("--features is no option of the preset rooms")
    world = rooms(scenes=900)
    return make(world.select("train"), "rooms:train"), make(world.select("test"), "rooms:test")


def _vispro(data: Path | None, features: Path | None) -> tuple[None, Task]:
    if features:
        raise BadInput("--features is no option of the preset vispro")
    return None, make(_whole(load("vispro", data)))


def _visdial09(data: Path | None, features: Path | None) -> tuple[Task, Task]:
    """Train and val of v0.9; the pool is the first 40,000 pictures of val."""
    if features is None:
        raise BadInput("the preset visdial09 needs --features FILE: a vector of each picture")
    held = load("visdial", data, features=features)
    train, test = held.select("train09"), held.select("val09")
    n = len({c.picture for c in test.records.values()})
    pool = "first:40000" if n > 40_000 else "all"
    return make(train, "visdial:train09"), make(test, "visdial:val09", pool=pool)


def _whole(dataset: Dataset) -> Dataset:
    """Dialogs of all ten rounds only: tables are by round."""
    from dataclasses import replace

    kept = {i: c for i, c in dataset.records.items() if len(c.dialog.turns) >= ROUNDS}
    return replace(dataset, records=kept)


PRESETS: Mapping[str, Preset] = {
    "rooms": Preset(
        "a world of rooms, bots of 64 units",
        _rooms,
        "hre-das2017-delta",
        {
            "hidden": 64,
            "embedding": 32,
            "least": 1,
            "rate": 0.004,
            "epochs": 35,
            "gain": 8,
            "saying": "fresh",
        },
    ),
    "vispro": Preset(
        "941 human dialogs, classes of objects as pictures, bots of 64 units, five folds",
        _vispro,
        "hre-bags",
        {},
    ),
    "visdial09": Preset(
        "VisDial v0.9, the study's own bots", _visdial09, "hre-interventions2017", {}
    ),
}
