from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from deixis.outcomes import score
from deixis.players.common.constant import Constant
from deixis.players.common.crossfit import CrossFit, deal, folds_of
from deixis.players.common.oracle import Oracle
from deixis.replies import Replies
from deixis.seeds import Seeds
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.trials import opaque


class Named:
    """Scores the first option by its own number."""

    name, revision = "named", "1"

    def __init__(self, number: int) -> None:
        self.number = number
        self.seen: list[str] = []

    def reply(self, views: Sequence[Any]) -> Replies:
        self.seen += [v.id for v in views]
        return Replies.scored(views, [[float(self.number)] + [0.0] * (v.k - 1) for v in views])


def test_clusters_are_dealt_whole_and_evenly(dense: Task) -> None:
    dealt = deal(dense, 5, 0)
    clusters = [c for fold in dealt for c in fold]
    assert sorted(clusters) == sorted({t.clusters[0][1] for t in dense.trials})
    sizes = Counter(folds_of(dense, dealt).values())
    assert max(sizes.values()) - min(sizes.values()) < 60
    assert deal(dense, 5, 0) == dealt
    assert deal(dense, 5, 1) != dealt


def test_never_more_folds_than_clusters(games: Task) -> None:
    few = games.limit(3)
    assert len(deal(few, 5, 0)) == len({t.clusters[0] for t in few.trials})


def test_each_view_goes_to_the_player_of_its_fold(games: Task) -> None:
    dealt = deal(games, 4, 0)
    fold = folds_of(games, dealt)
    players = [Named(i) for i in range(4)]
    outcomes = score(games, CrossFit(players, fold).reply(views(games)))
    for trial, row in zip(games.trials, outcomes.scores, strict=True):
        assert np.nansum(row) == fold[opaque(trial.id)]
        number = next(i for i, f in enumerate(dealt) if trial.clusters[0][1] in f)
        assert opaque(trial.id) in players[number].seen
    assert sum(len(p.seen) for p in players) == len(games)


def test_players_that_know_their_task_are_bound_anew(games: Task) -> None:
    fold = folds_of(games, deal(games, 2, 0))
    player = CrossFit([Oracle(games), Oracle(games)], fold)
    moved = games.reseed(Seeds(order=4))
    assert (score(moved, player.at(moved).reply(views(moved))).credit == 1).all()
    assert player.at(moved).revision == player.revision
    assert CrossFit([Constant(), Constant()], fold).at(moved).name == "constant"
