"""Misspelt words of statements, as NLVR has them."""

from __future__ import annotations

import pytest

from deixis.text.spelling import tokens


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("There is atleast one sqaure", "there is at least one square"),
        ("a box with yelow and bleu items", "a box with yellow and blue items"),
        ("triagle touching the egde", "triangle touching the edge"),
        ("2 towers of different colour", "2 towers of different color"),
        ("closely touching", "touching"),
        ("a zebra", "a zebra"),
        ("", ""),
    ],
)
def test_nearest_words(written: str, read: str) -> None:
    assert " ".join(tokens(written)) == read
