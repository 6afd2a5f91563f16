"""Counting words of growing dialogs."""

from __future__ import annotations

import pickle

from deixis.text.bags import Bags


def test_words_of_all_texts_are_counted_together() -> None:
    bags = Bags.of(["A dog, a cat", "the Dog"])
    assert list(bags.columns) == ["a", "cat", "dog", "the"]
    rows = bags([["a dog", "dog dog"], [], ["unknown"]]).toarray()
    assert rows.tolist() == [[1, 0, 3, 0], [0] * 4, [0] * 4]


def test_the_most_frequent_are_known() -> None:
    assert list(Bags.of(["b b b a a c"], most=2).columns) == ["a", "b"]


def test_it_travels_without_what_it_remembers() -> None:
    bags = Bags(["a"])
    bags([["a a"]])
    again = pickle.loads(pickle.dumps(bags))
    assert again._known == {}
    assert again([["a a"]]).toarray().tolist() == [[2.0]]
