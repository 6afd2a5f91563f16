from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.trials import (
    BLANK,
    ChoiceTrial,
    Description,
    Dialog,
    GuessTrial,
    Picture,
    Pool,
    ReferenceTrial,
    StatementTrial,
    Turn,
    opaque,
)

CLUSTERS = (("tangram", "t1"),)
PICTURES = tuple(Picture(f"p{i}", f"c{i}") for i in range(3))
TEXTS = tuple(Description(f"thing {i}", (f"part {i}",)) for i in range(3))


def reference(answer: int = 1, direction: Any = "text-to-picture") -> ReferenceTrial:
    return ReferenceTrial("secret-7", "secret", TEXTS, PICTURES, answer, CLUSTERS, "2 parts", "g",
                          direction)  # fmt: skip


def statement(label: bool = True) -> StatementTrial:
    return StatementTrial("secret-7", "secret", "there is a dog", *PICTURES[:2], label, CLUSTERS)


def guess(answer: int = 2) -> GuessTrial:
    dialog = Dialog("a dog", (Turn("what color?", "brown"),))
    return GuessTrial("secret-7", "secret", dialog, Pool("pool", PICTURES), answer, CLUSTERS)


def choice(answer: int = 0) -> ChoiceTrial:
    return ChoiceTrial("secret-7", "secret", "which?", PICTURES[:1], ("a", "b"), answer, CLUSTERS)


TRIALS = [reference(), reference(direction="picture-to-text"), statement(), guess(), choice()]


def inside(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every field below a value, with its name."""
    yield name, value
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from inside(getattr(value, field.name), field.name)
        for extra, held in getattr(value, "__dict__", {}).items():
            yield from inside(held, extra)
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from inside(one)


@pytest.mark.parametrize("trial", TRIALS, ids=lambda t: type(t).__name__)
def test_no_view_holds_the_answer_or_an_id_that_tells_it(trial: Any) -> None:
    for name, value in inside(trial.view()):
        assert name not in {"label", "target", "item", "clusters", "group", "stratum"}
        assert name != "answer" or isinstance(value, str)  # of a dialog's turn
        if isinstance(value, str):
            assert "secret" not in value
            assert value != "t1"
    assert trial.view().id == opaque(trial.id)


@pytest.mark.parametrize(
    "trials",
    [
        [statement(True), statement(False)],
        [guess(i) for i in range(3)],
        [choice(i) for i in range(2)],
    ],
    ids=["statement", "guess", "choice"],
)
def test_views_of_other_answers_are_the_same(trials: list[Any]) -> None:
    assert len({repr(t.view()) for t in trials}) == 1


def test_a_reference_view_holds_one_side_of_its_target_only() -> None:
    forward, back = reference().view(), reference(direction="picture-to-text").view()
    assert (forward.texts, forward.pictures) == (TEXTS[1:2], PICTURES)
    assert (back.texts, back.pictures) == (TEXTS, PICTURES[1:2])
    assert forward.k == back.k == 3


def test_options_are_shown_in_the_order_asked_for() -> None:
    assert [p.source for p in reference().view().shown([2, 0, 1]).pictures] == ["p2", "p0", "p1"]
    back = reference(direction="picture-to-text").view().shown([2, 0, 1])
    assert [t.whole for t in back.texts] == ["thing 2", "thing 0", "thing 1"]
    assert back.pictures == PICTURES[1:2]
    assert choice().view().shown([1, 0]).options == ("b", "a")


def test_statements_answer_true_first() -> None:
    assert (statement(True).answer, statement(False).answer) == (0, 1)
    assert statement().view().k == 2
    assert guess().image == PICTURES[2]
    assert guess().view().k == 3


def test_a_description_prints_as_its_template_says() -> None:
    text = Description("ship", ("sail", "hull"), "published")
    assert str(text) == "a ship with a sail, and a hull"
    assert str(dataclasses.replace(text, template="plain")) == "ship with sail and hull"
    with pytest.raises(BadInput, match=r"no template 'other' \(known: plain, published\)"):
        str(Description("ship", (), "other"))


pictures = st.builds(
    Picture,
    st.text(max_size=3),
    st.text(max_size=3),
    st.none() | st.tuples(*[st.none() | st.integers(0, 6)] * 7),
    st.lists(st.sampled_from(["noise:raw:1", "noise:matched:2"]), max_size=2).map(tuple),
)


@given(pictures, pictures)
def test_keys_are_equal_exactly_for_equal_pictures(one: Picture, other: Picture) -> None:
    assert (one.key == other.key) == (one == other)


def test_the_key_of_a_picture_covers_every_field() -> None:
    base = Picture("a", "b")
    others = [
        Picture("c", "b"),
        Picture("a", "c"),
        Picture("a", "b", (0,) * 7),
        Picture("a", "b", None, ("noise:raw:1",)),
        BLANK,
    ]
    assert len({p.key for p in [base, *others]}) == 6
    assert len(dataclasses.fields(Picture)) == 4, "a new field must enter the key and this test"
    assert json.dumps(base.key)
