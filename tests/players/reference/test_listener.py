"""What listeners of groups of pieces have in common, on one whose vectors are planted."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.store import ArrayStore
from deixis.players.reference.listener import (
    ALL,
    Group,
    Listener,
    colored,
    painted,
    seen_pairs,
    tangrams,
    visible,
)
from deixis.seeds import digest
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.trials import Description, Picture, ReferenceView


class Telling(Listener):
    """Hears ``<figure>`` in wholes and ``<figure>:<pieces>`` in names of parts; counts calls."""

    name, revision = "telling", "1"

    def __init__(self, store) -> None:  # type: ignore[no-untyped-def]
        super().__init__(store, parts=1.0)
        self.asked: Counter[str] = Counter()

    def texts(self, way: str, texts: list[str]) -> np.ndarray:  # type: ignore[type-arg]
        self.asked[f"{way} texts"] += len(texts)
        return np.array([vector(t) if t else np.zeros(64) for t in texts])

    def shapes(self, way: str, groups: list[Group]) -> np.ndarray:  # type: ignore[type-arg]
        self.asked[f"{way} shapes"] += len(groups)
        return np.array([vector(written(g) if way == "parts" else g[0]) for g in groups])

    def looking(self, store):  # type: ignore[no-untyped-def]
        return Telling(store)


def vector(text: str) -> np.ndarray:  # type: ignore[type-arg]
    made = np.random.default_rng(digest("vector", text)).normal(size=64)
    return made / np.linalg.norm(made)


def written(group: Group) -> str:
    return f"{group[0]}:{''.join(map(str, group[1]))}"


@pytest.fixture(scope="module")
def told(world: Dataset) -> list[ReferenceView]:
    """Two games over the same three figures, each painted in two groups."""
    names = sorted({a.picture for a in world.records.values()})[:3]
    paint = (0, 0, 0, 1, 1, 1, 1)
    pictures = tuple(Picture(n, paint=paint) for n in names)
    parts = tuple(written((names[1], g)) for g in ((1, 2, 3), (4, 5, 6, 7)))
    return [
        ReferenceView("whole", (Description(names[2]),), pictures),
        ReferenceView("parts", (Description("nothing", parts),), pictures),
        ReferenceView("again", (Description("nothing", parts),), pictures[::-1]),
    ]


def test_wholes_point_at_figures_and_names_at_their_own_group(
    world: Dataset, told: list[ReferenceView]
) -> None:
    player = Telling(world.store)
    replies = player.reply(told)
    assert replies.scores is not None
    assert replies.scores.argmax(axis=1).tolist() == [2, 1, 1]
    assert replies.scores[1, 1] > 2 - 0.5  # both names find their group
    assert np.array_equal(replies.scores[1], replies.scores[2][::-1])


def test_every_distinct_text_and_group_once(world: Dataset, told: list[ReferenceView]) -> None:
    player = Telling(world.store)
    player.reply(told)
    player.reply(told)
    assert player.asked["whole texts"] == 2
    assert player.asked["whole shapes"] == 3
    assert player.asked["parts texts"] == 2
    assert player.asked["parts shapes"] == 6


def test_without_colors_joined_names_are_compared_with_figures(
    world: Dataset, told: list[ReferenceView]
) -> None:
    name = told[0].pictures[1].source
    black = tuple(Picture(p.source) for p in told[0].pictures)
    view = ReferenceView("black", (Description("", (name,)),), black)
    player = Telling(world.store)
    replies = player.reply([view])
    assert replies.scores is not None
    assert replies.scores.argmax() == 1
    assert player.asked["parts shapes"] == 0
    assert not painted(view)
    assert painted(told[0])


def test_nothing_to_see_or_to_hear_scores_nothing(
    world: Dataset, told: list[ReferenceView]
) -> None:
    hidden = tuple(Picture("blank") for _ in range(3))
    silent = ReferenceView("silent", (Description(""),), told[0].pictures)
    unseen = ReferenceView("unseen", told[1].texts, hidden)
    replies = Telling(world.store).reply([silent, unseen])
    assert replies.scores is not None
    assert not replies.scores.any()


def test_colors_beyond_the_names_show_nothing() -> None:
    picture = Picture("page1-1", paint=(0, 1, 1, None, 2, 2, 0))
    assert colored(picture, 3) == [(0, (1, 7)), (1, (2, 3)), (2, (5, 6))]
    assert colored(picture, 2) == [(0, (1, 7)), (1, (2, 3))]
    assert colored(Picture("page1-1"), 3) == []
    assert colored(Picture("page1-1", paint=(0,) * 7, edits=("flip",)), 1) == []
    assert visible(Picture("page1-1")) == "page1-1"
    assert visible(Picture("blank")) == visible(Picture("page1-1", edits=("flip",))) == ""
    assert len(ALL) == 7


def test_what_is_learnt_from_is_what_the_condition_shows(games: Task) -> None:
    pairs = seen_pairs(games.do("parts=drop"))
    assert len(pairs) == len(games)
    for trial, (text, picture) in zip(games.trials, pairs, strict=True):
        assert text.whole == trial.texts[trial.answer].whole
        assert text.parts == ()
        assert picture == trial.pictures[trial.answer]


def test_it_needs_tangrams_and_travels_without_its_memory(world: Dataset, games: Task) -> None:
    from dataclasses import replace

    player = Telling(world.store)
    assert player.at(games) is player
    before = score(games.limit(20), player.reply(views(games.limit(20))))
    sent = pickle.loads(pickle.dumps(player))
    after = score(games.limit(20), sent.reply(views(games.limit(20))))
    assert np.array_equal(before.credit, after.credit)
    assert sent.at(games) is not sent  # another copy of the store is another store
    photos = replace(games, dataset=replace(world, store=ArrayStore({})))
    with pytest.raises(BadInput, match="telling reads tangrams, and figures has none"):
        tangrams(photos, "telling")


def test_both_directions_are_one_matrix(world: Dataset) -> None:
    """A picture among texts is scored by the same pairs as a text among pictures."""
    tables = []
    for direction in ("text-to-picture", "picture-to-text"):
        task = make(world, "figures", k=5, direction=direction).limit(10)
        outcomes = score(task, Telling(world.store).reply(views(task)))
        assert outcomes.scores is not None
        tables.append(outcomes.scores[:, 0])
    assert np.allclose(*tables)
