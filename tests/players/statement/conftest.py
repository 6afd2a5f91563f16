"""Facts computed one scene and one thing at a time, for every test here."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


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
