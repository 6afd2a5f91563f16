from __future__ import annotations

import pytest

from deixis.errors import BadInput
from deixis.interventions import names
from deixis.text.vocabulary import Vocabulary

PARTS = ("head", "left wing", "tail")


def test_each_operator(given_) -> None:
    assert names.drop(PARTS, given_()) == ()
    assert names.blank(PARTS, given_()) == ("_", "_ _", "_")
    assert names.rotate(PARTS, given_()) == ("left wing", "tail", "head")
    assert names.rotate((), given_()) == ()
    assert names.keep(PARTS, given_("2")) == PARTS[:2]
    assert names.keep(PARTS, given_("0")) == ()
    assert names.keep(PARTS, given_("7")) == PARTS


def test_every_name_has_draws_of_its_own(given_) -> None:
    altered = names.words(("a b c d",) * 4, given_("0.5"))
    assert len(set(altered)) > 1
    assert all(len(n.split()) == 4 for n in altered)
    one = Vocabulary((("zzz", 1),))
    assert names.words(PARTS, given_("1", vocabulary=one)) == ("zzz", "zzz zzz", "zzz")


def test_names_of_a_donor_at_the_same_place(given_) -> None:
    lent = given_("1:position", donor=("un", "deux trois"))
    assert names.words(PARTS, lent) == ("un", "deux trois", "un")
    assert names.words(("head",), given_("1:position", donor=())) == ("_",)


def test_wrong_arguments(given_) -> None:
    with pytest.raises(BadInput, match=r"expected a number of parts from 0 to 7, got 'all'"):
        names.keep(PARTS, given_("all"))
    with pytest.raises(BadInput, match=r"expected no argument, got '2'"):
        names.rotate(PARTS, given_("2"))
