"""Pictures known by their vectors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deixis.errors import BadInput
from deixis.pictures.vectors import NameStore, Vectors, VectorStore
from deixis.trials import BLANK


def store() -> VectorStore:
    table = np.array([[3, 4, 0], [0, 0, 2], [3, 4, 0]], np.float32)
    return VectorStore(["a", "b", "c"], table, "by hand")


def test_vectors_by_name_and_equal_vectors_have_equal_content() -> None:
    made = store()
    a, b, c = (made.picture(n) for n in "abc")
    assert made.vectors([b, a]).tolist() == [[0, 0, 2], [3, 4, 0]]
    assert a.content == c.content != b.content
    assert a.key != c.key
    assert "a" in made
    assert "d" not in made
    assert made.dimensions == 3
    assert isinstance(made, Vectors)


def test_edits_leave_the_store_as_it_was() -> None:
    made = store()
    a = made.picture("a")
    raw, matched, mean = (
        replace(a, edits=(e,)) for e in ("noise:raw:5", "noise:matched:5", "mean")
    )
    values = made.vectors([raw, matched, mean, BLANK, a])
    assert (values[0] >= 0).all()
    assert (values[0] < 1).all()
    assert np.linalg.norm(values[1]) == pytest.approx(5)
    assert np.allclose(values[0] / np.linalg.norm(values[0]), values[1] / 5)
    assert values[2].tolist() == pytest.approx([2, 8 / 3, 2 / 3])
    assert values[3].tolist() == [0, 0, 0]
    assert values[4].tolist() == [3, 4, 0]


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(BadInput, match="by hand: 2 rows for 1 pictures"):
        VectorStore(["a"], np.zeros((2, 2), np.float32), "by hand")
    with pytest.raises(BadInput, match="picture a stands there twice"):
        VectorStore(["a", "a"], np.zeros((2, 2), np.float32))
    with pytest.raises(BadInput, match="no vector of picture 'z'"):
        store().picture("z")
    with pytest.raises(BadInput, match="there are no pixels"):
        store().pixels(store().picture("a"))
    with pytest.raises(BadInput, match="cannot be edited by 'blur'"):
        store().vectors([replace(store().picture("a"), edits=("blur",))])


def test_names_alone() -> None:
    made = NameStore(["a"], "visdial")
    assert not isinstance(made, Vectors)
    with pytest.raises(BadInput, match="visdial: picture a is known by its name alone"):
        made.pixels(made.picture("a"))
