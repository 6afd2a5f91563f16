"""Exchanging yes and no."""

from __future__ import annotations

from typing import Any

import pytest

from deixis.errors import BadInput
from deixis.interventions.negation import denied, negate
from deixis.interventions.operator import Given
from deixis.text.vocabulary import Vocabulary


def given(argument: str = "") -> Given:
    nothing: Any = lambda: None  # noqa: E731
    return Given(argument, 0, ("t", "answer", "0"), nothing, nothing, lambda: Vocabulary(()))


@pytest.mark.parametrize(
    ("text", "exact", "first", "whole"),
    [
        ("yes", "no", "no", "no"),
        ("No .", "Yes .", "Yes .", "Yes ."),
        ("YES!", "NO!", "NO!", "NO!"),
        ("yes, it is", "yes, it is", "no, it is", "no, it is not"),
        (
            "No , there are no people .",
            "=",
            "Yes , there are no people .",
            "Yes , there are people .",
        ),
        ("no, it isn't", "=", "yes, it isn't", "yes, it is"),
        ("No , I ca n't see any .", "=", "Yes , I ca n't see any .", "Yes , I can see any ."),
        ("yes on the left", "=", "no on the left", "no not on the left"),
        ("i think yes", "=", "=", "="),
        ("yesterday", "=", "=", "="),
        ("nope", "=", "=", "="),
        ("", "=", "=", "="),
    ],
)
def test_three_ways(text: str, exact: str, first: str, whole: str) -> None:
    expected = {"": exact, "exact": exact, "first": first, "whole": whole}
    for argument, wanted in expected.items():
        assert negate(text, given(argument)) == (text if wanted == "=" else wanted)


def test_twice_is_the_text_again() -> None:
    for text in ("yes", "No .", "no, it is", "yes, they are red"):
        assert negate(negate(text, given("first")), given("first")) == text


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (" i won't", " i will"),
        (", they don’t", ", they do"),
        (" it's not", " it's"),
        (" not at all", " at all"),
        (" none", " some"),
        (" i see 2", " not i see 2"),
    ],
)
def test_denied_phrases(phrase: str, expected: str) -> None:
    assert denied(phrase) == expected


def test_no_other_way() -> None:
    with pytest.raises(BadInput, match="expected one of exact, first, whole, got 'all'"):
        negate("yes", given("all"))
