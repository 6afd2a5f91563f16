from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from deixis.errors import BadInput
from deixis.measures.plots import KINDS, draw_figure
from deixis.measures.section import Figure

SERIES = {
    "ranked": {"a": [[0.1, 0.2], [0.0, 0.1], [0.3, 0.4]]},
    "scatter": {"a": [[1, 2], [3, 4]], "b": [[1], [2]]},
    "bars": {"a": [["one", "a long name"], [3, 4]]},
    "lines": {"a": [[1, 2], [3, 4]]},
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_is_drawn(kind: str, tmp_path: Path) -> None:
    draw_figure(Figure("f", kind, "title", "x", "y", SERIES[kind]), tmp_path / "f.svg")
    root = ElementTree.parse(tmp_path / "f.svg").getroot()
    assert root.tag.endswith("svg")
    assert [p.name for p in tmp_path.glob("*f*")] == ["f.svg"]


def test_no_such_kind(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no figure of kind 'pie'"):
        draw_figure(Figure("f", "pie", "", "", "", {}), tmp_path / "f.svg")
