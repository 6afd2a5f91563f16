from __future__ import annotations

import os
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from deixis.errors import BadInput
from deixis.outcomes import Outcomes, score
from deixis.replies import STATUSES, Replies
from deixis.runs.cell import Cell
from deixis.runs.columns import read, write
from deixis.seeds import Seeds
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.trials import opaque

CELL = Cell("p", "1")


def same(one: Outcomes, other: Outcomes) -> None:
    for field in fields(Outcomes):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray) and a.dtype.kind == "f":
            assert np.array_equal(a, b, equal_nan=True), field.name
        elif isinstance(a, np.ndarray):
            assert a.tolist() == b.tolist(), field.name
            assert a.dtype.kind == b.dtype.kind, field.name
        else:
            assert a == b, field.name


@pytest.fixture
def played(games: Task) -> Outcomes:
    task = games.do("color=drop").reseed(Seeds(1, 2, 3, 4))
    seen = views(task)
    generator = np.random.default_rng(0)
    replies = Replies.scored(seen, generator.normal(size=(len(seen), 10)) * 1e-7)
    status = generator.integers(0, len(STATUSES), len(seen)).astype(np.uint8)
    raw = tuple(None if i % 3 else f"text “{i}”\n" for i in range(len(seen)))
    return score(
        task, replace(replies, status=status, raw=raw, seconds=generator.random(len(seen)))
    )


def test_what_is_written_is_read_back_to_the_last_bit(played: Outcomes, tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", CELL, played)
    same(read(tmp_path / "a.parquet"), played)


def test_outcomes_of_choices_and_of_pools(games: Task, tmp_path: Path) -> None:
    some = games.limit(3)
    chosen = score(some, Replies.chosen(views(some), [1, None, 0]))
    ids = tuple(opaque(t.id) for t in some.trials)
    top = np.array([[3, 1], [0, -1], [2, 5]])
    pool = Replies(ids, np.zeros(3, np.uint8), rounds=np.array([0, 1, 1]), ranks=np.ones(3) * 1.5,
                   ties=np.array([2, 2, 1]), sizes=np.array([9, 9, 9]), top=top)  # fmt: skip
    for outcomes in (chosen, score(some, pool)):
        write(tmp_path / "a.parquet", CELL, outcomes)
        same(read(tmp_path / "a.parquet"), outcomes)


def test_statuses_stand_there_by_name_and_the_cell_in_the_header(
    played: Outcomes, tmp_path: Path
) -> None:
    write(tmp_path / "a.parquet", CELL, played)
    table = parquet.read_table(tmp_path / "a.parquet")
    assert set(table["status"].to_pylist()) <= set(STATUSES)
    assert table.schema.metadata[b"cell"].decode() == CELL.canonical
    assert table.schema.metadata[b"condition"] == b"color=drop"


def test_a_cell_is_written_whole_or_not_at_all(
    played: Outcomes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", die)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "a.parquet", CELL, played)
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_no_cells(played: Outcomes, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write(path, CELL, played)
    whole = path.read_bytes()
    other = pa.table({"a": [1]})
    for damage in (b"", b"no", whole[: len(whole) // 2], None):
        if damage is None:
            parquet.write_table(other, path)
        else:
            path.write_bytes(damage)
        with pytest.raises(BadInput, match=r"a\.parquet: not a cell of a run"):
            read(path)
    write(path, CELL, played)
    table = parquet.read_table(path)
    parquet.write_table(table.drop_columns(["credit"]), path)
    with pytest.raises(BadInput, match=r"a\.parquet: not a cell of a run: .*credit"):
        read(path)
