from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.interventions.texts import blank, drop, words
from deixis.text.vocabulary import Vocabulary
from deixis.text.vocabulary import words as words_of

TEXT = "the man's hat, left-handed: a bird."
texts = st.text("ab ,.'-", max_size=25)


def test_drop_and_blank(given_) -> None:
    assert drop(TEXT, given_()) == ""
    assert blank(TEXT, given_()) == "_ _ _, _: _ _."
    assert blank("", given_()) == ""


@given(texts, st.floats(0, 1), st.integers(0, 99))
def test_only_words_change_and_the_text_keeps_its_form(text: str, p: float, seed: int) -> None:
    from deixis.interventions.operator import Given

    vocabulary = Vocabulary((("xx", 1),))
    surroundings = Given(str(p), seed, ("t",), str, str, lambda: vocabulary)
    altered = words(text, surroundings)
    assert blank(altered, _plain(surroundings)) == blank(text, _plain(surroundings))
    assert len(words_of(altered)) == len(words_of(text))


def _plain(given):
    from dataclasses import replace

    return replace(given, argument="")


def test_no_probability_no_change_and_certainty_changes_all(given_) -> None:
    one = Vocabulary((("zzz", 1),))
    assert words(TEXT, given_("0")) == TEXT
    assert words(TEXT, given_("1", vocabulary=one)) == "zzz zzz zzz, zzz: zzz zzz."


def test_rates_are_as_asked_and_a_larger_dose_holds_the_smaller_one(given_) -> None:
    text = " ".join(f"w{i}" for i in range(4000))
    changed = {}
    for p in (0.2, 0.5, 0.8):
        altered = words_of(words(text, given_(str(p))))
        changed[p] = {i for i, w in enumerate(altered) if w != f"w{i}"}
        assert len(changed[p]) / 4000 == pytest.approx(p, abs=0.02)
    assert changed[0.2] < changed[0.5] < changed[0.8]


def test_draws_over_types_or_by_frequency(given_) -> None:
    text = "x " * 6000
    types = Counter(words_of(words(text, given_("1"))))
    unigram = Counter(words_of(words(text, given_("1:unigram"))))
    assert types["runs"] / 6000 == pytest.approx(0.25, abs=0.02)
    assert unigram["runs"] / 6000 == pytest.approx(0.05, abs=0.01)
    assert unigram["the"] / 6000 == pytest.approx(0.50, abs=0.02)


def test_words_of_a_donor_at_the_same_place(given_) -> None:
    lent = given_("1:position", donor="un deux trois")
    assert words("one two, three four", lent) == "un deux, trois un"
    assert words("one", given_("1:position", donor="")) == "_"


def test_content_words_alone(given_) -> None:
    one = Vocabulary((("zzz", 1),))
    altered = words("The man with a hat", given_("1:content", vocabulary=one))
    assert altered == "The zzz with a zzz"


def test_the_same_draw_whenever_it_is_made(given_) -> None:
    assert words(TEXT, given_("0.5")) == words(TEXT, given_("0.5"))
    many = {words(TEXT, given_("0.5", seed=s)) for s in range(20)}
    assert len(many) > 5


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("", "a probability from 0 to 1"),
        ("2", "a probability from 0 to 1"),
        ("0.5:nouns", "expected one of types, unigram, position, all, content, got 'nouns'"),
    ],
)
def test_wrong_arguments(given_, argument: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        words(TEXT, given_(argument))


def test_a_channel_without_words(given_) -> None:
    with pytest.raises(BadInput, match=r"the channel whole holds no words to draw from"):
        words("a", given_("1", vocabulary=Vocabulary(())))
