from __future__ import annotations

import os
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.call import Call, call
from deixis.players.common.planted import planted
from deixis.players.reference.linear import LinearLearner
from deixis.replies import concatenate
from deixis.runs import engine as under_test
from deixis.runs.engine import CHUNK, engine, jobs
from deixis.runs.play import play
from deixis.seeds import Seeds
from deixis.tasks.task import Task

CONDITIONS = ["whole=shuffle", "parts=words:0.5,color=noise", "shape=swap"]


def test_chunks_are_fixed(dense: Task) -> None:
    made = jobs(dense, (), Seeds())
    assert [j[2:] for j in made][:2] == [(0, CHUNK), (CHUNK, 2 * CHUNK)]
    assert made[-1][3] == len(dense)
    assert sum(stop - start for *_, start, stop in made) == len(dense)


def test_several_processes_give_the_very_same_numbers(
    dense: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(under_test, "CHUNK", 40)
    some = dense.limit(150)
    player = LinearLearner().fit(some)
    one = play(some, player, CONDITIONS)
    other = play(some, player, CONDITIONS, engine="process:2")
    assert one.outcomes.keys() == other.outcomes.keys()
    for condition, outcomes in one.outcomes.items():
        for a, b in zip(outcomes, other.outcomes[condition], strict=True):
            assert (a.scores == b.scores).all(), condition
            assert (a.credit == b.credit).all(), condition
            assert (a.rank == b.rank).all(), condition


def test_players_that_know_their_task_are_bound_in_other_processes_too(games: Task) -> None:
    player = planted("whole=0.5", games)
    run = play(games, player, ["whole=drop"], engine="process:2")
    assert run.base[0].credit.mean() == pytest.approx(0.6, abs=0.01)
    assert run.outcomes["whole=drop"][0].credit.mean() == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize("spec", ["local", "process:1"])
def test_errors_come_through(games: Task, spec: str) -> None:
    player = Call(attrgetter("id"))
    with pytest.raises(BadInput, match=r"expected a score for each option, or the position of one"):
        play(games, player, engine=spec)


def test_a_process_that_dies_is_no_riddle(
    games: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dying_player.py").write_text("import os\ndef die(view):\n    os._exit(9)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadInput, match=r"a process of the engine died, perhaps for lack of memory"):
        play(games, call("dying_player:die", games), engine="process:1")


def test_a_player_that_cannot_be_sent(games: Task) -> None:
    with pytest.raises(BadInput, match=r"'call' cannot be sent to other processes, .* local"):
        play(games, Call(lambda view: [0] * view.k), engine="process:2")


@pytest.mark.parametrize("spec", ["", "remote", "process", "process:0", "process:x", "process:-1"])
def test_engines_there_are_not(games: Task, spec: str) -> None:
    with (
        pytest.raises(BadInput, match=r"no engine .*: expected local or process:N"),
        engine(spec, games, planted("", games)),
    ):
        pass


def test_threads_are_shared_out_and_given_back(
    games: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    with engine("process:4", games, planted("", games)):
        assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "2"
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert "MKL_NUM_THREADS" not in os.environ


def test_how_work_is_cut_changes_nothing(games: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    player = LinearLearner().fit(games)
    task = games.do("whole=words:0.5")

    def played() -> Any:
        with engine("local", games, player) as run:
            work = jobs(task, task.condition, task.seeds)
            return score(task, concatenate(list(run(work))))

    whole = played()
    monkeypatch.setattr(under_test, "CHUNK", 7)
    assert (played().scores == whole.scores).all()
