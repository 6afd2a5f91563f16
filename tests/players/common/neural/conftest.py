"""Tiny checkpoints in the form of the real ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from deixis.dataset import Dataset
from deixis.players.common.neural import tiny


@pytest.fixture(scope="session")
def texts(world: Dataset) -> list[str]:
    """Everything written about the figures."""
    return sorted({t for a in world.records.values() for t in (a.whole, *a.parts)})


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> Mapping[str, Path]:
    """Folders of checkpoints by name."""
    root = tmp_path_factory.mktemp("checkpoints")
    return {
        "clip": tiny.clip(root / "clip", texts),
        "siglip": tiny.siglip(root / "siglip", texts),
        "siglip2": tiny.siglip(root / "siglip2", texts, version=2),
        "vilt": tiny.vilt(root / "vilt", texts),
    }
