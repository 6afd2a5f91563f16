from __future__ import annotations

import gzip
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deixis.dataset import Annotation, Dataset
from deixis.datasets.kilogram import UNKNOWN, kilogram, replay
from deixis.errors import BadInput


def split(dataset: Dataset, name: str) -> list[Annotation]:
    return [dataset.records[i] for i in dataset.splits[name]]


@pytest.fixture(scope="module")
def logs(kilogram: Dataset) -> list[Annotation]:
    return split(kilogram, "dense")


def test_counts(kilogram: Dataset) -> None:
    assert {s: len(ids) for s, ids in kilogram.splits.items()} == {
        "dense": 3971,
        "dev": 1250,
        "val": 236,
        "dense10": 741,
    }
    assert dict(kilogram.counts) == {
        "pictures": 1013,
        "dense: tangrams": 74,
        "dense: workers": 228,
        "dev: tangrams": 125,
        "val: tangrams": 236,
        "dense10: tangrams": 74,
        "dense10: workers": 170,
    }
    per_tangram = Counter(Counter(a.picture for a in split(kilogram, "dense")).values())
    assert per_tangram == {53: 42, 54: 20, 55: 11, 60: 1}


def test_parts(kilogram: Dataset) -> None:
    def histogram(name: str) -> list[int]:
        counts = Counter(len(a.parts) for a in split(kilogram, name))
        return [counts[n] for n in range(1, 8)]

    assert histogram("dense") == [77, 985, 1176, 941, 467, 241, 84]
    assert histogram("dense10") == [3, 109, 207, 203, 125, 65, 29]
    assert histogram("dev") == [7, 271, 353, 333, 179, 79, 28]


def test_quirks_of_the_texts(kilogram: Dataset) -> None:
    dense, dev = split(kilogram, "dense"), split(kilogram, "dev")
    unknown = {s: sum(UNKNOWN in a.parts for a in split(kilogram, s)) for s in kilogram.splits}
    assert unknown == {"dense": 111, "dev": 17, "val": 4, "dense10": 5}
    assert sum("  " in a.whole for a in dense) == 2
    assert sum("  " in t for a in dense for t in a.parts) == 0
    assert sum(any("  " in t for t in (a.whole, *a.parts)) for a in dev) == 5
    assert sum(a.parts == (a.whole,) for a in dense) == 68
    assert sum(" and " in p for a in dense for p in a.parts) == 12
    assert sum("," in p for a in dense for p in a.parts) == 4
    assert sum("," in a.whole for a in dense) == 3
    assert not any(t != t.strip() or not t for a in dense for t in (a.whole, *a.parts))
    capitals = {p for a in dense for p in a.parts if p != p.lower()}
    assert capitals == {UNKNOWN}


def test_piece_maps(kilogram: Dataset) -> None:
    for name in ("dense", "val"):
        for a in split(kilogram, name):
            assert a.pieces is not None
            assert sorted(set(a.pieces)) == list(range(len(a.parts)))
            firsts = [a.pieces.index(p) for p in range(len(a.parts))]
            assert firsts == sorted(firsts), "parts stand in order of their lowest piece"
    assert all(a.pieces is None for a in split(kilogram, "dev"))


def test_logs_lead_to_the_final_names(logs: list[Annotation]) -> None:
    def final(a: Annotation) -> dict[int, str]:
        return {i: a.parts[p] for i, p in enumerate(a.pieces or (), start=1)}

    assert sum(replay(a.actions) == final(a) for a in logs) == 3969
    kept = [replay(tuple(x for x in a.actions if x.final)) == final(a) for a in logs]
    assert sum(kept) == 3969, "final marks alone give the same"


