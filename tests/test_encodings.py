from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.encodings import Cache, Disk, Memory, encode
from deixis.errors import BadInput


class Letters:
    """Encodes words, and counts what it was asked."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def __call__(self, words: list[str]) -> np.ndarray:
        self.batches.append(list(words))
        return np.array([[len(w), w.count("a")] for w in words], np.float32)

    @property
    def asked(self) -> Counter[str]:
        return Counter(w for batch in self.batches for w in batch)


@given(st.lists(st.text("ab", max_size=3), max_size=30), st.integers(1, 5))
def test_each_distinct_value_is_encoded_once(words: list[str], batch: int) -> None:
    encoder = Letters()
    vectors, rows = encode(words, key=str, encoder=encoder, batch=batch)
    assert set(encoder.asked) == set(words)
    assert set(encoder.asked.values()) <= {1}
    assert all(len(b) <= batch for b in encoder.batches)
    assert [list(vectors[r]) for r in rows] == [[len(w), w.count("a")] for w in words]
    firsts = list(dict.fromkeys(words))
    assert [firsts[r] for r in rows] == words, "rows stand in order of first occurrence"


@pytest.mark.parametrize("kind", ["memory", "disk"])
def test_what_was_encoded_is_remembered(kind: str, tmp_path: Path) -> None:
    cache: Cache = Memory() if kind == "memory" else Disk(tmp_path / "cache")
    encoder = Letters()
    first, _ = encode(["a", "bb"], key=str, encoder=encoder, by="m@1", cache=cache)
    both, rows = encode(["ccc", "bb", "a"], key=str, encoder=encoder, by="m@1", cache=cache)
    assert encoder.batches == [["a", "bb"], ["ccc"]]
    assert both[rows].tolist() == [[3, 0], [2, 0], [1, 1]]
    assert both.dtype == first.dtype == np.float32


@pytest.mark.parametrize("kind", ["memory", "disk"])
def test_another_model_is_never_given_the_first_ones_vectors(kind: str, tmp_path: Path) -> None:
    cache: Cache = Memory() if kind == "memory" else Disk(tmp_path)
    encode(["a"], key=str, encoder=Letters(), by="m@1", cache=cache)
    other = Letters()
    encode(["a"], key=str, encoder=other, by="m@2", cache=cache)
    assert other.asked == {"a": 1}


def test_a_cache_on_disk_outlives_the_process(tmp_path: Path) -> None:
    encode(["a", "bb"], key=str, encoder=Letters(), by="m", cache=Disk(tmp_path), batch=1)
    encoder = Letters()
    vectors, rows = encode(["bb", "a"], key=str, encoder=encoder, by="m", cache=Disk(tmp_path))
    assert encoder.batches == []
    assert vectors[rows].tolist() == [[2, 0], [1, 1]]
    assert not [p for p in tmp_path.rglob("*") if p.suffix == ".tmp"]


def test_half_a_shard_is_an_error_that_names_it(tmp_path: Path) -> None:
    encode(["a", "bb"], key=str, encoder=Letters(), by="m", cache=Disk(tmp_path))
    (shard,) = tmp_path.rglob("*.npz")
    whole = shard.read_bytes()
    for content in (whole[: len(whole) // 2], b"", b"something else"):
        shard.write_bytes(content)
        with pytest.raises(BadInput, match=rf"{shard}: not a readable cache file, delete it"):
            Disk(tmp_path).get("m", ["a"])


def test_a_writer_that_dies_leaves_no_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", die)
    with pytest.raises(KeyboardInterrupt):
        Disk(tmp_path).put("m", ["a"], np.zeros((1, 2)))
    monkeypatch.undo()
    assert Disk(tmp_path).get("m", ["a"]) == {}
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []
