from __future__ import annotations

import pytest

from deixis.errors import BadInput


def test_numbers_within_a_range(given_) -> None:
    assert given_("0.25:types").number("a probability", 0, 1) == 0.25
    for text in ("", "x", "-0.1", "1.1", "nan", "inf", "types:0.5"):
        with pytest.raises(BadInput, match=r"expected a probability from 0 to 1, got"):
            given_(text).number("a probability", 0, 1)


def test_counts_are_whole_and_stand_alone(given_) -> None:
    assert given_("7").count("a number of parts", 7) == 7
    for text in ("", "8", "-1", "2.5", "2:3", "²"):
        with pytest.raises(BadInput, match=r"expected a number of parts from 0 to 7, got"):
            given_(text).count("a number of parts", 7)


def test_options_are_those_allowed(given_) -> None:
    assert given_("0.5:raw:per-trial").options("raw", "per-trial") == ["raw", "per-trial"]
    assert given_("").options("raw") == []
    assert given_("1e-3").options("raw") == []
    with pytest.raises(BadInput, match=r"expected one of raw, got '3'"):
        given_("0.5:3").options("raw")
    with pytest.raises(BadInput, match=r"expected one of raw, matched, got 'grey'"):
        given_("grey").options("raw", "matched")


@pytest.mark.parametrize("argument", ["3", "0.5", "x", ":"])
def test_an_operator_without_options_takes_no_argument(given_, argument: str) -> None:
    with pytest.raises(BadInput, match=r"expected no argument, got"):
        given_(argument).options()


def test_draws_depend_on_seed_and_place(given_) -> None:
    def drawn(**more) -> int:
        return int(given_(**more).generator().integers(2**60))

    assert drawn() == drawn()
    assert len({drawn(), drawn(seed=1), drawn(place=("t2", "whole", "0"))}) == 3
    named = given_(place=("t2",)).generator("paint", "k"), given_().generator("paint", "k")
    assert named[0].random() == named[1].random()
