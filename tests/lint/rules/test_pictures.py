"""Rules on pictures: near ones, broken ones, silhouettes."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.lint.conftest import pixels

from deixis.dataset import Dataset
from deixis.lint.page import drawing
from deixis.lint.rules.near_pictures import near_pictures
from deixis.lint.rules.near_silhouettes import near_silhouettes, overlapping
from deixis.lint.rules.pictures import pictures
from deixis.pictures.archive import Archive
from deixis.pictures.photos import PhotoStore
from deixis.pictures.store import ArrayStore

FACTS = {
    ("page5-185", "page5-232"): 0.96,
    ("page1-165", "page1-54"): 0.96,
    ("page1-54", "page5-232"): 0.96,
    ("page1-103", "page1-69"): 0.96,
    ("page1-165", "page5-232"): 0.95,
    ("page1-48", "page7-96"): 0.94,
    ("page1-37", "page1-45"): 0.94,
    ("page3-35", "page9-31"): 0.93,
    ("page4-103", "page5-33"): 0.94,
    ("page1-50", "page4-148"): 0.94,
    ("page2-168", "page3-50"): 0.94,
}
"""Near twins that were found by eye and overlap, each to about a hundredth."""


@pytest.fixture(scope="module")
def twins(kilogram: Dataset):
    from deixis.lint.finding import LintOptions

    return list(near_silhouettes(kilogram, LintOptions()))


def test_near_twins_among_tangrams(twins) -> None:
    overlaps = {tuple(f.ids): f.evidence["overlap"] for f in twins}
    for pair, value in FACTS.items():
        assert overlaps[pair] == pytest.approx(value, abs=0.011)
    assert min(overlaps.values()) > 0.92


def test_twins_across_splits_are_warnings(twins) -> None:
    by_pair = {tuple(f.ids): f for f in twins}
    crossing = [p for p in FACTS if by_pair[p].severity == "warning"]
    assert len(crossing) == 8
    assert by_pair["page1-48", "page7-96"].severity == "note", "both are in dev"
    assert by_pair["page1-103", "page1-69"].evidence["splits"] == ["train", "dense"]
    assert by_pair["page1-48", "page7-96"].pictures == ["page1-48", "page7-96"]


def test_variants_of_a_family_are_near_on_purpose(world: Dataset, found) -> None:
    made = found(near_silhouettes, world, overlap=0.7)
    families = {r.picture: r.family for r in world.records.values()}
    assert all(families[a] != families[b] for a, b in (f.ids for f in made))


def test_blocks_of_rows_change_nothing() -> None:
    masks = (np.random.default_rng(0).random((600, 9)) < 0.5).astype(np.float32)
    near = {(i, j) for i, j, _ in overlapping(masks, 0.8)}
    both = masks @ masks.T
    sizes = masks.sum(axis=1)
    union = sizes[:, None] + sizes - both
    expected = {
        (i, j) for i, j in np.argwhere((both > 0.8 * union) & (union > 0)).tolist() if i < j
    }
    assert near == expected


def png(array: np.ndarray) -> bytes:
    target = io.BytesIO()
    Image.fromarray(array).save(target, "PNG")
    return target.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Photographs with every fault."""
    (tmp_path / "p0.png").write_bytes(png(pixels(0)))
    (tmp_path / "p1.png").write_bytes(b"no picture")
    (tmp_path / "p2.png").write_bytes(png(pixels(2, side=8)))
    (tmp_path / "p3.png").write_bytes(png(np.full((50, 50, 3), 200, np.uint8)))
    return tmp_path


def photos(folder: Path | None, names: list[str]) -> PhotoStore:
    contents = {n: n for n in names}
    return PhotoStore(contents, Archive(folder) if folder else None, "fetch them")


