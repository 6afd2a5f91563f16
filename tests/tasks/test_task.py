from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.seeds import Seeds
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task


def test_what_a_task_says_of_itself(games: Task) -> None:
    assert games.cluster == "tangram"
    assert games.atoms == ("whole", "parts", "color", "shape")
    assert games.chance == pytest.approx(0.1)
    assert games.best_guess == games.chance
    assert (games.chances == 0.1).all()
    assert games.store is games.dataset.store


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("depth=drop", r"a reference task has no channel 'depth' \(known: whole, parts, color"),
        ("whole/answerer=drop", "figures is read by player"),
        ("whole=drop@2", "whole has no rounds"),
        ("whole=rotate", r"whole takes no operator 'rotate' \(known: blank, drop, "),
        ("shape=rotate", "shape takes no operator 'rotate'"),
        ("whole:drop", "is no intervention"),
    ],
)
def test_interventions_that_do_not_fit(games: Task, condition: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        games.do(condition)


def test_tasks_can_be_sent(games: Task, dense: Task) -> None:
    for task in (games, dense.limit(200)):
        task.donor(0)
        sent = pickle.loads(pickle.dumps(task.do("color=noise")))
        assert sent.trials == task.trials
        assert not sent.dataset.records
        assert list(sent.memo) == ["trials"]
        assert views(sent)[:5] == views(task.do("color=noise"))[:5]
        view = views(sent)[0]
        drawn = [sent.store.pixels(p) for p in view.pictures]
        assert (np.array(drawn) == [task.store.pixels(p) for p in view.pictures]).all()


def test_only_some_records(dense: Task) -> None:
    tangrams = {t.clusters[0][1] for t in dense.trials}
    kept = sorted(tangrams)[:30]
    some = dense.do("color=drop").only({t.item for t in dense.trials if t.clusters[0][1] in kept})
    assert {t.clusters[0][1] for t in some.trials} <= set(kept)
    assert {p.source for t in some.trials for p in t.pictures} <= set(kept)
    assert some.condition == dense.do("color=drop").condition
    assert some.options == dense.options


def test_a_limit_draws_and_keeps_the_order(dense: Task) -> None:
    some, more = dense.limit(50), dense.limit(80)
    assert len(some) == 50
    assert set(some.trials) < set(more.trials)
    places = [dense.position(t) for t in some.trials]
    assert places == sorted(places)
    assert len({t.clusters[0] for t in some.trials}) > 20, "not the first in the file"
    assert dense.limit(10**6).trials == dense.trials
    chosen = {t.id for t in some.trials}
    whole = [v for v, t in zip(views(dense), dense.trials, strict=True) if t.id in chosen]
    assert views(some) == whole, "a trial looks the same among fewer"


def test_trials_are_found_by_their_views(games: Task) -> None:
    for i, view in enumerate(views(games)):
        assert games.found(view.id) == i
    assert games.found("nobody") is None


def test_trials_in_another_order_are_shown_the_same(games: Task) -> None:
    back = replace(games, trials=games.trials[::-1])
    assert views(back)[::-1] == views(games)
    assert [back.donor(i).id for i in range(9)] == [
        games.donor(len(games) - 1 - i).id for i in range(9)
    ]


@pytest.mark.parametrize("sent", [False, True])
def test_what_is_worked_out_from_some_trials_is_not_taken_for_others(
    world: Dataset, sent: bool
) -> None:
    task = make(world)
    if sent:
        task = pickle.loads(pickle.dumps(task))
    few = replace(task, trials=task.trials[3:6])
    for one in (few, task, few):
        assert [one.found(v.id) for v in views(one)] == list(range(len(one)))
    assert task.do("color=drop").memo is task.memo, "conditions share it"


def test_vocabularies_are_those_of_the_unaltered_texts(games: Task) -> None:
    words = games.vocabulary(games.channels["parts"])
    assert dict(words.counts)["head"] > 10
    altered = games.do("parts=drop")
    assert altered.vocabulary(altered.channels["parts"]).counts == words.counts


def test_only_rebuilds_with_the_tasks_own_options_and_seeds(world: Dataset) -> None:
    task = make(world, k=4, contexts="random", seeds=Seeds(contexts=3))
    assert task.only(set(world.records)).trials == task.trials
