"""spaCy's parses as trees."""

from __future__ import annotations

import pytest

from deixis.text.dependencies import parsed
from deixis.text.treelayout import layout_of


def test_words_stay_in_order() -> None:
    sentence = "There are exactly two dogs on the sofa in the left image."
    assert parsed(sentence).words == [*sentence[:-1].lower().split(), "."]


@pytest.mark.parametrize(
    ("sentence", "layout"),
    [
        ("There is a yellow circle.", "exist(find[yellow circle])"),
        ("There are at least two dogs.", "count[at least two](find[dogs])"),
        (
            "The left image contains two dogs.",
            "count[exactly two](filter[left image](find[dogs]))",
        ),
        ("There is no cat.", "not(exist(find[cat]))"),
    ],
)
def test_layouts(sentence: str, layout: str) -> None:
    assert str(layout_of(parsed(sentence))) == layout
