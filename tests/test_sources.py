from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.sources import Source, load

names = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)


@given(names, st.lists(names, max_size=3))
def test_a_source_is_read_as_it_is_written(name: str, splits: list[str]) -> None:
    source = Source(name, tuple(splits))
    assert Source.parse(str(source)) == source


@pytest.mark.parametrize("text", ["", ":dense", "kilogram:", "kilogram:a++b", "kilogram:a+"])
def test_what_is_no_source(text: str) -> None:
    with pytest.raises(BadInput, match=r"expected NAME\[:SPLIT\[\+SPLIT\]\]"):
        load(text)


def test_unknown_sources_and_splits() -> None:
    with pytest.raises(BadInput, match=r"no source 'figurs'; did you mean 'figures'"):
        load("figurs")
    with pytest.raises(BadInput, match=r"figures has no split 'dev'"):
        load("figures:dev")


def test_a_run_or_a_file_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=rf"{tmp_path} is a folder, not the name of a dataset"):
        load(str(tmp_path))


def test_a_world_takes_options_and_splits() -> None:
    made = load("figures:test", variants=1)
    assert made.splits.keys() == {"test"}
    assert len(made.records) == len(made.splits["test"])
    assert load(Source("figures"), variants=1).fingerprint == made.fingerprint


def test_data_are_found_in_the_folder_above(data: Path) -> None:
    above, own = load("kilogram:val", data), load("kilogram:val", data / "kilogram")
    assert above.fingerprint == own.fingerprint
    assert len(above) == 236


def test_data_are_found_by_the_environment(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEIXIS_DATA", str(data))
    assert len(load("kilogram:dense10")) == 741


def test_no_data_anywhere(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"there is no folder .*nowhere"):
        load("kilogram", tmp_path / "nowhere")
    with pytest.raises(
        BadInput, match=r"found no kilogram data in .*; name the folder with --data"
    ):
        load("kilogram", tmp_path)
    with pytest.raises(BadInput, match=r"cache/deixis/data.*deixis fetch kilogram"):
        load("kilogram")