@pytest.mark.parametrize(("final_only", "wrong"), [(True, 7), (False, 160)])
def test_logs_must_be_sorted_by_number(data: Path, final_only: bool, wrong: int) -> None:
    """The file's own order of keys is arbitrary: in that order, many logs go wrong."""
    raw = json.loads(gzip.decompress((data / "kilogram/dense.json.gz").read_bytes()))
    met = 0
    for entry in raw.values():
        for a in entry["annotations"]:
            named: dict[int, str] = {}
            for step in a["metadata"].values():
                if step["final"] or not final_only:
                    named |= {int(p): step["annotation"] for p in step["pieces"]}
            met += named != {int(i): n for i, n in a["part"].items()}
    assert met == wrong


def test_actions(logs: list[Annotation]) -> None:
    actions = [x for a in logs for x in a.actions]
    assert len(actions) == 14_282
    assert sum(not x.final for x in actions) == 560
    assert max(len(a.actions) for a in logs) == 14
    assert all([x.index for x in a.actions] == sorted(x.index for x in a.actions) for a in logs)
    twice = sum(
        n > 1
        for a in logs
        for n in Counter(p for x in a.actions if x.final for p in x.pieces).values()
    )
    assert twice == 52


def test_irregularities_are_told(kilogram: Dataset) -> None:
    met = {i.what: i for i in kilogram.irregularities}
    assert {what: len(i.ids) for what, i in met.items()} == {
        "the split lists a tangram that was removed": 3,
        "a part is UNKNOWN": 132,
        "a piece stands in two actions marked final": 14,
        "the only part repeats the whole": 70,
        "a text holds a double space": 7,
        "the action log does not lead to the final names": 2,
        "the action log runs backwards in time": 2,
        "the piece map is lost": 1250,
    }
    removed = met["the split lists a tangram that was removed"].ids
    assert sorted(removed) == ["page4-170", "page6-51", "page6-66"]


def test_dense10_is_found_in_dense(kilogram: Dataset) -> None:
    assert set(kilogram.splits["dense10"]) < set(kilogram.splits["dense"])
    sizes = Counter(Counter(a.picture for a in split(kilogram, "dense10")).values())
    assert sizes == {10: 73, 11: 1}


def test_no_worker_describes_a_tangram_twice(kilogram: Dataset) -> None:
    pairs = Counter((a.picture, a.worker) for a in split(kilogram, "dense"))
    assert set(pairs.values()) == {1}
    workers = Counter(a.worker for a in split(kilogram, "dense"))
    assert max(workers.values()) == 74


def test_all_four_published_files_hold_the_same_contexts(kilogram: Dataset, data: Path) -> None:
    rows = kilogram.extras["contexts"]["val"]
    assert len(rows) == 2360
    for name in ("whole+black", "whole+color", "part+black", "part+color"):
        path = data / f"kilogram/human_baseline/val-texts/{name}.json.gz"
        raw = json.loads(gzip.decompress(path.read_bytes()))
        suffix = "" if "color" in name else "_0"
        assert [i + suffix for i in raw["images"]] == [i for row in rows for i, _ in row]
        texts = [t if "part" in name else t.partition("#")[0] for row in rows for _, t in row]
        assert raw["texts"] == texts
        assert raw["targets"] == [i.removesuffix(suffix) for i in raw["targets"]]


# A folder of one's own


