from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.outcomes import credit, mid_rank, recall, score, softmax
from deixis.pictures.store import ArrayStore
from deixis.replies import STATUSES, Replies
from deixis.seeds import Seeds
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.trials import Description, Picture, ReferenceTrial, opaque

tables = st.integers(2, 6).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=1, max_size=6)
)


def task(sizes: list[int] | None = None, answers: list[int] | None = None) -> Task:
    """Reference games with any number of candidates; nothing but their answers matters."""
    sizes = sizes or [3, 2, 4]
    answers = answers or [0] * len(sizes)
    trials = tuple(
        ReferenceTrial(
            f"t{i}",
            f"item{i // 2}",
            tuple(Description(f"{i}-{j}") for j in range(k)),
            tuple(Picture(f"{i}-{j}") for j in range(k)),
            answer,
            (("tangram", f"c{i // 2}"), ("worker", f"w{i}")),
        )
        for i, (k, answer) in enumerate(zip(sizes, answers, strict=True))
    )
    dataset = Dataset("toy", "reference", {}, {}, ArrayStore({}))
    return Task("reference", "toy", dataset, trials)


@given(tables, st.randoms())
def test_credit_is_what_guessing_among_the_best_gives(table: list[list[int]], random) -> None:
    scores = np.array(table, float)
    answers = np.array([random.randrange(scores.shape[1]) for _ in table])
    for row, answer, given_credit in zip(table, answers, credit(scores, answers), strict=True):
        best = [i for i, s in enumerate(row) if s == max(row)]
        assert given_credit == (answer in best) / len(best)


@given(tables, st.randoms())
def test_rank_and_recall_are_means_over_ways_to_break_ties(table, random) -> None:
    scores = np.array(table, float)
    answers = np.array([random.randrange(scores.shape[1]) for _ in table])
    ranks, ties = mid_rank(scores, answers)
    for row, answer, rank, tied in zip(table, answers, ranks, ties, strict=True):
        ways = [
            sorted(range(len(row)), key=lambda i: (-row[i], order[i])).index(answer) + 1
            for order in permutations(range(len(row)))
        ]
        assert rank == pytest.approx(np.mean(ways))
        assert tied == row.count(row[answer])
        for k in range(1, len(row) + 1):
            found = recall(np.array([rank]), np.array([tied]), k)[0]
            assert found == pytest.approx(np.mean([w <= k for w in ways]))


def test_softmax_of_large_scores() -> None:
    scores = np.array([[1000.0, 1001.0], [-1000.0, -1001.0]])
    expected = 1 / (1 + np.e)
    assert softmax(scores, np.array([0, 1])) == pytest.approx([expected, expected])
    assert softmax(np.array([[1.0, 2.0, np.nan]]), np.array([1]))[0] == pytest.approx(1 - expected)


@given(st.lists(st.integers(2, 7), min_size=1, max_size=8), st.integers(0, 1000))
def test_equal_scores_have_exactly_the_credit_of_a_guess(sizes: list[int], seed: int) -> None:
    made = task(sizes).reseed(Seeds(order=seed))
    seen = views(made)
    outcomes = score(made, Replies.scored(seen, [[0.5] * v.k for v in seen]))
    assert outcomes.credit.tolist() == [1 / k for k in sizes]
    assert outcomes.guess.tolist() == outcomes.credit.tolist()
    assert outcomes.rank.tolist() == [(k + 1) / 2 for k in sizes]
    assert outcomes.choice.tolist() == [-1] * len(sizes)
    assert outcomes.credit.mean() == pytest.approx(made.chance, abs=1e-15)


def test_scores_in_shown_order_are_put_back_in_the_trials_own() -> None:
    made = task([4, 4], [2, 3])
    seen = views(made)
    # Each candidate's score is the number in its name.
    table = [[float(p.source.split("-")[1]) for p in v.pictures] for v in seen]
    outcomes = score(made, Replies.scored(seen, table))
    assert outcomes.scores.tolist() == [[0, 1, 2, 3]] * 2
    assert outcomes.rank.tolist() == [2, 1]
    assert outcomes.choice.tolist() == [3, 3]
    assert outcomes.credit.tolist() == [0, 1]


def test_replies_in_any_order_and_of_any_number_score_the_same() -> None:
    made = task([3, 2, 4], [1, 0, 3])
    seen = views(made)
    generator = np.random.default_rng(0)
    table = {v.id: generator.integers(0, 3, v.k).astype(float) for v in seen}
    whole = score(made, Replies.scored(seen, [table[v.id] for v in seen]))
    for order in permutations(seen):
        other = score(made, Replies.scored(order, [table[v.id] for v in order]))
        assert other.ids.tolist() == ["t0", "t1", "t2"]
        assert other.credit.tolist() == whole.credit.tolist()
        assert other.rank.tolist() == whole.rank.tolist()


