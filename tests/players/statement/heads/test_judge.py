"""What judges share: a single picture gets an empty one beside it."""

from __future__ import annotations

from deixis.players.statement.heads.judge import both
from deixis.tasks.statement import NOTHING
from deixis.trials import BLANK, Picture, StatementView


def test_both() -> None:
    left, right = Picture("a"), Picture("b")
    assert both(StatementView("1", "s", left, right)) == (left, right)
    assert both(StatementView("1", "s", left, NOTHING)) == (left, BLANK)
