from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deixis.errors import BadInput
from deixis.players.common.constant import Constant
from deixis.players.common.oracle import Oracle
from deixis.replies import Replies
from deixis.runs.folder import RunFolder
from deixis.runs.play import check, merge, play, under
from deixis.seeds import Seeds, digest
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.worlds.rooms import rooms


class Counting:
    """Scores by hash; counts the views it gets."""

    name, revision = "counting", "1"

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def reply(self, views: Sequence[Any]) -> Replies:
        self.asked.update(v.id for v in views)
        rows = [[digest(v.texts[0], p.key) % 1000 for p in v.pictures] for v in views]
        return Replies.scored(views, rows)


def folder(path: Path) -> RunFolder:
    made = RunFolder(path)
    made.open({"source": "figures"})
    return made


def test_the_base_and_each_condition_on_top_of_it(games: Task) -> None:
    run = play(games.do("color=drop"), Oracle(games), ["whole=drop", "whole=drop", "parts=drop"])
    assert list(run.outcomes) == ["", "whole=drop", "parts=drop"]
    assert run.base[0].condition == "color=drop"
    assert run.outcomes["parts=drop"][0].condition == "color=drop,parts=drop"
    assert (run.outcomes["parts=drop"][0].credit == 1).all()
    assert (run.player, run.revision) == ("oracle", "1")


def test_replicates_have_the_next_seeds(games: Task) -> None:
    run = play(games, Counting(), ["whole=words:0.5"], replicates=3)
    seeds = [o.seeds for o in run.outcomes["whole=words:0.5"]]
    assert seeds == [Seeds(0, i, i, i) for i in range(3)]
    base = run.base
    assert (base[0].credit == base[1].credit).all(), "another order, the same scores"
    altered = run.outcomes["whole=words:0.5"]
    assert (altered[0].scores != altered[1].scores).any()


def test_cells_that_are_done_are_not_played_again(games: Task, tmp_path: Path) -> None:
    kept = folder(tmp_path)
    first, second, third = Counting(), Counting(), Counting()
    one = play(games, first, ["whole=drop"], folder=kept)
    assert set(first.asked.values()) == {2}
    again = play(games, second, ["whole=drop"], folder=kept)
    assert not second.asked
    more = play(games, third, ["whole=drop", "parts=drop"], replicates=2, folder=kept)
    assert set(third.asked.values()) == {4}
    kept.close()
    for run in (again, more):
        for condition in one.outcomes:
            a, b = one.outcomes[condition][0], run.outcomes[condition][0]
            assert (a.scores == b.scores).all()
            assert (a.credit == b.credit).all()
    assert len(list((tmp_path / "cells").iterdir())) == 6


def test_progress_counts_chunks(games: Task) -> None:
    told: list[tuple[str, int, int]] = []
    play(games, Constant(), ["whole=drop"], progress=lambda *a: told.append(a))
    assert told == [(f"playing constant", i, 2) for i in range(3)]  # noqa: F541


@pytest.mark.parametrize("condition", ["depth=drop", "whole=words:9"])
def test_what_does_not_fit_is_found_before_the_first_reply(games: Task, condition: str) -> None:
    player = Counting()
    with pytest.raises(BadInput, match=condition):
        play(games, player, ["whole=drop", condition])
    assert not player.asked
    with pytest.raises(BadInput, match=condition):
        check(games, condition)


def test_what_would_begin_after_the_last_round_is_refused() -> None:
    """Its gap would be 0, and its verdict "not used"."""
    talk = make(rooms(scenes=6, rounds=5))
    for condition in ("answer=drop@5", "question/guesser=drop@1", "caption=drop@0"):
        check(talk, condition)
    for condition, last in (("answer=drop@6", 5), ("caption=drop@1", 0), ("image=drop@6", 5)):
        with pytest.raises(BadInput, match=rf"would alter nothing: .* after round {last}"):
            check(talk, condition)


def test_the_order_of_trials_changes_no_number(games: Task) -> None:
    from dataclasses import replace

    order = np.random.default_rng(0).permutation(len(games))
    mixed = replace(games, trials=tuple(games.trials[i] for i in order))
    conditions = ["whole=shuffle", "whole=swap", "color=noise", "parts=words:0.5"]
    one, other = play(games, Counting(), conditions), play(mixed, Counting(), conditions)
    for condition in one.outcomes:
        a, b = one.outcomes[condition][0], other.outcomes[condition][0]
        assert (a.ids[order] == b.ids).all()
        assert (a.credit[order] == b.credit).all(), condition
        assert (a.rank[order] == b.rank).all(), condition


def test_runs_of_other_training_seeds_are_replicates_of_one(games: Task) -> None:
    runs = [play(games, Constant(), ["whole=drop"]) for _ in range(2)]
    joined = merge(runs)
    assert {c: len(o) for c, o in joined.outcomes.items()} == {"": 2, "whole=drop": 2}
    assert joined.revision == "1"
    with pytest.raises(BadInput, match=r"different conditions are no replicates"):
        merge([runs[0], play(games, Constant())])


def test_the_task_of_a_cell(games: Task) -> None:
    made = under(games, "whole=drop", 2)
    assert [str(i) for i in made.condition] == ["whole=drop"]
    assert made.seeds == Seeds(0, 2, 2, 2)
    assert under(games, "").condition == ()
