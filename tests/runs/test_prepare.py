from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.players.common.constant import Constant
from deixis.players.common.oracle import Oracle
from deixis.players.common.saved import Lessons, Saved
from deixis.players.protocols import Player
from deixis.runs.play import play
from deixis.runs.prepare import build, check_overlap, lessons, prepare, sources
from deixis.tasks.make import make
from deixis.tasks.task import Task


class Pupil:
    """Remembers what it was taught."""

    name, quick, stochastic = "pupil", True, False

    def __init__(self) -> None:
        self.taught: list[tuple[Task, int, Path | None]] = []

    def fit(self, task: Task, *, dev: Task | None, seed: int, folder: Path | None) -> Player:
        self.taught.append((task, seed, folder))
        return Constant()


def test_cross_fitting_never_shows_what_will_be_asked(dense: Task, tmp_path: Path) -> None:
    pupil = Pupil()
    player = prepare(pupil, dense, seed=3, folder=tmp_path)
    assert len(pupil.taught) == 5
    assert {seed for _, seed, _ in pupil.taught} == {3}
    assert [f.name for _, _, f in pupil.taught if f] == [f"fold-{i}" for i in range(5)]
    tangrams = {t.clusters[0][1] for t in dense.trials}
    held_out = []
    for task, _, _ in pupil.taught:
        shown = sources(task)
        assert shown == {t.clusters[0][1] for t in task.trials}
        held_out.append(tangrams - shown)
    assert sorted(x for fold in held_out for x in fold) == sorted(tangrams)
    assert play(dense.limit(100), player).base[0].credit.mean() == pytest.approx(0.1)


def test_a_limited_task_is_still_learnt_from_whole_clusters_of_others(games: Task) -> None:
    pupil = Pupil()
    few = games.limit(9)
    prepare(pupil, few)
    played = {t.clusters[0][1] for t in few.trials}
    for task, _, _ in pupil.taught:
        assert len(task) > len(games) / 2
        learnt = {t.clusters[0][1] for t in task.trials}
        assert played - learnt, "some of what is played is held out"
        assert len(learnt) > 40


def test_training_elsewhere_once(kilogram: Dataset, dense: Task) -> None:
    pupil = Pupil()
    val = make(kilogram.select("val"), "kilogram:val")
    told: list[tuple[str, int, int]] = []
    prepare(pupil, val, train=dense, progress=lambda *a: told.append(a))
    assert [t for t, _, _ in pupil.taught] == [dense]
    assert told == [("training pupil", 0, 1), ("training pupil", 1, 1)]


def test_overlap_is_refused_unless_allowed_by_name(kilogram: Dataset, dense: Task) -> None:
    dense10 = make(kilogram.select("dense10"), "kilogram:dense10")
    with pytest.raises(BadInput, match=r"share 738 records, .* --allow-overlap records"):
        check_overlap(dense, dense10)
    with pytest.raises(BadInput, match=r"share 74 pictures, page-A among .*overlap pictures"):
        check_overlap(dense, dense10, ("records",))
    check_overlap(dense, dense10, ("records", "pictures"))
    with pytest.raises(BadInput, match=r"--allow-overlap: expected records or pictures, got 'all'"):
        check_overlap(dense, dense10, ("all",))
    check_overlap(dense, make(kilogram.select("val")))


def test_a_player_trained_before_is_held_to_the_same(dense: Task, kilogram: Dataset) -> None:
    learnt = lessons(dense)
    assert learnt.source == "kilogram:dense"
    assert len(learnt.records) == 3971
    assert len(learnt.pictures) == 74
    player = Saved(Oracle(dense), learnt)
    with pytest.raises(BadInput, match=r"share 3971 records"):
        prepare(player, dense)
    assert prepare(player, dense, allow=("records", "pictures")) is player
    val = make(kilogram.select("val"))
    assert prepare(player, val) is player
    moved = player.at(val)
    assert isinstance(moved, Saved)
    assert (play(val, moved).base[0].credit == 1).all()
    assert Saved(Constant(), Lessons("", frozenset(), frozenset())).at(val).name == "constant"


def test_players_that_do_not_train(games: Task) -> None:
    assert isinstance(prepare(Constant(), games), Constant)
    with pytest.raises(BadInput, match=r"'constant' does not train; leave out --train-on"):
        prepare(Constant(), games, train=games)


def test_one_cluster_cannot_be_cross_fitted(games: Task) -> None:
    one = games.only({t.item for t in games.trials})
    cluster = one.trials[0].clusters[0]
    from dataclasses import replace

    lone = replace(one, trials=tuple(t for t in one.trials if t.clusters[0] == cluster))
    with pytest.raises(BadInput, match=r"at least two of tangram; train on other data"):
        prepare(Pupil(), lone)


def test_names_arguments_and_options(games: Task) -> None:
    assert build("constant", games).name == "constant"
    assert build("planted:whole=0.2", games).name == "planted"
    with pytest.raises(BadInput, match=r"no player 'constnat'; did you mean 'constant'"):
        build("constnat", games)
    wrong: list[dict[str, Any]] = [{"size": "3"}, {"argument": "x"}, {"_": "x"}, {"choices": "x"}]
    for options in wrong:
        with pytest.raises(BadInput, match=r"is no option of the player 'linear'"):
            build("linear", games, **options)