@pytest.fixture(scope="module")
def some(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve dense tangrams, unpacked, in upstream's layout, with a complete file made of them."""
    # In a folder of its own: a test looks for it from the one above.
    root = tmp_path_factory.mktemp("above") / "upstream"
    dense = json.loads(gzip.decompress((data / "kilogram/dense.json.gz").read_bytes()))
    names = list(dense)[:12]
    few = {n: {"annotations": dense[n]["annotations"][:3]} for n in names}
    write(root / "dataset/dense.json", {n: few[n] for n in names[:6]})
    write(root / "dataset/full.json", few)
    listed = {"train": [*names[6:8], "page4-170"], "development": names[8:10],
              "heldout": [names[10]], "dense": names[:6]}  # fmt: skip
    write(root / "models/preprocessing/model_inputs/data_split.json", listed)
    shutil.unpack_archive(data / "kilogram/tangrams-svg.zip", root / "dataset")
    return root


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


@pytest.fixture
def own(some: Path, tmp_path: Path) -> Path:
    """A copy to damage, its pictures shared."""
    shutil.copytree(some, tmp_path / "k", ignore=shutil.ignore_patterns("tangrams-svg"))
    (tmp_path / "k/dataset/tangrams-svg").symlink_to(some / "dataset/tangrams-svg")
    return tmp_path / "k"


def test_upstreams_layout_with_the_complete_file(some: Path) -> None:
    made = kilogram(some)
    sizes = {s: len(ids) for s, ids in made.splits.items()}
    assert sizes == {"dense": 18, "train": 6, "dev": 6, "heldout": 3}
    met = {i.what: len(i.ids) for i in made.irregularities}
    assert met["left out: no split or no picture of the tangram"] == 3
    assert met["the split lists a tangram that was removed"] == 1
    assert kilogram(some.parent).fingerprint == made.fingerprint


def test_dense_alone(own: Path) -> None:
    (own / "dataset/full.json").unlink()
    shutil.rmtree(own / "models")
    assert kilogram(own).splits.keys() == {"dense"}


def edited(path: Path, change: Any) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def first(content: dict) -> dict:
    return next(iter(content.values()))


DAMAGE = {
    "no pictures": (lambda p: (p / "dataset/tangrams-svg").unlink(), "found no kilogram data"),
    "no annotations": (
        lambda p: [f.unlink() for f in (p / "dataset").glob("*.json")],
        "no annotations beside the pictures",
    ),
    "no splits for the complete file": (
        lambda p: shutil.rmtree(p / "models"),
        "data_split.json is missing",
    ),
    "a list": (lambda p: (p / "dataset/dense.json").write_text("[1]"), "expected an object"),
    "cut off": (
        lambda p: (p / "dataset/dense.json").write_text('{"a": '),
        "dense.json:1:7: no JSON",
    ),
    "no annotations of one": (
        lambda p: edited(p / "dataset/dense.json", lambda c: first(c).pop("annotations")),
        "has no list of annotations",
    ),
    "no whole": (
        lambda p: edited(
            p / "dataset/dense.json", lambda c: first(c)["annotations"][1].pop("whole")
        ),
        "annotation 1 of page.*: not in KiloGram's form: KeyError",
    ),
    "a piece without a name": (
        lambda p: edited(
            p / "dataset/dense.json", lambda c: first(c)["annotations"][0]["part"].pop("3")
        ),
        "annotation 0 of page.*: not in KiloGram's form: KeyError",
    ),
    "an unknown tangram": (
        lambda p: edited(p / "dataset/dense.json", lambda c: c.update(page0=first(c))),
        "no picture of page0",
    ),
    "a stranger in dense10": (
        lambda p: write(
            p / "dense10.json",
            {"page1-1": {"annotations": [{"whole": {"wholeAnnotation": "x"}, "part": None,
                                          "partNames": ["y"]}]}},
        ),
        "page1-1_0: this annotation is not in the dense file beside it",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", DAMAGE)
def test_damaged_folders(own: Path, case: str) -> None:
    damage, why = DAMAGE[case]
    damage(own)
    with pytest.raises(BadInput, match=why) as caught:
        kilogram(own)
    assert "\n" not in str(caught.value)


def val(own: Path, images: list[str], texts: list[str]) -> None:
    """One val annotation, and published contexts of it."""
    dense = json.loads((own / "dataset/dense.json").read_text())
    name = next(iter(dense))
    write(own / "val.json", {name: {"annotations": dense[name]["annotations"][:1]}})
    write(own / "human_baseline/val-texts/part+color.json", {"images": images, "texts": texts})


def test_published_contexts_that_are_broken(own: Path) -> None:
    val(own, ["page1-1_0"], ["snake"])
    with pytest.raises(BadInput, match=r"part\+color.json: expected ten images and ten texts"):
        kilogram(own)
    val(own, ["page99-1_0"] * 10, ["snake"] * 10)
    with pytest.raises(BadInput, match=r"page99-1_0 is no annotation of val.json"):
        kilogram(own)