def test_missing_broken_tiny_and_blank(statement, dataset, found, folder: Path) -> None:
    names = [f"p{i}.png" for i in range(6)]
    records = [statement(i, pictures=((n, ""),)) for i, n in enumerate(names)]
    made = found(pictures, dataset(records, store=photos(folder, names[:5])))
    by_kind = {f.evidence["kind"]: (f.severity, list(f.ids)) for f in made}
    assert by_kind == {
        "missing": ("error", ["p4.png", "p5.png"]),
        "broken": ("error", ["p1.png"]),
        "tiny": ("warning", ["p2.png"]),
        "blank": ("warning", ["p3.png"]),
    }
    assert found(pictures, dataset(records[:1], store=photos(folder, names))) == []


def test_no_file_at_all_is_one_note(statement, dataset, found) -> None:
    records = [statement(i) for i in range(3)]
    store = photos(None, ["p0", "p1", "p2"])
    (made,) = found(pictures, dataset(records, store=store))
    assert (made.severity, "none of the 3 pictures" in made.message) == ("note", True)
    (unread,) = found(near_pictures, dataset(records, store=store))
    assert "3 pictures of 3 have no file" in unread.message
    assert drawing(dataset(records, store=store), "p0") == ""


def test_pictures_that_look_alike(statement, dataset, found) -> None:
    """A copy at another size across splits, another inside one, and two of their own."""
    small = np.asarray(Image.fromarray(pixels(0)).resize((30, 30)))
    darker = (pixels(1) * 0.9).astype(np.uint8)
    arrays = {"p0": pixels(0), "p1": pixels(1), "p2": small, "p3": darker, "p4": pixels(4)}
    records = [statement(i) for i in range(5)]
    where = {"train": ["s0", "s1", "s3"], "test": ["s2", "s4"]}
    made = found(near_pictures, dataset(records, where, ArrayStore(arrays)))
    assert [(f.severity, list(f.ids)) for f in made] == [
        ("warning", ["p0", "p2"]), ("note", ["p1", "p3"]),
    ]  # fmt: skip
    assert made[0].pictures == ["p0", "p2"]


def test_published_hashes_stand_for_photographs_that_are_not_there(
    statement, dataset, found
) -> None:
    base = 0xF0F0F0F0F0F0F0F0
    hashes = {"p0": base, "p1": base, "p2": base + 1, "p3": base, "p4": 0}
    synsets = ["owl", "owl", "owl", "ox", "owl"]
    records = [statement(i, synset=s) for i, s in enumerate(synsets)]
    where = {"dev": ["s0", "s2", "s3", "s4"], "test": ["s1"]}
    store = photos(None, list(hashes))
    made = found(near_pictures, dataset(records, where, store, extras={"hashes": hashes}))
    assert [(f.severity, list(f.ids)) for f in made] == [("warning", ["p0", "p1"]), ("note", [])]
    assert made[0].evidence["pairs_by_bits"] == {"0": 2, "1": 1, "2": 0, "3": 0, "4": 0}
    assert made[0].evidence["of_one_subject_by_bits"]["0"] == 1
    assert made[0].evidence["groups"] == [["p0", "p1"]]
    assert made[1].evidence["splits"] == ["dev"], "a flat picture is like no other"


def test_drawings_have_rules_of_their_own(kilogram: Dataset, found, statement, dataset) -> None:
    assert found(near_pictures, kilogram.select("val")) == []
    assert found(near_silhouettes, dataset([statement(0)])) == []


def test_hashes_of_nlvr2(nlvr2: Dataset, found) -> None:
    assert len(nlvr2.extras["hashes"]) == 8102 + 8082
    crossing, *inside = found(near_pictures, nlvr2)
    assert (crossing.severity, crossing.evidence["splits"]) == ("warning", ["dev", "test1"])
    assert [f.severity for f in inside] == ["note", "note"]
    counted = crossing.evidence["pairs_by_bits"], crossing.evidence["of_one_subject_by_bits"]
    assert (counted[0]["0"], counted[1]["0"]) == (537, 120)
    # Of 124 subjects one in 124 would be equal by chance: hashes that differ say less and less.
    shares = [counted[1][str(d)] / counted[0][str(d)] for d in range(5)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.2
    assert shares[4] < 0.08
