"""Products and sums of probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.ensemble import Ensemble, Members, ensemble, join
from deixis.replies import Replies
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.trials import ChoiceView

VIEWS = [ChoiceView("1", "?", (), ("a", "b", "c")), ChoiceView("2", "?", (), ("a", "b"))]
TABLES = st.lists(st.lists(st.floats(-5, 5), min_size=3, max_size=3), min_size=1, max_size=4)


@dataclass
class Fixed:
    """Scores as given."""

    rows: Sequence[Sequence[float]]
    name: str = "fixed"
    revision: str = "1"

    def reply(self, given: Sequence[Any]) -> Replies:
        return Replies.scored(given, self.rows)


def softmax(x: Any) -> Any:
    e = np.exp(np.asarray(x))
    return e / e.sum()


@given(TABLES)
def test_join_against_the_formulas(rows: list[list[float]]) -> None:
    tables = [np.array([row]) for row in rows]
    probabilities = np.array([softmax(row) for row in rows])
    assert np.allclose(np.exp(join(tables, "product")[0]), probabilities.prod(0), rtol=1e-6)
    assert np.allclose(np.exp(join(tables, "sum")[0]), probabilities.mean(0), rtol=1e-6)


def test_product_and_sum_may_choose_differently() -> None:
    """The sum follows whoever is surest; the product asks for everybody's consent."""
    rows = ([0.2, 0.4, 0.4], [0.9, 0.095, 0.005], [0.001, 0.099, 0.9])
    players = [Fixed([np.log(row).tolist(), [0.0, 1.0]]) for row in rows]
    for how, chosen in [("product", 1), ("sum", 2)]:
        scores = Ensemble(players, how).reply(VIEWS).scores
        assert scores is not None
        assert [int(scores[0].argmax()), int(scores[1, :2].argmax())] == [chosen, 1]
        assert np.isnan(scores[1, 2])


def test_what_a_member_leaves_out_the_ensemble_leaves_out() -> None:
    class Refusing:
        name, revision = "refusing", "1"

        def reply(self, given: Sequence[Any]) -> Replies:
            made = Replies.chosen(given, [None, 1], "refused")
            return Replies(made.ids, made.status, made.scores, cut=np.array([True, False]))

    made = Ensemble([Fixed([[1.0, 0, 0], [1.0, 0]]), Refusing()]).reply(VIEWS)
    assert made.status.tolist() == [2, 0]
    assert made.scores is not None
    assert np.isnan(made.scores[0]).all()
    assert made.cut is not None
    assert made.cut.tolist() == [True, False]
    assert Ensemble([Fixed([[1.0, 0, 0], [1.0, 0]])]).reply(VIEWS).cut is None


def test_pools_cannot_be_joined() -> None:
    class Ranking:
        name, revision = "ranking", "1"

        def reply(self, given: Sequence[Any]) -> Replies:
            n = len(given)
            return Replies(tuple(v.id for v in given), np.zeros(n, np.uint8), ranks=np.ones(n))

    with pytest.raises(BadInput, match="ranking ranks pools, and cannot be joined"):
        Ensemble([Ranking()]).reply(VIEWS)
    with pytest.raises(BadInput, match="expected product or sum, got 'mean'"):
        Ensemble([Ranking()], "mean")


def test_revision_covers_members_and_manner() -> None:
    one, two = Fixed([], revision="1"), Fixed([], revision="2")
    made = [Ensemble([one]), Ensemble([two]), Ensemble([one, two]), Ensemble([one, two], "sum")]
    assert len({e.revision for e in made}) == 4


class Seeded:
    """A learner whose player scores by its seed."""

    name, quick, stochastic = "seeded", True, True

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.folders: list[Path | None] = []

    def fit(self, task: Task, *, dev: Task | None, seed: int, folder: Path | None) -> Fixed:
        self.seeds.append(seed)
        self.folders.append(folder)
        return Fixed([[float(seed), 0.0, 0.0], [0.0, 0.0]], revision=str(seed))


def test_members_of_different_seeds_share_none(games: Task, tmp_path: Path) -> None:
    learner = Seeded()
    members = Members(learner, 3)
    told: list[str] = []
    members.progress = lambda what, *_: told.append(what)
    made = members.fit(games, dev=None, seed=2, folder=tmp_path)
    members.fit(games, dev=None, seed=3, folder=None)
    assert learner.seeds == [6, 7, 8, 9, 10, 11]
    assert [f.name if f else None for f in learner.folders[2:4]] == ["member-2", None]
    assert made.reply(VIEWS).scores[0].argmax() == 0  # type: ignore[index]
    assert (members.name, members.quick, members.stochastic) == ("seeded", True, True)
    with pytest.raises(BadInput, match="at least 1, got 0"):
        Members(learner, 0)


def test_by_name(games: Task) -> None:
    one = ensemble("oracle+constant", games)
    assert score(games, one.reply(views(games))).credit.mean() == 1.0
    two = one.at(games.do("whole=drop"))
    assert len(two.players) == 2
    with pytest.raises(BadInput, match="ensemble: linear is not trained yet; join saved:FOLDER"):
        ensemble("oracle+linear", games)
    with pytest.raises(BadInput, match="there is no player 'nobody'"):
        ensemble("nobody", games)


def test_kept_and_read_back(games: Task, tmp_path: Path) -> None:
    from deixis.players.common.saved import saved
    from deixis.players.reference.linear import LinearLearner

    player = LinearLearner().fit(games)
    made = Ensemble([player, player], "sum")
    made.save(tmp_path)
    again = saved(str(tmp_path), games)
    expected, found = (p.reply(views(games)).scores for p in (made, again))
    assert expected is not None
    assert found is not None
    assert np.allclose(expected, found)
    with pytest.raises(BadInput, match="fixed cannot be kept"):
        Ensemble([Fixed([])]).save(tmp_path)
