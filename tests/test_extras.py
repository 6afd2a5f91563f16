"""Parts whose libraries are not installed say how to install them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from deixis import registry
from deixis.errors import BadInput


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two players: one needs torch, one a library that no extra brings."""
    (tmp_path / "needs_torch.py").write_text("import torch\nplayer = 1\n")
    (tmp_path / "needs_nothing_known.py").write_text("import unheard_of\nplayer = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    table = {
        ("any", "heavy"): "needs_torch:player",
        ("any", "odd"): "needs_nothing_known:player",
    }
    monkeypatch.setattr(registry, "table", lambda _: table)


@pytest.mark.usefixtures("parts")
def test_a_library_that_an_extra_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(BadInput, match=r"^torch is not installed.*pip install 'deixis\[torch\]'$"):
        registry.find("players", "heavy")


@pytest.mark.usefixtures("parts")
def test_another_library_is_a_bug_and_shows_as_one() -> None:
    with pytest.raises(ModuleNotFoundError, match="unheard_of"):
        registry.find("players", "odd")
