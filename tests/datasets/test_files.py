from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from deixis.datasets.files import Folder, data_root, locate, parse_json
from deixis.errors import BadInput

LAYOUT = {"a": ("a.json", "deep/a.json"), "pictures": ("pictures.zip", "pictures")}


def folder(path: Path) -> Folder:
    return Folder(path, LAYOUT)


def test_plain_and_packed_files_hold_the_same(tmp_path: Path) -> None:
    plain, packed = tmp_path / "1", tmp_path / "2"
    for place in (plain, packed):
        (place / "deep").mkdir(parents=True)
    (plain / "a.json").write_text('{"x": 1}')
    (packed / "deep/a.json.gz").write_bytes(gzip.compress(b'{"x": 1}'))
    one, other = folder(plain), folder(packed)
    assert one.json("a") == other.json("a") == {"x": 1}
    assert one.fingerprint == other.fingerprint


def test_fingerprints_follow_what_was_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("1")
    one = folder(tmp_path)
    before = one.fingerprint
    one.read("a")
    assert one.fingerprint != before
    (tmp_path / "a.json").write_text("2")
    other = folder(tmp_path)
    other.read("a")
    assert other.fingerprint not in (before, one.fingerprint)


def test_members_of_a_folder_and_of_a_zip(tmp_path: Path) -> None:
    loose, packed = tmp_path / "1", tmp_path / "2"
    (loose / "pictures/inner").mkdir(parents=True)
    packed.mkdir()
    with zipfile.ZipFile(packed / "pictures.zip", "w") as archive:
        for name in ("b.svg", "inner/a.svg", "note.txt"):
            (loose / "pictures" / name).write_text(name)
            archive.writestr(f"pictures/{name}", name)
    expected = [("a.svg", b"inner/a.svg"), ("b.svg", b"b.svg")]
    assert list(folder(loose).members("pictures", ".svg")) == expected
    assert list(folder(packed).members("pictures", ".svg")) == expected


def broken(path: Path) -> None:
    (path / "a.json.gz").write_bytes(b"not gzip")


def cut_off(path: Path) -> None:
    (path / "a.json.gz").write_bytes(gzip.compress(b"x" * 1000)[:-9])


def scrambled(path: Path) -> None:
    packed = bytearray(gzip.compress(bytes(range(256)) * 9))
    packed[15:40] = b"\xff" * 25
    (path / "a.json.gz").write_bytes(packed)


@pytest.mark.parametrize("damage", [broken, cut_off, scrambled])
def test_damaged_gzip(tmp_path: Path, damage) -> None:
    damage(tmp_path)
    with pytest.raises(BadInput, match=r"a\.json\.gz: not a readable gzip file"):
        folder(tmp_path).read("a")


def test_damaged_zip(tmp_path: Path) -> None:
    path = tmp_path / "pictures.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.svg", "x" * 500)
    whole = bytearray(path.read_bytes())
    for content in (b"no zip", whole[:-30], whole[:35] + b"\xff\xff\xff" + whole[38:]):
        path.write_bytes(content)
        with pytest.raises(BadInput, match=r"pictures\.zip: not a readable zip file"):
            list(folder(tmp_path).members("pictures", ".svg"))


def test_a_missing_file(tmp_path: Path) -> None:
    assert folder(tmp_path).find("a") is None
    with pytest.raises(BadInput, match=r"a\.json is missing"):
        folder(tmp_path).read("a")


def test_broken_json_says_where() -> None:
    with pytest.raises(BadInput, match=r"^f\.json:2:5: no JSON: Expecting"):
        parse_json(b'{\n"a":}', "f.json")
    with pytest.raises(BadInput, match=r"^f\.json: not UTF-8 at byte 1$"):
        parse_json(b'"\xff"', "f.json")
    assert parse_json(json.dumps({"é": 1}).encode(), "f.json") == {"é": 1}


def test_the_nearest_folder_that_holds_a_marker(tmp_path: Path) -> None:
    near, far = tmp_path / "z", tmp_path / "a/b/c"
    for place in (near, far, tmp_path / ".hidden", tmp_path / "a/b/c/d"):
        place.mkdir(parents=True)
        (place / "a.json").write_text("1")
    assert locate(tmp_path, "toy", LAYOUT, ["a"]).path == near
    (near / "a.json").unlink()
    assert locate(tmp_path, "toy", LAYOUT, ["a"]).path == far
    (far / "a.json").unlink()
    with pytest.raises(BadInput, match=r"found no toy data in .* a\.json .*deixis fetch toy"):
        locate(tmp_path, "toy", LAYOUT, ["a"])
    assert locate(tmp_path / "a", "toy", LAYOUT, ["a"]).path.name == "d", "three folders below"


def test_where_to_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_root(tmp_path) == tmp_path
    assert data_root() == tmp_path / "cache/deixis/data"
    monkeypatch.setenv("DEIXIS_DATA", str(tmp_path))
    assert data_root() == tmp_path
    with pytest.raises(BadInput, match=r"there is no folder .*nowhere"):
        data_root(tmp_path / "nowhere")
