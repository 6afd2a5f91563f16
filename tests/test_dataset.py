from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Annotation, Dataset, fingerprint
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


def test_an_unknown_split_names_those_there_are() -> None:
    with pytest.raises(BadInput, match=r"toy has no split 'dev' \(known: train, test, small\)"):
        DATA.select("dev")


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_fingerprints_tell_contents_and_their_borders_apart(a: list[bytes], b: list[bytes]) -> None:
    assert (fingerprint(a) == fingerprint(b)) == (a == b)
