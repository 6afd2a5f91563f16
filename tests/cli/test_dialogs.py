"""``deixis dialogs`` on real dialogs and on a world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.schemas import valid

from deixis.cli import main


def test_rounds_of_people_s_dialogs(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Golden: 39.1 % of val's answers are exactly yes or no, and 52.6 % begin with it."""
    ask = ["dialogs", "visdial:val", "--data", str(data), "--player", "constant"]
    assert main([*ask, "--json"]) == 0
    said = valid(json.loads(capsys.readouterr().out))
    people = said["yes_no"]["people"]
    assert round(100 * people["exactly"], 1) == 39.1
    assert round(100 * people["begins"], 1) == 52.6
    assert said["n"] == 2064


def test_what_is_printed_and_refused(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["dialogs", "rooms,scenes=60:test", "--player", "ideal"]
    assert main([*ask, "--do", "answer=drop", "--do", "image=shuffle", "--worst", "2"]) == 0
    said = capsys.readouterr().out
    assert "ranks that each round is worth" in said
    assert "Spearman" in said
    assert "questions changed" not in said
    assert "people's answers:" in said
    assert main([*ask, "--json", "--do", "answer=drop"]) == 0
    moved = valid(json.loads(capsys.readouterr().out))["shifts"][0]
    assert moved["cosine"][0] == 1
    assert moved["cosine"][10] < 1
    assert main([*ask, "--worst", "0"]) == 2
    assert "--worst: expected at least 1" in capsys.readouterr().err
