"""What an answer's writing means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.datasets.tables.answers import Written, read
from deixis.errors import BadInput

LETTERS = ["cat", "dog", "cow"]


def written(*values: object, options: list[str] | None = None, **more: object) -> list[Written]:
    return [
        Written(f"r{i}", v, options or LETTERS, **more)  # type: ignore[arg-type]
        for i, v in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("values", "positions"),
    [
        (("A", "(B)", "c."), [0, 1, 2]),
        (("cat", "DOG ", "Cow"), [0, 1, 2]),
        ((0, 1, 2), [0, 1, 2]),
        (("1", "3"), [0, 2]),
        ((0.0, 2.0), [0, 2]),
    ],
)
def test_found_out(values: tuple[object, ...], positions: list[int]) -> None:
    assert read(written(*values)) == positions


def test_columns_name_options() -> None:
    columns = ("first", "second")
    found = read(written("second", "first", options=["x", "y"], columns=columns))
    assert found == [1, 0]


def test_disagreement_has_to_be_settled() -> None:
    with pytest.raises(BadInput, match="option 1 by index and option 0 by number: say which"):
        read(written(1, 2))
    assert read(written(1, 2), "index") == [1, 2]
    assert read(written(1, 2), "number") == [0, 1]
    with pytest.raises(BadInput, match="by text and option"):
        read(written("1", "0", options=["1", "0"]))


def test_no_option() -> None:
    with pytest.raises(BadInput, match="r1: the answer 'E' is, by letter, none of 'cat'"):
        read(written("A", "E", "B"))
    with pytest.raises(BadInput, match="r0: there is no answer"):
        read(written(None))
    with pytest.raises(BadInput, match="by index"):
        read(written(3), "index")


@given(st.lists(st.integers(0, 2), min_size=1), st.sampled_from(["letter", "index", "text"]))
def test_every_writing_is_read_back(positions: list[int], how: str) -> None:
    spell = {"letter": "ABC", "index": "012", "text": LETTERS}[how]
    assert read(written(*(spell[p] for p in positions)), how) == positions
