"""Layouts: written, read, put together, and only those that make sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.text.layout import MODULES, THINGS, TRUTH, Layout, allowed, assemble, push

WORDS = st.sampled_from(("", "blue", "exactly two", "left wall"))


@st.composite
def plans(draw: st.DrawFn) -> tuple[str, ...]:
    """Plans made step by step from what is allowed."""
    limit = draw(st.integers(2, 12))
    plan, stack = [], ()
    while len(plan) < limit and not (stack == (TRUTH,) and draw(st.booleans())):
        ways = allowed(stack, limit - len(plan))
        if not ways:
            break
        plan.append(draw(st.sampled_from(ways)))
        stack = push(stack, plan[-1])
        assert stack is not None
    return tuple(plan)


@given(plans(), st.data())
def test_whatever_is_allowed_becomes_a_layout(plan: tuple[str, ...], data: st.DataObject) -> None:
    words = tuple(data.draw(WORDS) for _ in plan)
    layout = assemble(plan, words)
    assert layout is not None
    assert layout.plan == plan
    assert Layout.parse(str(layout)) == layout
    assert layout.gives == TRUTH


@pytest.mark.parametrize("plan", [(), ("find",), ("exist",), ("find", "find", "exist")])
def test_plans_that_make_no_truth(plan: tuple[str, ...]) -> None:
    assert assemble(plan) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("frob(find)", "there is no module 'frob'"),
        ("exist(exist(find))", "exist takes things, here it gets truth"),
        ("find(find)", "find takes nothing, here it gets things"),
        ("exist", "exist takes things, here it gets nothing"),
        ("exist[blue](find)", "exist reads no words"),
        ("exist(find", "expected , or \\) after find"),
        ("exist(find) x", "ends before 'x'"),
        ("(find)", "expected a module before"),
    ],
)
def test_what_is_no_layout(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        Layout.parse(text)


def test_what_may_come_next() -> None:
    assert allowed((), 1) == []
    assert allowed((), 2) == ["find"]
    assert set(allowed((THINGS,), 1)) == {
        name for name, (takes, gives, _) in MODULES.items() if (takes, gives) == ((THINGS,), TRUTH)
    }
    assert push((THINGS,), "more") is None
