from __future__ import annotations

import pytest

from deixis.text.phenomena import PHENOMENA, phenomena
from deixis.text.reasoning import REASONING, reasoning


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("There are exactly two beakers.", "hard cardinality, existential quantifier"),
        ("There is at most one owl.", "soft cardinality, existential quantifier"),
        ("In one image a duck eats.", ""),
        ("One of the ducks eats.", "hard cardinality, presupposition"),
        ("Three or more owls sleep.", "soft cardinality"),
        ("All of the owls sit on a wall.",
         "universal quantifier, presupposition, spatial relation"),
        ("An all-white owl sleeps.", ""),
        ("An owl, a duck or a hen.", "coordination"),
        ("An owl opens its beak.", "coreference"),
        ("The left image shows a duck behind a hen.", "spatial relation"),
        ("The duck in the image on the right sleeps.", "presupposition"),
        ("The left and right image contains the same number of owls.",
         "coordination, comparison"),
        ("A duck isn't asleep.", "negation"),
        ("There are no fewer than two owls.", "soft cardinality, existential quantifier"),
    ],
)  # fmt: skip
def test_rules(sentence: str, found: str) -> None:
    assert phenomena(sentence) == {f for f in found.split(", ") if f}


def test_definite_of_what_was_named_presupposes_nothing() -> None:
    assert "presupposition" not in phenomena("A duck sees an owl and the owl sees the duck.")
    assert "presupposition" in phenomena("A duck sees the owl.")


def test_blanks_change_nothing() -> None:
    assert phenomena("There  are   at  least two owls.") == phenomena(
        "There are at least two owls."
    )
    assert phenomena("") == frozenset()
    assert len(PHENOMENA) == 13


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("There are more owls in the image on the left.", "compares the two pictures"),
        ("The left and right image contains the same number of owls.", "compares the two pictures"),
        ("Both images show owls.", "holds in both pictures"),
        ("The right image shows an owl.", "holds in the left or in the right picture"),
        ("In at least one image there is an owl.", "holds in at least one picture"),
        ("The left and right image contains a total of two owls.",
         "states a property of the pair"),
        ("Two owls sleep.", "states a property of the pair"),
    ],
)  # fmt: skip
def test_pair_reasoning(sentence: str, kind: str) -> None:
    assert reasoning(sentence) == kind
    assert kind in REASONING
