from __future__ import annotations

import re
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis import registry
from deixis.errors import BadInput
from deixis.sources import Source, load

names = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)


@given(names, st.lists(names, max_size=3))
def test_a_source_is_read_as_it_is_written(name: str, splits: list[str]) -> None:
    source = Source(name, tuple(splits))
    assert Source.parse(str(source)) == source


@pytest.mark.parametrize("text", ["", ":dense", "kilogram:", "kilogram:a++b", "kilogram:a+"])
def test_what_is_no_source(text: str) -> None:
    with pytest.raises(BadInput, match="is no source: expected NAME"):
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


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("figures,variants=1,seed=3:test", {"variants": 1, "seed": 3}),
        ("boxes,told=.5,sentences=20:test", {"told": 0.5, "sentences": 20}),
        ("boxes,kinds=soft+hard,sentences=4:train", {"kinds": ("soft", "hard"), "sentences": 4}),
    ],
)
def test_a_worlds_options_stand_in_its_source(text: str, same: dict[str, Any]) -> None:
    source = Source.parse(text)
    assert str(source) == text
    made, alike = load(text), load(Source(source.name, source.splits), **same)
    assert (made.fingerprint, made.records) == (alike.fingerprint, alike.records)
    assert made.fingerprint != load(Source(source.name), **same | {"seed": 8}).fingerprint


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("boxes,tolt=1", r"takes no option 'tolt'.*; did you mean 'told'\? \(known: sentences, ki"),
        ("boxes,told=x", "boxes,told=x: told: expected a finite number, got 'x'"),
        ("boxes,told=nan", "told: expected a finite number, got 'nan'"),
        ("boxes,told=2", "expected shares from 0 to 1"),
        ("boxes,sentences=1.5", "sentences: expected a whole number, got '1.5'"),
        ("boxes,kinds=sof", "of the kinds existence, hard, soft"),
        ("boxes,told=1,told=1", "told is given twice"),
        ("boxes,told", "is no source: expected NAME"),
        ("boxes,told=:test", "is no source: expected NAME"),
        ("kilogram,seed=3", r"kilogram takes no option 'seed' in its name \(known: none\)"),
        ("visdial,features=a.h5", "takes no option 'features' in its name"),
        ("mine.toml,seed=3", "mine.toml takes no option 'seed'"),
    ],
)
def test_wrong_options_are_one_sentence(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        load(text)


def test_an_option_stands_in_one_place() -> None:
    with pytest.raises(BadInput, match="variants is given elsewhere too"):
        load("figures,variants=2", variants=1)


def test_the_page_lists_every_option_of_every_world() -> None:
    page = (Path(__file__).parent.parent / "docs/first-audit.md").read_text("utf-8")
    rows = [row.split("|") for row in page.splitlines() if row.startswith("| `")]
    told = {row[1].strip(" `"): re.findall(r"`(\w+)`", row[3]) for row in rows}
    worlds = {name: registry.find("worlds", name, kind) for kind, name in registry.table("worlds")}
    assert told == {name: list(signature(world).parameters) for name, world in worlds.items()}
