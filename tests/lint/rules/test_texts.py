"""Rules on texts: encoding, near texts, conflicts."""

from __future__ import annotations

import pytest

from deixis.dataset import Choice
from deixis.lint.rules.conflicts import conflicts
from deixis.lint.rules.encoding import encoding
from deixis.lint.rules.near_texts import near_texts


@pytest.mark.parametrize(
    ("text", "severity", "what"),
    [
        ("", "error", "is empty"),
        ("  ", "error", "is empty"),
        ("cafÃ© au lait", "error", "decoded wrongly"),
        ("it\u00e2\u20ac\u2122s", "error", "decoded wrongly"),
        ("a \ufffd b", "error", "decoded wrongly"),
        ("a\x00b", "error", "control character"),
        ("a\u200bb", "error", "control character"),
        ("black &amp; white", "warning", "HTML entity"),
        ("cafe\u0301", "note", "composed form"),
        (" a dog", "note", "blanks at an end"),
        ("a  dog", "note", "double space"),
    ],
)
def test_damaged_texts(statement, dataset, found, text: str, severity: str, what: str) -> None:
    made = found(encoding, dataset([statement(0, sentence=text), statement(1)]))
    assert any(f.severity == severity and what in f.message for f in made), made
    assert all(f.ids == ["s0"] for f in made)


def test_sound_texts(statement, dataset, found) -> None:
    texts = ["Il fait très beau.", "œuvre & co", "naïve Ångström", "5 < 7", "Âge"]
    records = [statement(i, sentence=t) for i, t in enumerate(texts)]
    assert found(encoding, dataset(records)) == []


def test_options_of_choices_are_texts_too(dataset, found) -> None:
    one = Choice("c", "Which?", ("p",), ("a dog", ""), 0, ("picture", "p"))
    (made,) = found(encoding, dataset([one], kind="choice"))
    assert made.evidence["role"] == "option"


def splits(records, at: int) -> dict[str, list[str]]:
    ids = [r.id for r in records]
    return {"train": ids[:at], "test": ids[at:]}


def test_texts_in_two_splits(statement, dataset, found) -> None:
    records = [
        statement(0, sentence="There are two dogs here."),
        statement(1, sentence="A cat."),
        statement(2, sentence="there are two dogs, here"),
        statement(3, sentence="a cat"),
        statement(4, sentence="There are three dogs here."),
        statement(5, sentence="Nothing like the others at all."),
    ]
    made = found(near_texts, dataset(records, splits(records, 2)))
    equal, near = made
    assert (equal.severity, equal.evidence["texts"], equal.evidence["long_texts"]) == (
        "warning",
        2,
        1,
    )
    assert set(equal.ids) == {"s0", "s1", "s2", "s3"}
    assert (near.severity, near.evidence["pairs"]) == ("note", 1)
    assert near.ids == ["s0", "s4"] or set(near.ids) == {"s0", "s4"}


def test_texts_within_a_split_may_recur(statement, dataset, found) -> None:
    records = [statement(i, sentence="There are two dogs here.") for i in range(3)]
    assert found(near_texts, dataset(records)) == []
    nested = {"all": [r.id for r in records], "part": ["s0"]}
    assert found(near_texts, dataset(records, nested)) == [], "a part is no other split"


def test_equal_questions_with_different_answers(statement, dataset, found) -> None:
    same = {"sentence": "It is big.", "pictures": (("p", ""),)}
    records = [
        statement(0, **same, label=True),
        statement(1, **{**same, "sentence": "it is  big."}, label=False),
        statement(2, sentence="It is big.", label=True),
    ]
    (made,) = found(conflicts, dataset(records))
    assert (made.severity, made.ids) == ("error", ["s0", "s1"])
    assert found(conflicts, dataset(records[1:])) == [], "of another picture"


def test_equal_questions_of_a_table(dataset, found) -> None:
    def choice(number: int, answer: int, options: tuple[str, ...] = ("yes", "no")) -> Choice:
        return Choice(f"c{number}", "Is it?", ("p",), options, answer, ("picture", "p"))

    (made,) = found(conflicts, dataset([choice(0, 0), choice(1, 1)], kind="choice"))
    assert made.evidence["answers"] == ["no", "yes"]
    assert found(conflicts, dataset([choice(0, 0), choice(1, 0)], kind="choice")) == []
    asked = [choice(0, 0), choice(1, 0, ("no", "never"))]
    assert found(conflicts, dataset(asked, kind="choice")) == [], "of other options"


def test_in_games_the_picture_is_the_answer(kilogram, found) -> None:
    (made,) = found(conflicts, kilogram.select("dense"))
    assert made.severity == "note"
    assert len(made.pictures) > 1
