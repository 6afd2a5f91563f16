from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.text.tfidf import Tfidf, features

TEXTS = ["a red dog", "a dog", "red house", "a house"]


def test_features_of_a_text() -> None:
    found = features("Red dog dog")
    assert found["w:red"] == 1
    assert found["w:dog"] == pytest.approx(1 + np.log(2))
    assert found["p:red dog"] == found["p:dog dog"] == 1
    assert found["h:dog"] == 1
    assert "h:red" not in found
    assert found[" dog "] == found["og"] == 1, "a gram counts half, there are two"
    assert found[" red "] == 0.5


def test_weights_follow_the_formula() -> None:
    made = Tfidf.fit(TEXTS, least=2)
    assert "p:red dog" not in made.columns
    dog, a = made.columns["w:dog"], made.columns["w:a"]
    assert made.idf[dog] == pytest.approx(np.log(5 / 3) + 1)
    assert made.idf[a] == pytest.approx(np.log(5 / 4) + 1)
    row = made(["dog"]).toarray()[0]
    kept = {f: w for f, w in features("dog").items() if f in made.columns}
    expected = np.array([w * made.idf[made.columns[f]] for f, w in kept.items()])
    assert row[dog] == pytest.approx(made.idf[dog] / np.sqrt((expected**2).sum()))


@given(st.lists(st.text("ab c", max_size=8), max_size=6))
def test_rows_have_length_one_or_zero(texts: list[str]) -> None:
    rows = Tfidf.fit(["ab", "ab c"], least=1)(texts).toarray()
    assert rows.shape[0] == len(texts)
    for row in rows:
        assert np.linalg.norm(row) == pytest.approx(1) or not row.any()


def test_nothing_known_is_all_zero() -> None:
    made = Tfidf.fit(TEXTS)
    assert made(["xyz", ""]).nnz == 0
    assert Tfidf.fit([])(["dog"]).shape == (1, 0)
