"""The world and KiloGram are made once for all commands of these tests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from deixis import registry
from deixis.dataset import Dataset
from deixis.datasets import kilogram as loader
from deixis.worlds import figures as world

made = cache(world.figures)
loaded = cache(loader.kilogram)


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    plain = loader.kilogram

    def kilogram(root: Path) -> Dataset:
        shared = (root / "kilogram/tangrams-svg.zip").is_file()
        return loaded(root) if shared else plain(root)

    monkeypatch.setattr(world, "figures", made)
    monkeypatch.setattr(loader, "kilogram", kilogram)
    # Parts that were found before, or here, are looked for anew: no other test gets these.
    registry._load.cache_clear()
    yield
    registry._load.cache_clear()
