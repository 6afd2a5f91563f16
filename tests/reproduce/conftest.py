"""A design that takes seconds, on a world of figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deixis.dataset import Dataset
from deixis.reproduce.kilogram.design import Design, Entrant, Exam

SOME = ("whole+black", "parts+color")


@pytest.fixture(scope="session")
def halves(world: Dataset) -> Dataset:
    """The small world with its families dealt to a training split and a smaller test split."""
    families = sorted({a.family for a in world.records.values()})
    train = {f for i, f in enumerate(families) if i % 3}
    splits = {
        "train": tuple(i for i, a in world.records.items() if a.family in train),
        "test": tuple(i for i, a in world.records.items() if a.family not in train),
    }
    return replace(world, splits=splits)


@pytest.fixture(scope="session")
def design() -> Design:
    """All kinds of tests and players, each as small as may be."""
    tune = {"tune": "tiny", "epochs": "1", "device": "cpu"}
    return Design(
        source="figures",
        train="train",
        validation=None,
        tests=(
            Exam("crossed", "train", "random", conditions=SOME, limit=40, folds=2),
            Exam("black", "test", conditions=("whole+black",), limit=30),
        ),
        curve=Exam("subsets", "test", "subsets", limit=150),
        entrants=(
            Entrant("clip", "clip", "", {"cache": "none"}, tune),
            Entrant("aligned", "aligned", "", None, {"words": "hashed", "epochs": "1"}),
        ),
        augment="sampled",
        k=5,
        seeds=2,
        lessons="random",
    )
