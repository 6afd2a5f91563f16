from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Annotation, Dataset, Irregularity, fingerprint
from deixis.errors import BadInput
from deixis.pictures.store import ArrayStore

RECORDS = {i: Annotation(i, i, "x", (), None) for i in "abc"}
DATA = Dataset(
    "toy",
    "reference",
    {"train": ("a", "b"), "test": ("c",), "small": ("b",)},
    RECORDS,
    ArrayStore({}),
)


def test_select_keeps_the_records_of_the_splits() -> None:
    assert DATA.select() is DATA
    chosen = DATA.select("small", "test")
    assert list(chosen.records) == ["b", "c"]
    assert chosen.splits == {"small": ("b",), "test": ("c",)}
    assert len(chosen) == 2
    assert len(DATA) == 3


def test_a_record_of_two_splits_is_there_once() -> None:
    assert list(DATA.select("train", "small").records) == ["a", "b"]


def test_what_was_odd_of_other_records_is_left_behind() -> None:
    met = (
        Irregularity("odd", ("a", "c"), "f"),
        Irregularity("very odd", ("a",), "f"),
        Irregularity("a list names what is not there", ("ghost",), "f"),
    )
    chosen = replace(DATA, irregularities=met).select("test")
    assert [(i.what, i.ids) for i in chosen.irregularities] == [
        ("odd", ("c",)), ("a list names what is not there", ("ghost",)),
    ]  # fmt: skip


def test_a_split_that_names_no_record() -> None:
    broken = replace(DATA, splits={"train": ("a", "ghost")})
    with pytest.raises(BadInput, match="toy: split 'train' names 'ghost', which is no record"):
        broken.select("train")


def test_an_unknown_split_names_those_there_are() -> None:
    with pytest.raises(BadInput, match=r"toy has no split 'dev' \(known: train, test, small\)"):
        DATA.select("dev")


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_fingerprints_tell_contents_and_their_borders_apart(a: list[bytes], b: list[bytes]) -> None:
    assert (fingerprint(a) == fingerprint(b)) == (a == b)
