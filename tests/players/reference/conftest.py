"""Tiny checkpoints and a world to fine-tune in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from deixis.dataset import Dataset
from deixis.players.common.neural import tiny
from deixis.players.common.neural.tiny import Size

SIZE = Size(width=16, depth=1, side=32, patch=8, vocabulary=300)


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory, world: Dataset) -> Mapping[str, Path]:
    """Folders of the smallest checkpoints, by player."""
    texts = sorted({t for a in world.records.values() for t in (a.whole, *a.parts)})
    root = tmp_path_factory.mktemp("checkpoints")
    return {
        "clip": tiny.clip(root / "clip", texts, size=SIZE),
        "siglip": tiny.siglip(root / "siglip", texts, size=SIZE),
        "vilt": tiny.vilt(root / "vilt", texts, size=SIZE),
    }
