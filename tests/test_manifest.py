from __future__ import annotations

import gzip
import hashlib
import zipfile
from pathlib import Path

import pytest

from deixis.errors import BadInput
from deixis.manifest import File, Manifest, known, manifest

SUM = "a" * 64


def test_what_can_be_fetched() -> None:
    assert known() == ["kilogram", "nlvr", "nlvr2", "vispro"]
    for name in known():
        made = manifest(name)
        assert made.bases
        assert made.notes
        assert len({f.path for f in made.files}) == len(made.files)
    with pytest.raises(BadInput, match=r"to fetch 'nlvr3' from; did you mean 'nlvr"):
        manifest("nlvr3")
    with pytest.raises(BadInput, match=r"nothing is known to fetch '\.\./x' from"):
        manifest("../x")


def unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def here(data: Path, name: str, path: str) -> bytes | None:
    """The byte-exact copy of an upstream file, if there is one."""
    folder = data / ("dialog/vispro" if name == "vispro" else name)
    last = path.rpartition("/")[2]
    kilogram = {"measures_data": "measures", "val-texts": "human_baseline/val-texts",
                "val-stimuli": "human_baseline/val-stimuli", "util": "human_baseline"}  # fmt: skip
    inner = kilogram.get(path.split("/")[-2], "") if name == "kilogram" else ""
    for candidate in (folder / inner / last, folder / inner / f"{last}.gz"):
        if candidate.is_file():
            return unpacked(candidate)
    return None


@pytest.mark.parametrize("name", ["kilogram", "nlvr2", "vispro", "nlvr"])
def test_sizes_and_checksums_are_those_of_the_copies(data: Path, name: str) -> None:
    pictures: dict[str, bytes] = {}
    for packed in (data / name).glob("*.zip"):
        with zipfile.ZipFile(packed) as archive:
            split = packed.stem.partition("_")[0]
            for member in archive.namelist()[:: 1 if name == "kilogram" else 50]:
                path = f"nlvr/{split}/images/{member}" if name == "nlvr" else f"dataset/{member}"
                pictures[path] = archive.read(member)
    checked = 0
    for file in manifest(name).files:
        content = pictures.get(file.path) or here(data, name, file.path)
        if content is None:
            assert name == "nlvr" or (file.size, file.sha256) == (None, ""), file
            continue
        checked += 1
        assert file.size == len(content), file
        assert hashlib.sha256(content).hexdigest().startswith(file.sha256), file
        assert len(file.sha256) == (16 if ".png" in file.path else 64)
    assert checked == {"kilogram": 1036, "nlvr2": 9, "vispro": 2, "nlvr": 240}[name]


def test_the_written_form() -> None:
    text = f"# base: https://a/\n# MIT\n\nd/a b.json\t12\t{SUM}\nc\t-\t-\n# base: https://b/\n"
    made = Manifest.parse(text, "toy")
    assert made.bases == ("https://a/", "https://b/")
    assert made.notes == ("MIT",)
    assert made.files == (File("d/a b.json", 12, SUM), File("c"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("a\t1", "expected path, size and checksum"),
        ("../a\t1\t-", "leads out of the folder"),
        ("/etc/passwd\t1\t-", "leads out of the folder"),
        ("\t1\t-", "leads out of the folder"),
        ("a\tmany\t-", "expected a number of bytes or -, got 'many'"),
        ("a\t1\tabc", "expected hex digits or -, got 'abc'"),
        (f"a\t1\t{'g' * 64}", "expected hex digits"),
    ],
)
def test_lines_that_are_none(line: str, why: str) -> None:
    with pytest.raises(BadInput, match=rf"toy: line 2: .*{why}"):
        Manifest.parse(f"# x\n{line}\n", "toy")


def test_a_file_fits_by_size_and_checksum(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    right = hashlib.sha256(b"abc").hexdigest()
    assert File("a").fits(path)
    assert File("a", 3, right).fits(path)
    assert File("a", None, right[:16]).fits(path)
    assert not File("a", 4).fits(path)
    assert not File("a", 3, SUM).fits(path)
