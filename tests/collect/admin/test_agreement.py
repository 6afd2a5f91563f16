"""Agreement, checked by hand."""

from __future__ import annotations

import pytest
from tests.collect.small import Session

from deixis.collect.admin.agreement import agreement, same_pairs


def test_pairs() -> None:
    assert same_pairs([]) is None
    assert same_pairs([["a"]]) is None
    assert same_pairs([["a", "a"], ["a", "b", "c"]]) == 0.5


def test_of_games(played: Session) -> None:
    rows = played.store.read(agreement, played.running)
    assert [(r["of"], r["answers"], r["right"]) for r in rows] == [
        ("parts, color", 0, None),
        ("whole, black", 0, None),
    ]
    for i in range(8):
        played.arrives(f"p{i}").finishes()
    rows = played.store.read(agreement, played.running)
    assert [r["answers"] for r in rows] == [16, 16]
    assert all(r["right"] > 0.5 and r["same"] > 0.5 and r["seconds"] > 0 for r in rows)


def test_of_annotations(named: Session) -> None:
    (none,) = named.store.read(agreement, named.running)
    assert none == {"of": "annotations", "answers": 0, "same": None, "pieces": None}
    for i in range(3):
        named.arrives(f"p{i}").finishes()
    (row,) = named.store.read(agreement, named.running)
    assert row["answers"] == 6
    assert row["same"] == pytest.approx(row["same"])
    assert 1 <= row["pieces"] <= 7
