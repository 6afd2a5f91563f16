from __future__ import annotations

import hashlib
import json

from deixis.runs.cell import Cell
from deixis.seeds import Seeds

CELL = Cell("linear", "abc", "color=drop", Seeds(order=1), "parts=drop")


def test_a_cells_name_is_the_hash_of_its_canonical_form() -> None:
    expected = (
        '{"condition":"color=drop","player":"linear","revision":"abc","seeds":{"contexts":0,'
        '"operator":0,"order":1,"training":0},"trained":"parts=drop"}'
    )
    assert CELL.canonical == expected
    assert CELL.digest == hashlib.sha256(expected.encode()).hexdigest()[:16]


def test_every_field_matters() -> None:
    fields = json.loads(CELL.canonical)
    others = [
        Cell("other", "abc", "color=drop", Seeds(order=1), "parts=drop"),
        Cell("linear", "abd", "color=drop", Seeds(order=1), "parts=drop"),
        Cell("linear", "abc", "", Seeds(order=1), "parts=drop"),
        Cell("linear", "abc", "color=drop", Seeds(order=2), "parts=drop"),
        Cell("linear", "abc", "color=drop", Seeds(order=1), ""),
    ]
    assert len(fields) == len(others)
    assert len({c.digest for c in [CELL, *others]}) == 6
