"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.writing import whole, write_bytes, write_json


def test_json_is_written_whole(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"b": 1, "a": "é"})
    assert (tmp_path / "a.json").read_text() == '{\n "a": "é",\n "b": 1\n}\n'
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_what_fails_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "a.txt"
    old.write_text("old")

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_bytes(old, b"something new")
    assert old.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_what_fails_names_the_file_even_where_a_library_does_not(tmp_path: Path) -> None:
    def arrow() -> None:
        raise OSError(28, "Error writing bytes to file. Detail: [errno 28] No space left on device")

    with pytest.raises(OSError, match="No space left") as caught, whole(tmp_path / "a"):
        arrow()
    assert caught.value.filename == str(tmp_path / "a")
    assert caught.value.strerror == "No space left on device"
