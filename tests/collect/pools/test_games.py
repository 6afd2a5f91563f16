"""Games for people are the Views that models get, in an order of their own."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.collect.small import games

from deixis.collect.plan import Plan, Step
from deixis.collect.pools.games import GamePool, packets, token
from deixis.collect.trial_types.choose_target import BACKGROUNDS, Game
from deixis.errors import BadInput
from deixis.tasks.see import see
from deixis.web.drawing import drawing

ARMS = {
    "whole, black": "parts=drop,color=drop",
    "whole, color": "parts=drop",
    "parts, black": "color=drop",
    "parts, color": "",
    "no words": "whole=blank",
}


@pytest.fixture(scope="module")
def plan() -> Plan:
    return Plan(
        games(
            pool={
                "limit": 12,
                "packet": 5,
                "conditions": ARMS,
            }
        )
    )


@pytest.fixture(scope="module")
def pool(plan: Plan) -> GamePool:
    assert isinstance(plan.pool, GamePool)
    return plan.pool


def game(plan: Plan, key: str, arm: str, seed: str = "s") -> Game:
    made = plan.stimulus(Step("main", "choose_target", key, arm, seed), {})
    assert isinstance(made, Game)
    return made


def test_each_game_is_in_one_packet_of_each_condition(pool: GamePool) -> None:
    for arm in pool.arms:
        cut = packets(pool.task, arm, 5)
        assert [len(p) for p in cut] == [5, 5, 2]
        assert sorted(i for p in cut for i in p) == sorted(t.id for t in pool.task.trials)
    assert packets(pool.task, "parts, color", 5) != packets(pool.task, "whole, color", 5)
    assert Counter(u.arm for u in pool.units) == dict.fromkeys(pool.arms, 3)


def test_a_packet_has_a_catch_game_somewhere(pool: GamePool) -> None:
    places = set()
    for seed in range(30):
        keys = pool.trials("parts, color/0", str(seed))
        assert len(keys) == 6
        places.add([k.startswith("catch/") for k in keys].index(True))
    assert len(places) > 3


@pytest.mark.parametrize("arm", ARMS)
def test_people_see_what_models_see(plan: Plan, pool: GamePool, arm: str) -> None:
    task = pool.task.do(*filter(None, [pool.arms[arm]]))
    for trial in task.trials:
        view = see(task, trial)
        made = game(plan, f"main/{trial.id}", arm)
        text = view.texts[0]
        assert made.texts[0].whole == text.whole
        assert [p.name for p in made.texts[0].parts] == list(text.parts)
        # the same ten pictures, in another order that the server can undo
        own = {
            i: drawing(task.store, view.pictures[s])
            for s, i in enumerate(task.order(task.position(trial)))
        }
        assert [own[i] for i in made.order] == list(made.drawings)
        assert sorted(made.order) == list(range(10))


def test_the_conditions_differ_as_they_say(plan: Plan, pool: GamePool) -> None:
    key = f"main/{pool.task.trials[0].id}"
    by_arm = {arm: game(plan, key, arm) for arm in pool.arms}
    assert by_arm["whole, black"].texts[0].parts == ()
    assert by_arm["parts, black"].texts[0].parts != ()
    black = {p["fill"] for d in by_arm["parts, black"].drawings for p in d["pieces"]}
    assert black == {"#000000"}
    assert all(p.color == "" for p in by_arm["parts, black"].texts[0].parts)
    colored = by_arm["parts, color"].texts[0].parts
    assert [p.color for p in colored] == list(BACKGROUNDS[: len(colored)])
    assert set(by_arm["no words"].texts[0].whole) <= {"_", " "}


def test_orders_and_tokens_are_a_person_s_own(plan: Plan, pool: GamePool) -> None:
    key = f"main/{pool.task.trials[0].id}"
    one, other = (game(plan, key, "parts, color", seed) for seed in ("a", "b"))
    assert one.order != other.order
    assert set(one.tokens).isdisjoint(other.tokens)
    assert game(plan, key, "parts, color", "a") == one
    places = [game(plan, key, "parts, color", str(s)).order.index(0) for s in range(200)]
    assert np.bincount(places, minlength=10).min() > 5  # the target is anywhere


def test_the_catch_game_is_obvious_under_every_condition(plan: Plan, pool: GamePool) -> None:
    for arm in pool.arms:
        made = game(plan, "catch/0", arm)
        assert made.texts[0].whole == "perfect square"
        assert made.catch
        target = made.drawings[made.order.index(made.answer)]
        corners = " ".join(p["points"] for p in target["pieces"]).replace(",", " ")
        points = np.array([float(v) for v in corners.split()])
        assert np.allclose([points.min(), points.max()], [0, 100])


def test_practice_is_of_other_pictures(plan: Plan, pool: GamePool) -> None:
    families = {t.clusters[0][1] for t in pool.task.trials}
    for key in pool.practice("x"):
        assert key.removeprefix("practice/").rpartition("-")[0] not in families


def test_the_other_direction() -> None:
    plan = Plan(games(pool={"options": {"direction": "picture-to-text"}, "catch": 0}))
    assert isinstance(plan.pool, GamePool)
    made = game(plan, f"main/{plan.pool.task.trials[0].id}", "parts, color")
    assert len(made.texts) == 10
    assert len(made.drawings) == 1


def test_tokens_tell_nothing() -> None:
    made = {token("seed", "main/x", i) for i in range(10)}
    assert len(made) == 10
    assert all(len(t) == 16 for t in made)
    assert token("other", "main/x", 0) not in made


def test_a_condition_that_cannot_be_shown_is_found_before_anybody_comes() -> None:
    with pytest.raises(BadInput, match="shuffle needs more trials"):
        Plan(games(pool={"limit": 8, "conditions": {"shuffled": "whole=shuffle"}}))
