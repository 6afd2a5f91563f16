from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from deixis import registry
from deixis.errors import BadInput
from deixis.players.common.constant import constant

FOLDERS = ("datasets", "interventions", "players", "tasks", "worlds")


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """Entry points of packages outside; what is put in here is what is installed."""
    points: list[EntryPoint] = []

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [p for p in points if p.group == group]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    registry.table.cache_clear()
    yield points
    registry.table.cache_clear()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_part_can_be_found(folder: str) -> None:
    for kind, name in registry.table(folder):
        assert registry.find(folder, name, kind) is not None
        assert name in registry.names(folder)


def test_parts_for_any_kind_serve_every_kind() -> None:
    assert registry.find("players", "constant", "reference") is constant
    assert registry.find("players", "constant", "choice") is constant
    assert "constant" in registry.names("players", "statement")


def test_a_part_for_one_kind_wins(outside: list[EntryPoint]) -> None:
    value = "deixis.players.common.oracle:oracle"
    outside.append(EntryPoint("statement.constant", value, "deixis.players"))
    assert registry.find("players", "constant", "reference") is constant
    assert registry.find("players", "constant", "statement").__name__ == "oracle"


def test_parts_of_other_packages(outside: list[EntryPoint]) -> None:
    outside.append(EntryPoint("parrot", "deixis.players.common.oracle:oracle", "deixis.players"))
    assert registry.find("players", "parrot", "choice").__name__ == "oracle"
    assert "parrot" in registry.names("players", "reference")


def test_two_parts_of_one_name(outside: list[EntryPoint]) -> None:
    outside.append(EntryPoint("constant", "elsewhere:constant", "deixis.players"))
    with pytest.raises(BadInput, match=r"players has two parts named 'constant'.*elsewhere"):
        registry.find("players", "oracle")


def test_unknown_names_list_what_there_is() -> None:
    with pytest.raises(BadInput, match=r"no player 'orakle'; did you mean 'oracle'.*constant"):
        registry.find("players", "orakle", "reference")
    with pytest.raises(BadInput, match=r"no dataset 'xyzzy' \(known: .*kilogram"):
        registry.find("datasets", "xyzzy")


def test_a_part_of_another_kind_says_so() -> None:
    with pytest.raises(BadInput, match=r"reference tasks, not choice tasks"):
        registry.find("players", "linear", "choice")
