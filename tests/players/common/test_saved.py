from __future__ import annotations

import json
from pathlib import Path

import pytest

from deixis.errors import BadInput
from deixis.players.common.saved import CARD, saved, write_card
from deixis.tasks.task import Task


def test_cards_are_json_one_can_read(tmp_path: Path) -> None:
    write_card(tmp_path / "p", player="linear", kind="reference", parts=1.0)
    card = json.loads((tmp_path / "p" / CARD).read_text())
    assert card == {"player": "linear", "kind": "reference", "parts": 1.0}


@pytest.mark.parametrize(
    ("card", "why"),
    [
        (None, "no player.json there; write one with deixis train --out"),
        ("{", "player.json: not as deixis train writes it"),
        ("[]", "player.json: not as deixis train writes it"),
        ('{"player": "linear"}', "player.json: not as deixis train writes it: KeyError"),
        ('{"player": "linear", "kind": "choice"}', "trained for choice tasks, not reference"),
        ('{"player": "parrot", "kind": "reference"}', "there is no player 'parrot'"),
        ('{"player": "linear", "kind": "reference"}', "features.json is missing"),
        ('{"player": "oracle", "kind": "reference"}', "'oracle' is none that is saved"),
    ],
)
def test_folders_without_a_player(games: Task, tmp_path: Path, card: str | None, why: str) -> None:
    if card is not None:
        (tmp_path / CARD).write_text(card)
    with pytest.raises(BadInput, match=why):
        saved(str(tmp_path), games)
