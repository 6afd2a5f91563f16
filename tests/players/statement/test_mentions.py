"""What is taken from sentences."""

from __future__ import annotations

from deixis.players.statement.facts import PLACES, filter_code
from deixis.players.statement.mentions import Mention, read, slots_of


def first(sentence: str) -> Mention:
    return read(sentence).mentions[0]


def place(sentence: str) -> tuple[str, bool]:
    mention = first(sentence)
    return PLACES[mention.place], mention.off


def test_slots() -> None:
    texts = [s.text for s in slots_of("Exactly 3 boxes have atleast one small Yellow circle.")]
    assert texts == ["exactly", "N", "B", "have", "at", "least", "N", "Z", "C", "S"]
    assert [s.text for s in slots_of("each grey square")] == ["each", "B"]


def test_numbers_and_their_things() -> None:
    mention = first("There are exactly two small yellow circles and a square")
    assert mention.number == 2
    assert mention.filter == filter_code(color=2, shape=2, size=1)
    several = read("There is a box with two circles and three black squares").mentions
    assert [(m.number, m.filter) for m in several[:3]] == [
        (1, filter_code()),
        (2, filter_code(shape=2)),
        (3, filter_code(color=1, shape=1)),
    ]


def test_places() -> None:
    assert place("There is a circle touching the right wall") == ("at the right", False)
    assert place("There are two circles not touching any edge") == ("at a wall", True)
    assert place("There is a tower with a black block at the base") == ("lowest", False)
    assert place("There is a black block touching the base of a box") == ("at the bottom", False)
    assert first("There is a black block").place == -1


def test_negation_turns_the_sentence() -> None:
    negated, plain = read("There is no black block"), read("There is a black block")
    assert negated.negated
    assert not plain.negated
    assert negated.mentions == plain.mentions
    assert not read("There is a box with no black item").negated


def test_pairs_in_order() -> None:
    (pair,) = read("There is a blue block above a black block").related
    assert (pair.first, pair.second) == (3 * 4, 1 * 4)
    assert "&above" in pair.contexts


def test_numbers_of_the_box_of_a_thing() -> None:
    sized = read("There is a black block as the base of a tower with four blocks").sized
    found = [(s.number, s.hues, s.mention.filter) for s in sized]
    assert (4, False, filter_code(color=1)) in found
    sized = read("There is a box with a blue item and exactly 2 different colors").sized
    assert (2, True, filter_code(color=3)) in [(s.number, s.hues, s.mention.filter) for s in sized]


def test_patterns_do_not_depend_on_content() -> None:
    one = read("There are two yellow circles at the top")
    other = read("There are three black squares at the base")
    assert one.mentions[0].contexts[0] == other.mentions[0].contexts[0]
    contexts = [c for c in one.mentions[0].contexts if "yellow" in c or "two" in c]
    assert not contexts


def test_an_empty_sentence_mentions_nothing() -> None:
    found = read("")
    assert (found.mentions, found.related, found.sized) == ((), (), ())
    assert found.contexts == ("<", ">", "< >")
