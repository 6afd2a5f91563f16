"""Any script is kept; nothing is stripped in silence."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.collect.trial import Refused
from deixis.collect.trial_types.texts import check_plain, check_text, normal


@pytest.mark.parametrize(
    "text", ["a heron", "Schwan", "лебедь", "白鳥", "हंस", "بجعة", "swan 2", "é", "x" * 200, "👍 ok"]
)
def test_texts_that_stand(text: str) -> None:
    check_text(text, "The name")
    assert normal(f"  {text} ") == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "letter or digit"),
        ("  ?! ", "letter or digit"),
        ("👍", "letter or digit"),
        ("x" * 201, "200 characters; this has 201"),
        ("a\x00b", r"U\+0000"),
        ("a\ud800b", r"U\+D800"),
        ("a\x1bb", r"U\+001B"),
    ],
)
def test_texts_that_cannot_stand(text: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        check_text(text, "The name")


@given(st.text())
def test_normal_form_is_stable_and_keeps_every_letter(text: str) -> None:
    assert normal(normal(text)) == normal(text)
    assert len(normal(text)) <= len(unicodedata.normalize("NFC", text))


def test_breaks_of_lines_may_stand_in_long_texts() -> None:
    check_plain("one\ntwo\tthree\r\n", "The answer")
