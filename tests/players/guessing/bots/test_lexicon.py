"""Words and their numbers."""

from __future__ import annotations

from deixis.players.guessing.bots.lexicon import PAD, Lexicon, joined, tokens


def test_numbers_as_in_the_released_code() -> None:
    """PAD 0, words from 1 with UNK among them, then START and END: words + 3 numbers in all."""
    made = Lexicon.of(["a dog ran", "a dog", "a cat"], 2)
    assert made.words == ("a", "dog", "UNK")
    assert (PAD, made.start, made.end, made.size) == (0, 4, 5, 6)
    assert made.encode("a cat, a dog", 4) == [1, 3, 3, 1]
    assert made.decode([1, 2, 5, 1]) == "a dog"
    assert made.decode([1, 0, 4, 3]) == "a UNK"


def test_marks_stand_alone_when_read_and_close_when_said() -> None:
    text = "can't tell, is it? no."
    assert tokens("ca n't tell") == ["ca", "n't", "tell"] or tokens("n't") == ["n't"]
    assert joined(tokens(text)) == text
