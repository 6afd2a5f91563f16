"""Replies that were paid for are never lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from deixis.errors import BadInput
from deixis.players.chat.cache import ReplyCache, key_of


def test_kept_and_known_again(tmp_path: Path) -> None:
    path = tmp_path / "deep/replies.cache"
    cache = ReplyCache(path)
    assert cache.get("a") is None
    cache.add("a", {"text": "é"})
    assert cache.get("a") == {"text": "é"}
    cache.close()
    again = ReplyCache(path)
    assert (again.get("a"), len(again)) == ({"text": "é"}, 1)
    again.add("b", {})
    again.close()
    assert len(ReplyCache(path)) == 2


def test_in_memory_only() -> None:
    cache = ReplyCache()
    cache.add("a", {})
    assert len(cache) == 1
    cache.close()


def test_a_line_that_was_cut_short_spoils_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_text('{"key": "a", "reply": {"n": 1}}\n{"key": "b", "rep')
    cache = ReplyCache(path)
    assert (cache.get("a"), cache.get("b")) == ({"n": 1}, None)
    cache.add("c", {"n": 3})
    cache.close()
    again = ReplyCache(path)
    assert (again.get("a"), again.get("c"), len(again)) == ({"n": 1}, {"n": 3}, 2)


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_text("id,choice\n")
    with pytest.raises(BadInput, match="c:1: no reply"):
        len(ReplyCache(path))


def test_a_killed_process_loses_none(tmp_path: Path) -> None:
    path = tmp_path / "c"
    code = (
        "import os, sys; from pathlib import Path\n"
        "from deixis.players.chat.cache import ReplyCache\n"
        "cache = ReplyCache(Path(sys.argv[1]))\n"
        "for i in range(50): cache.add(str(i), {'i': i})\n"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert len(ReplyCache(path)) == 50


def test_keys_tell_everything_apart() -> None:
    assert key_of("m", "1", "x") == key_of("m", "1", "x")
    assert len({key_of("m", "1", "x"), key_of("m1", "", "x"), key_of("m", "1x", "")}) == 3
