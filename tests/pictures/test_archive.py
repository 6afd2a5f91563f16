"""Picture files by name, in folders and zips."""

from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from deixis.errors import BadInput
from deixis.pictures.archive import Archive, open_picture


def encoded(color: object, kind: str = "PNG", mode: str = "RGB", **more: object) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, (4, 2), color).save(buffer, kind, **more)  # type: ignore[arg-type]
    return buffer.getvalue()


@pytest.fixture(params=["folder", "zip"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Archive:
    files = {"a/one.png": encoded("red"), "b/two.PNG": encoded("blue"), "notes.txt": b"x"}
    if request.param == "zip":
        with zipfile.ZipFile(tmp_path / "p.zip", "w") as made:
            for name, content in files.items():
                made.writestr(name, content)
        return Archive(tmp_path / "p.zip")
    for name, content in files.items():
        (tmp_path / "p" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "p" / name).write_bytes(content)
    return Archive(tmp_path / "p")


def test_pictures_are_found_by_bare_name(archive: Archive) -> None:
    assert sorted(archive) == ["one.png", "two.PNG"]
    assert len(archive) == 2
    assert open_picture(archive["one.png"], "one").tolist()[0][0] == [255, 0, 0]
    assert archive.stamp("one.png") != archive.stamp("two.PNG") or archive.path.is_dir()
    with pytest.raises(KeyError):
        archive["three.png"]


def test_it_can_be_sent_to_another_process(archive: Archive) -> None:
    list(archive)
    sent = pickle.loads(pickle.dumps(archive))
    assert sent["one.png"] == archive["one.png"]
    assert sent.fingerprint == archive.fingerprint


def test_a_broken_zip_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.zip").write_bytes(b"no zip")
    with pytest.raises(BadInput, match=r"p\.zip: not a readable zip"):
        list(Archive(tmp_path / "p.zip"))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP", "WEBP"])
def test_the_header_tells_the_kind(kind: str) -> None:
    assert open_picture(encoded("white", kind), "x").min() > 250


def test_transparency_lies_on_white() -> None:
    assert open_picture(encoded((255, 0, 0, 0), mode="RGBA"), "x").min() == 255


def test_exif_turns_the_picture() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert open_picture(encoded("white", "JPEG", exif=exif), "x").shape == (4, 2, 3)


@pytest.mark.parametrize("content", [b"", b"<html>", encoded("red")[:40]])
def test_what_is_no_picture_is_named(content: bytes) -> None:
    with pytest.raises(BadInput, match=r"page\.png: not a readable picture"):
        open_picture(content, "page.png")
