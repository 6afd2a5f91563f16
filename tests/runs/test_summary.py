from __future__ import annotations

import pytest

from deixis.players.common.constant import Constant
from deixis.players.common.oracle import Oracle
from deixis.players.common.planted import planted
from deixis.runs.play import play
from deixis.runs.summary import averaged, summary
from deixis.stats.rates import rate
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.units import MEASURES, stack


def test_constant_and_oracle_are_exact(dense: Task) -> None:
    constant, oracle = (summary(play(dense, p)) for p in (Constant(), Oracle(dense)))
    assert constant["accuracy"] == 0.1
    assert constant["chance"] == pytest.approx(0.1, abs=1e-15)
    assert (oracle["accuracy"], oracle["ci_high"]) == (1.0, 1.0)
    assert oracle["ci_low"] == pytest.approx(0.951, abs=0.001), "Wilson's, on 74 tangrams"


def test_what_was_played(games: Task) -> None:
    said = summary(play(games.do("color=drop"), planted("whole=0.4", games), replicates=2))
    assert said["schema"] == "deixis/play/1"
    assert said["condition"] == "color=drop"
    assert said["n"] == len(games)
    assert said["clusters"] == len({t.clusters[0] for t in games.trials})
    assert said["statuses"] == {"ok": 2 * len(games)}
    assert said["seeds"] == {
        "contexts": 0, "order": 0, "operator": 0, "training": 0, "replicates": 2,
    }  # fmt: skip
    assert said["intervals"]["accuracy"] == [said["ci_low"], said["ci_high"]]
    assert said["ci_low"] < said["accuracy"] < said["ci_high"]


def test_replicates_are_averaged_within_units(games: Task) -> None:
    run = play(games, planted("whole=0.4", games), replicates=3)
    table, units = stack(MEASURES["accuracy"], run.base)
    assert averaged(MEASURES["accuracy"], run.base) == rate(table.mean(axis=1), units.clusters)


def test_the_other_direction_has_a_name_of_its_own(world) -> None:
    task = make(world, direction="picture-to-text")
    said = summary(play(task, Oracle(task)))
    assert said["accuracy_picture_to_text"] == 1
    assert "accuracy" not in said
