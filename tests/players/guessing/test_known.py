"""Players whose ranks are known: chance is chance, and audits find what was planted."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.audit.audit import Spec, audit
from deixis.errors import BadInput
from deixis.runs.play import play
from deixis.runs.prepare import build
from deixis.runs.summary import measured, summary
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task


@pytest.fixture(scope="module")
def talks(data: Path) -> Task:
    return make(load("vispro", data))


def test_constant_is_exactly_50_after_every_round(talks: Task) -> None:
    run = play(talks, build("constant", talks))  # type: ignore[arg-type]
    said = summary(run)
    assert said["percentile_rank"] == [50.0] * 11
    assert said["recall_at_5"] == pytest.approx([0.005] * 11)
    assert said["pool"] == {"name": "all", "size": 1000, "fixed_ranking": 50.0}
    assert said["ci_low"] == said["ci_high"] == 50


def test_oracle_is_100_and_its_interval_has_a_width(talks: Task) -> None:
    said = summary(play(talks, build("oracle", talks)))  # type: ignore[arg-type]
    assert said["percentile_rank"] == [100.0] * 11
    assert said["recall_at_1"] == [1.0] * 11
    assert 99 < said["ci_low"] < said["ci_high"] == 100


def test_an_audit_finds_what_was_planted(talks: Task) -> None:
    small = talks.limit(60)
    player = build("planted:caption=20,answer=8,question*answer=6", small)
    answer = audit(small, lambda c: play(small, player, c), Spec(shapley=True))  # type: ignore[arg-type]
    found = {c.of: c.value for c in answer.of("gap")}
    assert found == pytest.approx({"caption=drop": 20, "question=drop": 6, "answer=drop": 14})
    shapley = {c.of: c.value for c in answer.of("shapley")}
    assert shapley == pytest.approx({"caption": 20, "question": 3, "answer": 11})
    assert {c.verdict for c in answer.of("gap")} == {"used"}
    assert answer.none == pytest.approx(50)
    assert answer.all == pytest.approx(84)
    assert answer.margin == 0.5


def test_planted_gains_with_the_rounds_it_has_seen(talks: Task) -> None:
    small = talks.limit(40)
    run = play(small, build("planted:answer=30", small), ["answer=drop@6"])  # type: ignore[arg-type]
    by_round = measured(["percentile_rank"], run.outcomes["answer=drop@6"])[0]["percentile_rank"]
    assert by_round[:6] == pytest.approx([80] * 6)  # type: ignore[index]
    assert by_round[10] < 60  # type: ignore[index]


@pytest.mark.parametrize("argument", ["caption=60", "image*soup=1", "caption"])
def test_what_cannot_be_planted(argument: str, talks: Task) -> None:
    with pytest.raises(BadInput, match="planted"):
        build(f"planted:{argument}", talks)
