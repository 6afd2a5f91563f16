from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from deixis.text.vocabulary import FUNCTION_WORDS, Vocabulary, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("  two  spaces ", ["two", "spaces"]),
        ("don't stop", ["don't", "stop"]),
        (
            "man/woman (left-hand side) & 2 dogs.",
            ["man", "woman", "left-hand", "side", "2", "dogs"],
        ),
        ("un café – l’été", ["un", "café", "l’été"]),
        ("-'-", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_counts_are_sorted_by_frequency_then_spelling() -> None:
    made = Vocabulary.of(["b a", "b c", "a"])
    assert made.counts == (("a", 2), ("b", 2), ("c", 1))
    assert made.types == ("a", "b", "c")
    assert Vocabulary.of([]).types == ()


def test_draws_follow_types_or_frequency() -> None:
    made = Vocabulary((("a", 8), ("b", 1), ("c", 1)))
    generator = np.random.default_rng(0)
    n = 20_000
    uniform = Counter(made.uniform(generator) for _ in range(n))
    unigram = Counter(made.unigram(generator) for _ in range(n))
    for word, share in (("a", 0.8), ("b", 0.1), ("c", 0.1)):
        assert uniform[word] / n == pytest.approx(1 / 3, abs=0.015)
        assert unigram[word] / n == pytest.approx(share, abs=0.015)


def test_function_words_are_lower_case() -> None:
    assert "the" in FUNCTION_WORDS
    assert "dog" not in FUNCTION_WORDS
    assert all(w == w.lower() for w in FUNCTION_WORDS)
