"""The networks, their inputs and their loss."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from deixis.dataset import Dataset
from deixis.players.reference.alignment import (
    FEATURES,
    MEASURED,
    Choices,
    Network,
    Table,
    Way,
    joined_names,
    known_vectors,
    loss,
    raw_features,
    shown,
)
from deixis.players.reference.lessons import Lesson, lessons, subset
from deixis.players.reference.listener import ALL, WAYS
from deixis.players.reference.sentences import HASHED
from deixis.tasks.task import Task
from deixis.training.randomness import seeded
from deixis.trials import Description

SMALL = Choices(words="hashed", width=16, hidden_text=16, hidden_shape=16, dropout=0.0, noise=0.0)


@pytest.fixture(scope="module")
def given(games: Task) -> list[Lesson]:
    return lessons(games)


@pytest.fixture(scope="module")
def network() -> Network:
    with seeded(0, "test"):
        return Network(HASHED, SMALL.sizes)


@pytest.fixture
def table(world: Dataset, given: list[Lesson]) -> Table:
    return Table(world.store, given, SMALL, "none")  # type: ignore[arg-type]


def test_lengths_of_vectors() -> None:
    way = Way(8, 4, 5, 6, 0.0)
    texts = torch.randn(3, 8)
    texts[1] = 0
    made = way.text(texts)
    scale = float(way.log_scale.detach().exp())
    assert made.norm(dim=1).tolist() == pytest.approx([scale, 0, scale], abs=1e-5)
    assert way.shape(torch.randn(5, FEATURES)).norm(dim=1).tolist() == pytest.approx([1] * 5)


def test_features_are_brought_to_a_common_scale(table: Table) -> None:
    """Mean 0; measurements at most of deviation 1, coverage of the weight that is asked for."""
    centre, spread = table.scale(0.5)
    scaled = (table.features - centre) / spread
    assert scaled.mean(dim=0).abs().max() < 1e-4
    deviation = scaled.std(dim=0, unbiased=False)
    assert deviation[:MEASURED].max() <= 1
    assert float(deviation[MEASURED:].mean()) == pytest.approx(0.5, abs=1e-3)


def test_raw_features_are_those_of_the_store(world: Dataset) -> None:
    name = next(iter(world.records.values())).picture
    made = raw_features(world.store, [(name, ALL), (name, (1, 2))])  # type: ignore[arg-type]
    assert made.shape == (2, FEATURES)
    assert made[:, MEASURED:].min() >= 0
    assert made[:, MEASURED:].max() <= 1
    assert not np.allclose(made[0], made[1])


def test_vectors_of_texts_are_kept_on_disk(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """The second time nothing is encoded."""
    from deixis.players.reference.sentences import Hashed

    calls: list[int] = []
    plain = Hashed.__call__

    def counted(self: Hashed, texts: list[str]) -> object:
        calls.append(len(texts))
        return plain(self, texts)

    monkeypatch.setattr(Hashed, "__call__", counted)
    texts = ["dog", "cat", "dog"]
    first = known_vectors(texts, "hashed", str(tmp_path))
    assert calls == [2]
    assert np.array_equal(known_vectors(texts, "hashed", str(tmp_path)), first)
    assert calls == [2]
    assert np.array_equal(first[0], first[2])


def of_parts(given: list[Lesson], parts: int, n: int) -> tuple[Lesson, ...]:
    figures: dict[str, Lesson] = {}
    for one in given:
        if one.parts == parts:
            figures.setdefault(one.figure, one)
    return tuple(figures.values())[:n]


def test_a_network_that_knows_nothing_has_the_loss_of_guessing(
    given: list[Lesson], table: Table, world: Dataset
) -> None:
    """With all shapes the same every way loses log k: wholes, names, all together; and single
    names, where lessons that share a name are not counted as wrong."""
    network = Network(HASHED, SMALL.sizes)
    for name in WAYS:
        for parameter in network.way(name).shapes.parameters():
            torch.nn.init.zeros_(parameter)
    context = of_parts(given, 3, 6)
    total = float(loss(network, table, context, 0.0).detach())
    names = [x.text.parts[i] for i in range(3) for x in context]
    alone = [
        np.log(sum(n != own or j == i for j, n in enumerate(names[6 * g : 6 * g + 6])))
        for g in range(3)
        for i, own in enumerate(names[6 * g : 6 * g + 6])
    ]
    assert total == pytest.approx(3 * np.log(6) + np.mean(alone), rel=1e-5)
    bare = tuple(replace(x, text=Description(x.text.whole)) for x in context)
    table = Table(world.store, bare, SMALL, "none")  # type: ignore[arg-type]
    assert float(loss(network, table, bare, 0.0).detach()) == pytest.approx(np.log(6), rel=1e-5)


def test_noise_and_order(network: Network, given: list[Lesson], table: Table) -> None:
    context = of_parts(given, 3, 6)
    network.eval()
    plain = float(loss(network, table, context, 0.0).detach())
    assert float(loss(network, table, context[::-1], 0.0).detach()) == pytest.approx(
        plain, rel=1e-5
    )
    assert float(loss(network, table, context, 1.0).detach()) != pytest.approx(plain, rel=1e-3)


def test_groups_that_a_lesson_shows(given: list[Lesson]) -> None:
    one = given[0]
    groups = shown(one)
    assert len(groups) == len(one.text.parts)
    assert sorted(p for _, pieces in groups for p in pieces) == list(ALL)
    assert {figure for figure, _ in groups} == {one.picture.source}
    assert joined_names(one) == " ".join(one.text.parts)


def test_subsets_of_parts_ask_for_nothing_new(
    network: Network, given: list[Lesson], table: Table
) -> None:
    """Joined names stay those of the whole lesson; single names and groups are those included."""
    context = of_parts(given, 3, 6)
    some = tuple(subset(x, (2, 0)) for x in context)
    none = tuple(subset(x, ()) for x in context)
    assert [table.names(x) for x in some] == [joined_names(x) for x in context]
    network.eval()
    losses = [float(loss(network, table, c, 0.0).detach()) for c in (context, some, none)]
    assert losses[0] != losses[1] > losses[2] > 0


def test_what_was_chosen() -> None:
    """What the networks are built from is written on the card of a saved player."""
    assert Choices().sizes == {
        "words": "minilm",
        "width": 192,
        "hidden_text": 256,
        "hidden_shape": 384,
        "dropout": 0.5,
    }
