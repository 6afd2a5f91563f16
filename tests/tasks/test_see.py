from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.interventions.condition import parse_condition
from deixis.seeds import Seeds
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.reference import different
from deixis.tasks.see import dose, see, views
from deixis.tasks.task import Task
from deixis.trials import BLANK, opaque

CONDITIONS = [
    "", "whole=drop", "whole=blank", "whole=words:0.5", "whole=words:1:position", "whole=shuffle",
    "whole=swap", "parts=drop", "parts=rotate", "parts=keep:1", "parts=words:0.5", "parts=shuffle",
    "parts=swap", "color=drop", "color=blank", "color=noise", "color=rotate", "color=keep:1",
    "color=shuffle", "color=swap", "shape=drop", "shape=blank", "shape=noise", "shape=shuffle",
    "shape=swap", "image=drop", "image=noise:matched:per-trial", "image=shuffle", "image=swap",
    "whole=drop,parts=drop,color=drop,shape=drop", "parts=rotate,color=rotate",
]  # fmt: skip


def inside(value: Any) -> Iterator[Any]:
    yield value
    if is_dataclass(value):
        for field in fields(value):
            yield from inside(getattr(value, field.name))
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from inside(one)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("direction", ["text-to-picture", "picture-to-text"])
def test_no_view_tells_the_answer(world: Dataset, condition: str, direction: str) -> None:
    """Same views, whichever candidate is called the target: nothing but its own side differs."""
    task = make(world, direction=direction, k=5).do(*[condition] if condition else [])
    for trial in task.trials[:10]:
        view = see(task, trial)
        found = list(inside(view))
        assert trial.id not in found
        assert trial.item not in found
        assert view.id == opaque(trial.id)
        assert type(view).__name__ == "ReferenceView"
        assert view.k == 5


@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_is_shown_does_not_depend_on_the_other_trials(world: Dataset, condition: str) -> None:
    """But for donors and vocabularies, which are drawn from all of them."""
    if any(word in condition for word in ("shuffle", "words", "position")):
        return
    task = make(world, k=5).do(*[condition] if condition else [])
    few = replace(task, trials=task.trials[5:8])
    assert views(few) == views(task)[5:8]


def test_candidates_are_shown_in_every_order() -> None:
    task = make(load("figures", variants=4), k=4)
    places = Counter(task.order(i).tolist().index(t.answer) for i, t in enumerate(task.trials))
    expected = len(task) / 4
    assert sum((places[i] - expected) ** 2 / expected for i in range(4)) < 16.3  # 3 d.f., p .001


def test_order_follows_the_order_seed_alone(games: Task) -> None:
    again = games.reseed(Seeds(contexts=9, operator=9, training=9))
    moved = games.reseed(Seeds(order=1))
    assert views(again) == views(games)
    assert views(moved) != views(games)
    for a, b in zip(views(moved), views(games), strict=True):
        assert sorted(p.source for p in a.pictures) == sorted(p.source for p in b.pictures)


def test_conditions_act_in_the_tasks_order_however_they_are_written(games: Task) -> None:
    one, other = games.do("color=drop,whole=drop"), games.do("whole=drop", "color=drop")
    assert views(one) == views(other)


def test_the_four_published_conditions(dense: Task) -> None:
    trial = dense.trials[0]
    text, picture = trial.texts[0], trial.pictures[0]
    for condition, parts, paint in [
        ("", text.parts, picture.paint),
        ("color=drop", text.parts, None),
        ("parts=drop", (), picture.paint),
        ("parts=drop,color=drop", (), None),
    ]:
        view = see(dense.do(*[condition] if condition else []), trial)
        assert view.texts[0] == replace(text, parts=parts)
        shown = {p.source: p.paint for p in view.pictures}
        assert shown[picture.source] == paint


def test_taking_the_color_from_a_blank_picture_leaves_it_blank(games: Task) -> None:
    for condition in ("image=blank,color=drop", "shape=blank,color=noise", "image=drop,color=swap"):
        for view in views(games.do(condition))[:20]:
            assert set(view.pictures) == {BLANK}, condition


def test_donors_are_deranged(dense: Task) -> None:
    borrowed = 0
    for position, trial in enumerate(dense.trials):
        donor = dense.donor(position)
        if donor.stratum != trial.stratum:
            stratum = [t for t in dense.trials if t.stratum == trial.stratum]
            assert not any(different(trial, other) for other in stratum)
            borrowed += 1
        assert donor.clusters[0] != trial.clusters[0]
        assert donor.texts[0].whole != trial.texts[0].whole
        candidates = {p.source for p in trial.pictures}
        assert candidates.isdisjoint(p.source for p in donor.pictures)
    assert borrowed == 57, "of 84 with seven parts, in 30 tangrams of which ten are candidates"


