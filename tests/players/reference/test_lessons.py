"""Lessons, their subsets, and contexts drawn of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.players.reference.lessons import (
    Lesson,
    augmented,
    by_commas,
    by_parts,
    controlled_contexts,
    every_subset,
    lessons,
    one_subset,
    random_contexts,
    subset,
)
from deixis.seeds import draw
from deixis.tasks.task import Task
from deixis.trials import Description, Picture

FULL = Lesson(
    "page1-1_0",
    "page1-1",
    Description("dog", ("head", "tail", "body")),
    Picture("page1-1", paint=(0, 0, 1, 2, 2, 2, 2)),
    "dog",
    3,
)


def test_one_lesson_for_each_item_as_its_condition_shows_it(games: Task) -> None:
    found = lessons(games)
    assert [x.id for x in found] == [t.item for t in games.trials]
    for lesson, trial in zip(found, games.trials, strict=True):
        assert lesson.text == trial.texts[trial.answer]
        assert lesson.picture == trial.pictures[trial.answer]
    bare = lessons(games.do("parts=drop", "color=drop"))
    assert all(x.text.parts == () and x.picture.paint is None for x in bare)
    assert [(x.words, x.parts) for x in bare] == [(x.words, x.parts) for x in found]


def test_lessons_of_the_other_direction_and_of_several_contexts(world: object) -> None:
    from deixis.tasks.make import make

    turned = make(world, "figures", direction="picture-to-text", per_target=2)  # type: ignore[arg-type]
    straight = make(world, "figures")  # type: ignore[arg-type]
    assert lessons(turned) == lessons(straight)


def test_a_subset_names_and_colors_its_own_parts_only() -> None:
    made = subset(FULL, [2, 0])
    assert made.text == Description("dog", ("body", "head"))
    assert made.picture.paint == (1, 1, None, 0, 0, 0, 0)
    assert (made.parts, made.figure, made.id) == (2, "page1-1", "page1-1_0[2+0]")
    none = subset(FULL, [])
    assert (none.text.parts, none.picture.paint, none.words) == ((), None, "dog")
    assert subset(FULL, [0, 2]).words == made.words


def test_there_are_two_to_the_number_of_parts() -> None:
    made = every_subset(FULL, draw(0))
    assert len(made) == 8
    assert len({frozenset(x.text.parts) for x in made}) == 8
    assert Counter(x.parts for x in made) == {0: 1, 1: 3, 2: 3, 3: 1}


def test_sampled_subsets_are_all_as_likely() -> None:
    counts = Counter(frozenset(one_subset(FULL, draw(0, i)).text.parts) for i in range(4000))
    assert len(counts) == 8
    assert all(abs(n - 500) < 5 * np.sqrt(500) for n in counts.values())


def test_how_lessons_are_augmented() -> None:
    assert augmented([FULL], "none", 0, 0) == [FULL]
    every = augmented([FULL], "all", 0, 0)
    assert every == augmented([FULL], "all", 0, 7)
    assert len(every) == 8
    drawn = [augmented([FULL], "sampled", 0, e)[0] for e in range(30)]
    assert len({x.id for x in drawn}) > 5
    assert drawn == [augmented([FULL], "sampled", 0, e)[0] for e in range(30)]
    assert drawn != [augmented([FULL], "sampled", 1, e)[0] for e in range(30)]


def test_published_augmentation_of_dense(dense: Task) -> None:
    """2^P examples of each annotation: 69,678 of the 3,971 (recomputed upstream)."""
    assert sum(2**x.parts for x in lessons(dense)) == 69_678


@given(st.integers(2, 8), st.integers(0, 100))
def test_controlled_contexts_keep_every_constraint(k: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    pool = [
        Lesson(
            str(i),
            f"f{generator.integers(15)}",
            Description(word := f"w{generator.integers(20)}"),
            Picture("p"),
            word,
            int(generator.integers(1, 3)),
        )
        for i in range(120)
    ]
    made = controlled_contexts(pool, k, generator, by_parts)
    assert made
    for context in made:
        assert len(context) == k
        assert len({x.figure for x in context}) == len({x.words for x in context}) == k
        assert len({x.parts for x in context}) == 1
    used = [x.id for c in made for x in c]
    assert len(used) == len(set(used))


def test_few_lessons_are_left_over(dense: Task) -> None:
    made = controlled_contexts(lessons(dense), 10, draw(0), by_parts)
    assert 10 * len(made) > 0.98 * len(dense)
    counts = {len(c) for c in made}
    assert counts == {10}


def test_contexts_end_where_words_run_out() -> None:
    """Ten figures, but two words: no context of three."""
    pool = [
        Lesson(str(i), f"f{i}", Description("x"), Picture("p"), f"w{i % 2}", 1) for i in range(10)
    ]
    assert controlled_contexts(pool, 3, draw(0), by_parts) == []
    assert len(controlled_contexts(pool, 2, draw(0), by_parts)) == 5


@given(st.integers(0, 50), st.integers(1, 9))
def test_random_contexts_use_every_lesson_at_most_once(n: int, k: int) -> None:
    pool = [Lesson(str(i), "f", Description("x"), Picture("p"), "x", 1) for i in range(n)]
    made = random_contexts(pool, k, draw(0))
    assert len(made) == n // k
    used = [x.id for c in made for x in c]
    assert len(used) == len(set(used)) == k * (n // k)


@pytest.mark.parametrize(
    ("parts", "commas"),
    [((), 0), (("head",), 0), (("a", "b"), 0), (("a", "b", "c"), 2), (("a, b", "c", "d"), 3)],
)
def test_groups_by_commas(parts: tuple[str, ...], commas: int) -> None:
    lesson = Lesson("1", "f", Description("dog", parts), Picture("p"), "dog", len(parts))
    assert by_commas(lesson) == commas
    assert by_parts(lesson) == len(parts)


def test_published_captions_have_a_comma_for_every_part_but_the_first() -> None:
    for parts, commas in [(("a",), 0), (("a", "b"), 1), (("a", "b", "c"), 2)]:
        text = Description("dog", parts, "published")
        assert by_commas(Lesson("1", "f", text, Picture("p"), "dog", 0)) == commas
