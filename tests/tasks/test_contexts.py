from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deixis.tasks.contexts import Items, draw_contexts, fillable


@st.composite
def tables(draw) -> Items:
    """Items of few figures, texts and groups, so that constraints bind."""
    n = draw(st.integers(4, 40))
    column = st.lists(st.integers(0, draw(st.integers(2, 12))), min_size=n, max_size=n)
    group = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    return Items.of([f"i{i}" for i in range(n)], draw(column), draw(column), draw(group))


def drawn(items: Items, k: int, **more) -> np.ndarray:
    targets = np.flatnonzero(fillable(items, k))
    made = list(draw_contexts(items, targets, k, **{"seed": 0, **more}))
    return np.vstack(made) if made else np.zeros((0, k), int)


@given(tables(), st.integers(2, 5), st.integers(0, 99))
def test_every_context_meets_every_constraint(items: Items, k: int, seed: int) -> None:
    for row in drawn(items, k, seed=seed):
        if row[-1] < 0:
            assert (row == -1).all()
            continue
        assert len(set(items.figure[row])) == k
        assert len(set(items.text[row])) == k
        assert len(set(items.group[row])) == 1


@given(tables(), st.integers(2, 5), st.integers(0, 99))
def test_every_fillable_target_gets_a_context_of_its_own(items: Items, k: int, seed: int) -> None:
    targets = np.flatnonzero(fillable(items, k))
    rows = drawn(items, k, seed=seed)
    assert len(rows) == len(targets)
    filled = rows[:, -1] >= 0
    assert (rows[filled, 0] == targets[filled]).all()


@given(tables(), st.integers(2, 5), st.randoms())
def test_the_order_of_items_changes_no_context(items: Items, k: int, random) -> None:
    order = list(range(len(items.ids)))
    random.shuffle(order)
    other = Items.of(
        [items.ids[i] for i in order],
        [int(items.figure[i]) for i in order],
        [int(items.text[i]) for i in order],
        [int(items.group[i]) for i in order],
    )
    one = {items.ids[r[0]]: [items.ids[i] for i in r] for r in drawn(items, k) if r[-1] >= 0}
    two = {other.ids[r[0]]: [other.ids[i] for i in r] for r in drawn(other, k) if r[-1] >= 0}
    assert one == two


@given(tables(), st.integers(1, 7))
def test_chunks_bound_the_memory_and_change_nothing(items: Items, chunk: int) -> None:
    assert (drawn(items, 3) == drawn(items, 3, chunk=chunk)).all()
    targets = np.flatnonzero(fillable(items, 3))
    assume(len(targets) > 1)
    (row,) = next(iter(draw_contexts(items, targets[1:2], 3, seed=0)))
    assert (row == drawn(items, 3)[1]).all(), "a context does not depend on other targets"


def test_other_seeds_and_replicates_give_other_contexts() -> None:
    items = Items.of([str(i) for i in range(200)], range(200), range(200), [0] * 200)
    made = [drawn(items, 10), drawn(items, 10, seed=1), drawn(items, 10, replicate=1)]
    for i, one in enumerate(made):
        for other in made[:i]:
            assert (one[:, 1:] == other[:, 1:]).mean() < 0.02


def test_what_can_be_filled() -> None:
    items = Items.of("abcdefg", [0, 1, 2, 0, 1, 1, 2], "stustuu", [0, 0, 0, 0, 1, 1, 1])
    assert fillable(items, 2).tolist() == [True] * 7
    assert fillable(items, 3).tolist() == [True] * 4 + [False] * 3
    assert not fillable(items, 4).any()


def test_without_constraints_only_figures_differ() -> None:
    items = Items.of("abc", [0, 1, 0], ["x"] * 3, [0, 1, 2])
    assert not fillable(items, 2).any()
    rows = drawn(items.free(), 2)
    assert len(rows) == 3
    assert all(items.figure[a] != items.figure[b] for a, b in rows)


def test_contexts_that_cannot_be_filled_are_marked() -> None:
    """Four figures, three texts, but target a shares its text with all others but one."""
    items = Items.of("abcd", [0, 1, 2, 3], ["x", "x", "y", "x"], [0] * 4)
    assert not fillable(items, 3).any()
    odd = Items.of("abcde", [0, 1, 1, 1, 2], ["x", "x", "y", "z", "x"], [0] * 5)
    assert fillable(odd, 3).all(), "three figures and three texts, but never together"
    assert (drawn(odd, 3) == -1).all()


def reference_draw(items: Items, target: int, k: int, generator: np.random.Generator) -> list[int]:
    """What upstream does: shuffle figures, take one item of each at random, skip known texts."""
    group = [i for i in range(len(items.ids)) if items.group[i] == items.group[target]]
    figures = list({int(items.figure[i]) for i in group} - {int(items.figure[target])})
    generator.shuffle(figures)
    members = [target]
    for figure in figures:
        offers = [i for i in group if items.figure[i] == figure]
        offer = offers[int(generator.integers(len(offers)))]
        if items.text[offer] not in items.text[members]:
            members.append(offer)
        if len(members) == k:
            return members
    return []


def test_contexts_are_distributed_as_upstream_draws_them() -> None:
    """Skewed figures and a text shared by several: both procedures choose alike."""
    figure = [0, 1, 1, 1, 2, 2, 3, 4, 5]
    items = Items.of("tabcdefgh", figure, "tuuuvwuwx", [0] * 9)
    n, generator = 3000, np.random.default_rng(0)
    theirs = Counter(frozenset(reference_draw(items, 0, 4, generator)) for _ in range(n))
    theirs.pop(frozenset(), None)
    total = sum(theirs.values())
    ours: Counter[frozenset[int]] = Counter()
    for replicate in range(n):
        ((row,),) = draw_contexts(items, np.array([0]), 4, seed=0, replicate=replicate)
        ours[frozenset(row.tolist())] += 1
    assert set(ours) == set(theirs)
    distance = sum(abs(ours[s] / n - theirs[s] / total) for s in ours) / 2
    assert distance < 0.05


def test_a_stream_of_chunks_is_lazy() -> None:
    items = Items.of([str(i) for i in range(50)], range(50), range(50), [0] * 50)
    first = next(islice(draw_contexts(items, np.arange(50), 5, seed=0, chunk=10), 1))
    assert first.shape == (10, 5)
    assert list(draw_contexts(items, np.array([], int), 5, seed=0)) == []


@pytest.mark.parametrize("k", [2, 10])
def test_every_figure_is_drawn_equally_often(k: int) -> None:
    items = Items.of([str(i) for i in range(2000)], [i % 40 for i in range(2000)],
                     range(2000), [0] * 2000)  # fmt: skip
    rows = drawn(items, k)
    counts = np.bincount(items.figure[rows[:, 1:]].ravel(), minlength=40)
    expected = 2000 * (k - 1) / 40
    assert ((counts - expected) ** 2 / expected).sum() < 80  # 39 d.f., p < .0002
