from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.interventions.condition import READERS, Intervention, parse_condition, show

names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
interventions = st.builds(
    Intervention,
    names,
    names,
    st.just("") | st.from_regex(r"[a-z0-9.:_-]{1,8}", fullmatch=True),
    st.none() | st.integers(0, 99),
    st.none() | st.sampled_from(READERS),
)


@given(interventions)
def test_an_intervention_is_read_as_it_is_written(one: Intervention) -> None:
    assert Intervention.parse(str(one)) == one


@given(st.lists(interventions, min_size=1, max_size=4).map(tuple))
def test_so_is_a_condition(condition: tuple[Intervention, ...]) -> None:
    assert parse_condition(show(condition)) == condition
    assert parse_condition(show(condition).replace(",", " , ")) == condition


def test_the_forms_of_the_contract() -> None:
    full = Intervention("answer", "words", "0.8:unigram", 5, "guesser")
    assert str(full) == "answer/guesser=words:0.8:unigram@5"
    assert str(Intervention("caption", "drop", since=0)) == "caption=drop@0"
    assert show(()) == ""


@pytest.mark.parametrize(
    "text",
    ["", "color", "color=", "=drop", "color:drop", "color=drop@", "color=drop@x", "color=drop@-1",
     "Color=drop", "color=dr op", "color/=drop", "color=drop,", ",", "color=drop@1@2"],
)  # fmt: skip
def test_what_is_no_intervention(text: str) -> None:
    with pytest.raises(BadInput, match=r"is no intervention: expected CHANNEL\[/READER\]="):
        parse_condition(text)


def test_an_unknown_reader() -> None:
    with pytest.raises(BadInput, match=r"no reader 'judge' \(known: player, questioner"):
        Intervention.parse("answer/judge=drop")
