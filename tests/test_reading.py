"""Files that people write are read whatever their editor puts before or behind a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.errors import BadInput
from deixis.reading import json_lines, read_text, read_toml

MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", MARK])
def test_marks_and_ends_of_lines(tmp_path: Path, mark: bytes, end: bytes) -> None:
    lines, toml = tmp_path / "a.jsonl", tmp_path / "a.toml"
    # U+2028 ends a line for Python, but not in JSON.
    lines.write_bytes(mark + end.join(['{"a": "\u2028"}'.encode(), b"", b'{"a": "2"}']))
    toml.write_bytes(mark + end.join([b"a = 1", b"b = 2", b""]))
    assert [r for _, r in json_lines(lines)] == [{"a": "\u2028"}, {"a": "2"}]
    assert [w for w, _ in json_lines(lines)] == [f"{lines}:1", f"{lines}:3"]
    assert read_toml(toml) == {"a": 1, "b": 2}
    assert not read_text(toml).startswith("\ufeff")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"a": 1}\n{"a"', r"a\.jsonl:2: no JSON: Expecting"),
        (b'{"a": 1}\n[1]', r"a\.jsonl:2: expected an object, got '\[1\]'"),
        (b'{"a": 1}\n"\xe9"', r"a\.jsonl:2: not UTF-8 at byte 1"),
    ],
)
def test_broken_lines_are_named(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=why):
        list(json_lines(path))


def test_broken_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"a = '\xe9'")
    with pytest.raises(BadInput, match=r"a\.toml: not UTF-8 at byte 5"):
        read_toml(path)
    path.write_text("a = ")
    with pytest.raises(BadInput, match=r"a\.toml: no TOML: Invalid value"):
        read_toml(path)
    with pytest.raises(BadInput, match="is a folder; expected a file"):
        read_text(tmp_path)
