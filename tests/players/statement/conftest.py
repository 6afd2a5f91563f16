"""Facts computed one scene and one thing at a time, for every test here."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from deixis.dataset import Dataset
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task


@pytest.fixture(scope="session")
def plain() -> ModuleType:
    """`plain_facts.py` beside this file, which benchmarks use too."""
    spec = importlib.util.spec_from_file_location(
        "plain_facts", Path(__file__).with_name("plain_facts.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def pairs() -> Dataset:
    """Some statements about pairs of boxes, of every kind."""
    return load("boxes", sentences=40)


@pytest.fixture(scope="session")
def learnt(pairs: Dataset) -> Task:
    """Those that are learnt from."""
    return make(pairs.select("train"), "boxes:train")


@pytest.fixture(scope="session")
def played(pairs: Dataset) -> Task:
    """Those that are not."""
    return make(pairs.select("dev", "test"), "boxes:dev+test")