def test_columns_come_from_trials() -> None:
    made = task().do("color=drop")
    outcomes = score(made, Replies.chosen(views(made), [0, 0, 0]))
    assert outcomes.items.tolist() == ["item0", "item0", "item1"]
    assert outcomes.clusters.tolist() == ["c0", "c0", "c1"]
    assert outcomes.workers.tolist() == ["w0", "w1", "w2"]
    assert outcomes.condition == "color=drop"
    assert np.isnan(outcomes.probability).all(), "a choice says nothing of probability"
    assert len(outcomes) == 3


def test_every_trial_without_a_reply_is_there_as_missing() -> None:
    made = task()
    outcomes = score(made, Replies.scored(views(made)[1:2], [[0.0, 1.0]]))
    assert outcomes.statuses == {"ok": 1, "missing": 2}
    assert outcomes.credit.tolist()[0::2] == [1 / 3, 1 / 4]
    assert outcomes.sizes.tolist() == [3, 2, 4]
    assert np.isnan(outcomes.rank[[0, 2]]).all()
    assert np.isnan(outcomes.scores[0]).all()


def test_no_reply_at_all() -> None:
    outcomes = score(task(), Replies.scored([], []))
    assert outcomes.statuses == {"missing": 3}
    assert outcomes.credit.tolist() == [1 / 3, 1 / 2, 1 / 4]


def test_unread_replies_enter_at_chance_and_can_be_filled_with_either_end() -> None:
    made = task([4, 4, 4])
    seen = views(made)
    right = [v.pictures.index(t.pictures[0]) for v, t in zip(seen, made.trials, strict=True)]
    replies = Replies.chosen(seen, [right[0], None, None])
    status = replies.status.copy()
    status[2] = STATUSES.index("refused")
    outcomes = score(made, replace(replies, status=status, raw=("a", "?", "no")))
    assert outcomes.statuses == {"ok": 1, "unreadable": 1, "refused": 1}
    assert outcomes.credit.tolist() == [1, 1 / 4, 1 / 4]
    assert outcomes.filled(0).credit.tolist() == [1, 0, 0]
    assert outcomes.filled(1).credit.tolist() == [1, 1, 1]
    assert outcomes.raw.tolist() == ["a", "?", "no"]


def test_a_reply_to_no_trial() -> None:
    made = task()
    replies = Replies.chosen(views(made), [0, 0, 0])
    with pytest.raises(BadInput, match=r"a reply to nobody, which is no trial of this task"):
        score(made, replace(replies, ids=("nobody", *replies.ids[1:])))


def test_two_replies_to_one_trial_unless_by_two_raters() -> None:
    made = task([2, 2], [0, 0])
    first = views(made)[0]
    twice = Replies.chosen([first, first], [0, 1])
    with pytest.raises(BadInput, match=r"two replies to trial t0"):
        score(made, twice)
    outcomes = score(made, replace(twice, raters=("b", "a")))
    assert list(zip(outcomes.ids, outcomes.raters, strict=True)) == [
        ("t0", "a"),
        ("t0", "b"),
        ("t1", ""),
    ]
    assert sorted(outcomes.credit[:2].tolist()) == [0, 1]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_no_number(bad: float) -> None:
    made = task([2])
    (view,) = views(made)
    replies = Replies((view.id,), np.zeros(1, np.uint8), np.array([[0.0, bad]]))
    with pytest.raises(BadInput, match=r"a score that is no number, for trial t0"):
        score(made, replies)


def test_replies_that_hold_nothing() -> None:
    made = task([2])
    with pytest.raises(BadInput, match=r"neither scores nor ranks"):
        score(made, Replies((opaque("t0"),), np.zeros(1, np.uint8)))
    with pytest.raises(BadInput, match=r"not their ties and the size of the pool"):
        score(made, Replies((opaque("t0"),), np.zeros(1, np.uint8), ranks=np.ones(1)))


def test_ranks_in_a_pool_by_rounds() -> None:
    made = task([5])
    ids = (opaque("t0"),) * 3
    replies = Replies(
        ids,
        np.array([0, 0, 2], np.uint8),
        rounds=np.array([2, 0, 1]),
        ranks=np.array([1.0, 2.5, np.nan]),
        ties=np.array([1, 4, 5]),
        sizes=np.array([5, 5, 5]),
        top=np.array([[3, 1], [0, 1], [-1, -1]]),
    )
    outcomes = score(made, replies)
    assert outcomes.rounds.tolist() == [0, 1, 2]
    assert outcomes.credit.tolist() == [0.25, 0.2, 1]
    assert outcomes.rank[[0, 2]].tolist() == [2.5, 1]
    assert np.isnan(outcomes.rank[1])
    assert outcomes.choice.tolist() == [0, -1, 3]
    assert outcomes.scores is None
