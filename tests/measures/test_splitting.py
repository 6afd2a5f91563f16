from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Annotation, Dataset
from deixis.errors import BadInput
from deixis.measures.splitting import STRATA, deal, split
from deixis.pictures.vectors import NameStore
from deixis.sources import load

SHARES = {"train": 0.7, "dev": 0.15, "test": 0.15}


def figures(n: int = 60, workers: int = 30) -> Dataset:
    """Five annotations of each picture, each worker of a few pictures next to each other."""
    records = {}
    for p in range(n):
        for k in range(5):
            parts = tuple(f"part {i}" for i in range(1 + p % 4))
            one = Annotation(
                f"f{p}_{k}", f"f{p}", f"thing {p}", parts, None, worker=f"w{(p // 2) % workers}"
            )
            records[one.id] = one
    names = tuple(f"f{p}" for p in range(n))
    return Dataset("f", "reference", {"all": tuple(records)}, records, NameStore(names, "f"))


def test_pictures_are_not_divided_and_shares_are_kept() -> None:
    made = split(figures(), SHARES)
    assert [len(ids) for ids in made.records.values()] == [210, 45, 45]
    sides = [set(p) for p in made.pictures.values()]
    assert set.union(*sides) == {f"f{p}" for p in range(60)}
    assert sum(map(len, sides)) == 60
    assert made.bundles == 60
    assert made == split(figures(), SHARES)
    assert made != split(figures(), SHARES, seed=1)


def test_strata_are_balanced() -> None:
    made = split(figures(), SHARES, stratum=STRATA["parts"])
    for third in ("low", "middle", "high"):
        counts = [made.strata[s][third] for s in SHARES]
        assert counts == [70, 15, 15]


def test_near_pictures_stay_on_one_side() -> None:
    near = [("f0", "f1"), ("f1", "f2"), ("f10", "f59"), ("f3", "no picture of any record")]
    made = split(figures(), SHARES, near=near)
    for group in (("f0", "f1", "f2"), ("f10", "f59")):
        assert any(set(group) <= set(p) for p in made.pictures.values())
    assert made.bundles == 57


def test_annotators_stay_on_one_side() -> None:
    dataset = figures()
    made = split(dataset, SHARES, annotators="together")
    homes: dict[str, set[str]] = {}
    for name, ids in made.records.items():
        for i in ids:
            homes.setdefault(dataset.records[i].worker, set()).add(name)
    assert all(len(h) == 1 for h in homes.values())
    assert made.left_out == ()
    assert made.bundles == 30


def test_annotators_of_everything_are_cut_by_leaving_out(kilogram: Dataset) -> None:
    dense = kilogram.select("dense")
    with pytest.raises(BadInput, match=r"3,971 of 3,971 records must stay together.*drop those"):
        split(dense, SHARES, annotators="together")
    made = split(dense, SHARES, annotators="drop")
    homes: dict[str, set[str]] = {}
    for name, ids in made.records.items():
        for i in ids:
            homes.setdefault(dense.records[i].worker, set()).add(name)
    assert all(len(h) == 1 for h in homes.values())
    kept = [len(ids) for ids in made.records.values()]
    assert sum(kept) + len(made.left_out) == 3971
    assert kept[0] / sum(kept) == pytest.approx(0.7, abs=0.03)
    assert min(kept) / sum(kept) > 0.12


def test_synsets_of_nlvr2(nlvr2: Dataset) -> None:
    """Every synset has its share in every split, and no photograph stands in two."""
    dataset = nlvr2.select("dev")
    made = split(dataset, SHARES, stratum=STRATA["synset"])
    shares = [len(ids) / 6982 for ids in made.records.values()]
    assert shares == pytest.approx(list(SHARES.values()), abs=0.02)
    for name, share in SHARES.items():
        own = [made.strata[name].get(s, 0) / n for s, n in _synsets(dataset).items()]
        # A synset has about eight sets, each of which goes to one side as a whole.
        assert sum(abs(v - share) for v in own) / len(own) < 0.08, name
    urls = [
        {u for i in ids for u in dataset.records[i].urls or ()} for ids in made.records.values()
    ]
    assert not urls[0] & urls[1]
    assert not urls[0] & urls[2]


def _synsets(dataset: Dataset) -> Counter[str]:
    return Counter(r.synset for r in dataset.records.values())


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 9)), min_size=1, max_size=60),
    st.integers(0, 5),
)
def test_dealing(members: list[tuple[str, int]], seed: int) -> None:
    strata = {f"m{i}": s for i, (s, _) in enumerate(members)}
    weights = {f"m{i}": float(w) for i, (_, w) in enumerate(members)}
    made = deal(strata, {"one": 0.75, "two": 0.25}, weights=weights, seed=seed)
    assert made.keys() == strata.keys()
    for stratum in set(strata.values()):
        own = [m for m in strata if strata[m] == stratum]
        total = sum(weights[m] for m in own)
        got = sum(weights[m] for m in own if made[m] == "one")
        assert abs(got - 0.75 * total) <= max(weights[m] for m in own)


def test_mistakes(world: Dataset, data: Path) -> None:
    for shares in ({}, {"a": 0.5}, {"a": 1.5, "b": -0.5}):
        with pytest.raises(BadInput, match="add up to 1"):
            split(figures(), shares)
    empty = Dataset("e", "reference", {"all": ()}, {}, NameStore((), "e"))
    with pytest.raises(BadInput, match="no record has a picture"):
        split(empty, SHARES)
    with pytest.raises(BadInput, match="for annotations of figures"):
        split(load("vispro", data), SHARES, stratum=STRATA["snd"])
    whole = [tuple(f"f{p}" for p in range(60))]
    with pytest.raises(BadInput, match="300 of 300 records must stay together"):
        split(figures(), SHARES, near=whole)
