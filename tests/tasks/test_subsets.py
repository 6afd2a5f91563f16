from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deixis.dataset import Annotation, Dataset
from deixis.outcomes import score
from deixis.players.common.oracle import Oracle
from deixis.tasks.make import make
from deixis.tasks.pairs import pair
from deixis.tasks.see import views
from deixis.tasks.subsets import by_count, items, subsets
from deixis.tasks.task import Task

ANNOTATION = Annotation("t_0", "swan-001", "swan", ("a", "b", "c"), (0, 1, 2, 0, 0, 1, 2))


@pytest.fixture(scope="module")
def dev(kilogram: Dataset) -> Task:
    return make(kilogram.select("dev"), "kilogram:dev", contexts="subsets")


def test_all_subsets_of_an_annotation(world: Dataset) -> None:
    made = list(subsets("t_0", pair(world, ANNOTATION, "plain", 0), 0))
    assert [len(s.pair.text.parts) for s in made] == [0, 1, 1, 1, 2, 2, 2, 3]
    assert len({frozenset(s.pair.text.parts) for s in made}) == 8
    assert [s.id for s in made] == [f"t_0/{i}" for i in range(8)]
    assert {s.item for s in made} == {"t_0"}
    assert made[4].stratum == "2 of 3 parts"


def test_only_included_parts_are_colored_by_their_position(world: Dataset) -> None:
    for one in subsets("t_0", pair(world, ANNOTATION, "plain", 0), 0):
        parts, paint = one.pair.text.parts, one.pair.picture.paint
        if not parts:
            assert paint is None
            continue
        for piece, position in enumerate(paint):
            name = ANNOTATION.parts[ANNOTATION.pieces[piece]]
            assert (parts[position] == name) if position is not None else (name not in parts)


def test_the_order_within_a_subset_is_drawn(world: Dataset) -> None:
    made = pair(world, ANNOTATION, "plain", 0)
    last = [list(subsets("t_0", made, seed))[-1].pair.text.parts for seed in range(60)]
    assert len(set(last)) == 6
    assert list(subsets("t_0", made, 5)) == list(subsets("t_0", made, 5))


def test_a_lost_piece_map_stays_lost(world: Dataset) -> None:
    lost = replace(ANNOTATION, pieces=None)
    for one in subsets("t_0", pair(world, lost, "plain", 0), 0):
        assert one.pair.picture.paint is None


def test_as_many_as_upstream_made(kilogram: Dataset, data: Path, dev: Task) -> None:
    def power(split: str) -> int:
        records = kilogram.select(split).records.values()
        return sum(2 ** len(a.parts) for a in records)

    assert (power("dev"), power("dense"), power("dense10")) == (23_618, 69_678, 17_218)
    assert len(dev) == 23_604
    assert dict(dev.dropped) == {"no context of this size with as many parts": 14}


def test_they_are_the_texts_that_upstream_published(kilogram: Dataset, data: Path) -> None:
    """The published table of dev's power set, but for the order of parts within a text."""
    with gzip.open(data / "kilogram/new_dev_df.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    theirs = Counter()
    for row in rows:
        whole, *parts = row["annotation"].split("#")
        assert len(parts) == int(row["ann_num_parts"])
        theirs[row["tangram"], whole, frozenset(parts), int(row["full_ann_num_parts"])] += 1
    chosen = kilogram.select("dev")
    ours = Counter(
        (a.picture, a.whole, frozenset(s.pair.text.parts), s.full)
        for a in chosen.records.values()
        for s in subsets(a.id, pair(chosen, a, "plain", 0), 0)
    )
    assert ours == theirs


def test_contexts_meet_the_published_constraints(dev: Task) -> None:
    records = dev.dataset.records
    full_counts = {a.whole: set() for a in records.values()}
    for a in records.values():
        full_counts[a.whole].add(len(a.parts))
    for trial in dev.trials[::7]:
        assert len({p.source for p in trial.pictures}) == 10
        texts = {(t.whole, frozenset(t.parts)) for t in trial.texts}
        assert len(texts) == 10
        included, full = int(trial.stratum.split()[0]), int(trial.stratum.split()[2])
        assert {len(t.parts) for t in trial.texts} == {included}
        assert len(records[trial.item].parts) == full
        assert all(full in full_counts[t.whole] for t in trial.texts)


def test_same_included_and_same_full_count_make_a_group(world: Dataset) -> None:
    pool = [
        s
        for a in list(world.records.values())[:30]
        for s in subsets(a.id, pair(world, a, "plain", 0), 0)
    ]
    columns = items(pool)
    key = {(len(s.pair.text.parts), s.full): set() for s in pool}
    for s, group in zip(pool, columns.group.tolist(), strict=True):
        key[len(s.pair.text.parts), s.full].add(group)
    assert all(len(groups) == 1 for groups in key.values())
    assert len({next(iter(g)) for g in key.values()}) == len(key)


def test_the_figure_of_parts_given(world: Dataset) -> None:
    task = make(world, contexts="subsets", k=4)
    seen = views(task)
    table = by_count(score(task, Oracle(task).reply(seen)))
    assert all(value[0] == 1 for value in table.values())
    counts = Counter(len(a.parts) for a in world.records.values())
    for (full, included), (_, probability, n) in table.items():
        assert 0 <= included <= full
        assert n <= counts[full]
        assert np.isnan(probability), "a choice says nothing of probability"
    assert sorted(table) == list(table)


def test_a_mean_over_annotations_not_over_subsets(world: Dataset) -> None:
    task = make(world, contexts="subsets", k=4)
    outcomes = score(task, Oracle(task).reply(views(task)))
    chosen = next(s for s in outcomes.strata if s.startswith("1 of 3"))
    rows = np.flatnonzero(outcomes.strata == chosen)
    first = outcomes.items[rows[0]]
    wrong = np.where((outcomes.strata == chosen) & (outcomes.items == first), 0.0, outcomes.credit)
    n = len(set(outcomes.items[rows]))
    assert by_count(replace(outcomes, credit=wrong))[3, 1][0] == pytest.approx(1 - 1 / n)
