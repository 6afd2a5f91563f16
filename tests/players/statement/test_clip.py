"""A pair head on two towers: learns what single scores cannot say, is kept, is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from deixis.errors import BadInput
from deixis.players.common.neural import tiny
from deixis.players.common.saved import saved
from deixis.players.statement.clip import PairHead
from deixis.players.statement.heads.judge import JudgeLearner
from deixis.players.statement.neural.net import parameters
from deixis.runs.prepare import build
from deixis.tasks.see import views
from deixis.tasks.task import Task


@pytest.fixture(scope="module")
def towers(learnt: Task, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("towers") / "clip"
    return tiny.clip(folder, [t.sentence for t in learnt.trials])


def learner(towers: Path, task: Task, **options: str) -> JudgeLearner:
    made = build(f"clip:{towers}", task, cache="none", **options)
    assert isinstance(made, JudgeLearner)
    return made


def test_head_reads_products() -> None:
    """A sentence fits the left picture and not the right: no sum of the three says so."""
    generator = torch.Generator().manual_seed(0)
    text, left, right = (
        torch.nn.functional.normalize(torch.randn(400, 8, generator=generator), dim=1)
        for _ in range(3)
    )
    label = ((text * left).sum(1) > (text * right).sum(1)).float()
    torch.manual_seed(0)
    head = PairHead(8, 32)
    assert parameters(head) == 6 * 8 * 32 + 32 + 33
    optimiser = torch.optim.Adam(head.parameters(), lr=1e-2)
    for _ in range(150):
        optimiser.zero_grad()
        odds = head(text, left, right)
        torch.nn.functional.binary_cross_entropy_with_logits(odds, label).backward()
        optimiser.step()
    fresh = [
        torch.nn.functional.normalize(torch.randn(400, 8, generator=generator), dim=1)
        for _ in range(3)
    ]
    wanted = (fresh[0] * fresh[1]).sum(1) > (fresh[0] * fresh[2]).sum(1)
    with torch.no_grad():
        right_ones = (head(*fresh) > 0) == wanted
    assert right_ones.float().mean() > 0.85


def test_learns_plays_and_is_kept(towers: Path, learnt: Task, played: Task, tmp_path: Path) -> None:
    made = learner(towers, learnt, epochs="2", hidden="16")
    player = made.fit(learnt, seed=0)
    assert made.fitted is not None
    assert made.fitted.history[-1]["loss"] < made.fitted.history[0]["loss"]
    told = player.at(played).reply(views(played)).scores
    player.save(tmp_path / "kept")
    again = saved(str(tmp_path / "kept"), played)
    assert again.revision == player.revision
    np.testing.assert_array_equal(again.reply(views(played)).scores, told)
    other = learner(towers, learnt, epochs="2", hidden="16").fit(learnt, seed=1)
    assert other.revision != player.revision


def test_reads_and_looks(towers: Path, learnt: Task, played: Task) -> None:
    player = learner(towers, learnt, epochs="1").fit(learnt, seed=0).at(played)
    told = player.reply(views(played)).scores
    for channel in ("sentence", "left", "right"):
        drawn = player.reply(views(played.do(f"{channel}=shuffle"))).scores
        assert not np.array_equal(told, drawn), channel


def test_a_head_of_other_towers(towers: Path, learnt: Task, tmp_path: Path) -> None:
    player = learner(towers, learnt, epochs="1").fit(learnt, seed=0)
    player.save(tmp_path / "kept")
    size = tiny.Size(width=16)
    tiny.clip(towers, [t.sentence for t in learnt.trials], size=size)
    with pytest.raises(BadInput, match="a head on vectors of 32 numbers"):
        saved(str(tmp_path / "kept"), learnt)
    tiny.clip(towers, [t.sentence for t in learnt.trials])


def test_refusals(learnt: Task) -> None:
    with pytest.raises(BadInput, match="expected clip:FOLDER or clip:HUB_NAME"):
        build("clip", learnt)
