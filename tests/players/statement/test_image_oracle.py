"""What can be had without ever reading a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.statement.image_oracle import image_oracle
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views


@pytest.mark.parametrize(("split", "expected"), [("dev", 83.53), ("test1", 83.38)])
def test_golden(data: Path, split: str, expected: float) -> None:
    task = make(load(f"nlvr2:{split}", data))
    player = image_oracle("", task)
    outcomes = score(task, player.at(task).reply(views(task)))
    assert 100 * outcomes.credit.mean() == pytest.approx(expected, abs=0.005)
    other = make(load("nlvr:dev", data))
    with pytest.raises(BadInput, match="no trial of this task"):
        player.reply(views(other)[:1])