@pytest.mark.parametrize("channel", ["whole", "parts", "color", "shape", "image"])
def test_shuffling_leaves_nothing_as_it_was(dense: Task, channel: str) -> None:
    altered = views(dense.do(f"{channel}=shuffle").limit(60))
    before = views(dense.limit(60))
    content = dense.channels[channel].contents
    same = sum(content(a) == content(b) for a, b in zip(altered, before, strict=True))
    assert same == 0


def test_every_trial_lends_about_once(dense: Task) -> None:
    lent = Counter(dense.donor(i).id for i in range(len(dense)))
    assert max(lent.values()) < 40
    assert len(lent) > len(dense) / 3


def test_a_stratum_too_small_borrows_from_another(dense: Task) -> None:
    lonely = replace(dense.trials[0], stratum="alone")
    few = replace(dense, trials=(lonely, *dense.trials[1:300]))
    assert few.donor(0).stratum != "alone"


def test_no_donor_at_all(dense: Task) -> None:
    lone = replace(dense, trials=dense.trials[:1])
    with pytest.raises(BadInput, match=r"no other trial differs enough from .* shuffle needs more"):
        see(lone.do("whole=shuffle"), lone.trials[0])


def test_swaps_exchange_with_a_distractor_of_the_same_trial(games: Task) -> None:
    for i, view in enumerate(views(games.do("whole=swap"))[:30]):
        trial = games.trials[i]
        others = {t.whole for t in trial.texts[1:]}
        assert view.texts[0].whole in others
    for i, view in enumerate(views(games.do("shape=swap"))[:30]):
        trial, order = games.trials[i], games.order(i)
        own = {int(o): p.source for o, p in zip(order, view.pictures, strict=True)}
        moved = [j for j in own if own[j] != trial.pictures[j].source]
        assert len(moved) == 2
        assert trial.answer in moved
        assert {own[j] for j in moved} == {trial.pictures[j].source for j in moved}


def test_noise_is_one_picture_for_each_picture_or_for_each_trial(games: Task) -> None:
    def keys(condition: str) -> set[str]:
        return {p.key for v in views(games.do(condition)) for p in v.pictures}

    base = {p.key for v in views(games) for p in v.pictures}
    assert len(keys("image=noise")) == len(base)
    assert len(keys("image=noise:per-trial")) > 5 * len(base)


def test_an_intervention_for_one_reader_is_not_seen_by_others(games: Task) -> None:
    named = games.do("whole/player=drop")
    trial = games.trials[0]
    assert see(named, trial, "player").texts[0].whole == ""
    assert see(named, trial, "guesser") == see(games, trial, "guesser")


def test_wrong_arguments_name_the_intervention(games: Task) -> None:
    with pytest.raises(BadInput, match=r"^whole=words:2: expected a probability from 0 to 1"):
        see(games.do("whole=words:2"), games.trials[0])
    with pytest.raises(BadInput, match=r"^color=drop:x: expected no argument, got 'x'"):
        see(games.do("color=drop:x"), games.trials[0])


def test_doses(games: Task) -> None:
    trial = next(t for t in games.trials if len(t.texts[0].parts) == 3)

    def given_(condition: str) -> tuple[bool, int, int]:
        made = dose(games.do(condition), games, trial)
        return made.altered, made.values, made.tokens

    words = len(trial.texts[0].whole.split())
    parts = sum(len(p.split()) for p in trial.texts[0].parts)
    assert given_("whole=same") == (False, 0, 0)
    assert given_("whole=drop") == (True, 1, words)
    assert given_("parts=drop") == (True, 1, parts)
    assert given_("color=drop") == (True, 10, 0)
    assert given_("image=blank") == (True, 20, 0), "colors and shapes of ten pictures"
    assert given_("whole=drop,color=drop") == (True, 11, words)


@given(st.sampled_from(CONDITIONS[1:]), st.integers(0, 50))
def test_seeing_is_a_function_of_seeds(condition: str, seed: int) -> None:
    task = make(WORLD, k=4).do(condition)
    one, again = (task.reseed(Seeds(operator=seed)) for _ in range(2))
    few = range(0, len(task), 13)
    assert [see(one, one.trials[i]) for i in few] == [see(again, again.trials[i]) for i in few]


WORLD = load("figures", variants=1)


def test_random_operators_draw_anew_with_the_operator_seed(games: Task) -> None:
    for condition in (
        "whole=words:0.5",
        "whole=shuffle",
        "color=noise",
        "image=noise",
        "whole=swap",
    ):
        one, other = games.do(condition), games.do(condition).reseed(Seeds(operator=1))
        share = np.mean([a != b for a, b in zip(views(one), views(other), strict=True)])
        assert share > 0.5, condition


def test_conditions_are_kept_as_written(games: Task) -> None:
    task = games.do("parts=drop, color=drop", "whole=words:0.5")
    assert task.condition == parse_condition("parts=drop,color=drop,whole=words:0.5")
    assert games.condition == ()
