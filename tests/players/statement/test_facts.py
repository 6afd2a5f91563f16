"""Facts about many scenes at once, against one scene and one thing at a time."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from deixis.pictures.scene import COLORS, SHAPES, SIZES, Scene, Thing
from deixis.players.statement.facts import PAIRS, PLACES, STATISTICS, WHOLE, facts, filter_code

things = st.builds(
    Thing,
    st.integers(0, 9).map(lambda i: 10 * i),
    st.integers(0, 9).map(lambda i: 10 * i),
    st.sampled_from(SIZES),
    st.sampled_from(SHAPES),
    st.sampled_from(list(COLORS)),
)
boxes = st.lists(
    things, max_size=5, unique_by=(lambda t: (t.y, t.x), lambda t: (t.y + t.size, t.x))
)
scenes = st.lists(boxes.map(lambda b: tuple(sorted(b))), min_size=1, max_size=3).map(tuple)
kinds = st.tuples(st.sampled_from([None, *COLORS]), st.sampled_from([None, *SHAPES]))


@given(some=st.lists(scenes, min_size=1, max_size=3))
@settings(max_examples=25, deadline=None)
def test_counts(plain: Any, some: list[Scene]) -> None:
    found = facts(some)
    for row, scene in zip(found.counts, some, strict=True):
        assert row.tolist() == plain.counts(scene)


@given(scene=scenes, one=kinds, other=kinds)
@settings(max_examples=100, deadline=None)
def test_pairs(
    plain: Any, scene: Scene, one: tuple[str | None, ...], other: tuple[str | None, ...]
) -> None:
    colors, shapes = [None, *COLORS], [None, *SHAPES]
    a, b = (colors.index(k[0]) * 4 + shapes.index(k[1]) for k in (one, other))
    assert facts([scene]).pairs[0, a, b].tolist() == plain.pairs(scene, one, other)  # type: ignore[arg-type]


def test_a_tower_by_hand() -> None:
    def block(y: int, color: str) -> Thing:
        return Thing(y, 40, 20, "square", color)

    tower = (block(38, "yellow"), block(59, "blue"), block(80, "blue"))
    found = facts([(tower, (block(80, "black"),), ())])
    counts = dict(zip(STATISTICS, found.counts[0, filter_code(color=3)].tolist(), strict=True))
    assert counts["things"] == 2
    assert counts["boxes with any"] == 1
    assert counts["boxes with nothing else"] == 0
    assert counts["things lowest"] == 1
    assert counts["things second from the bottom"] == 1
    assert counts["things at the bottom"] == 1
    assert counts["things uppermost"] == 0
    whole = dict(zip(WHOLE, found.whole[0].tolist(), strict=True))
    assert whole["boxes of two colors"] == 1
    assert whole["boxes of one color"] == 1
    assert whole["boxes of three things"] == 1
    assert whole["boxes with top like base"] == 0
    assert whole["two alike, one above the other"] == 1
    assert whole["same tops"] == 1
    pairs = dict(zip(PAIRS, found.pairs[0, 8, 12].tolist(), strict=True))
    assert pairs["directly above"] == 1
    assert pairs["above"] == 2
    assert pairs["top and base"] == 1
    assert pairs["only these two"] == 1
    assert found.placed[0, PLACES.index("in the middle"), 0].tolist() == [1, 0, 0]
    assert found.kinds[0, 0].tolist() == [2, 1, 0]


def test_no_scene_and_more_boxes_than_are_looked_at() -> None:
    assert len(facts([])) == 0
    crowded = (((Thing(0, 0, 10, "square", "blue"),),) * 4,)
    assert facts(crowded).counts[0, 0, 0] == 3
    empty = dict(zip(WHOLE, facts([()]).whole[0].tolist(), strict=True))
    assert {w for w, n in empty.items() if n} == {"boxes as full as another"}
