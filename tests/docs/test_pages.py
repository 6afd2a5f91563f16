"""Every block of the pages runs: Python, commands, and the files that they need."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.docs.blocks import NAMES, PAGES, blocks, run

PUBLIC = [name for name in NAMES if any(b.needs_data for b in blocks(name))]
ALONE = ["README", *(name for name in NAMES if name not in PUBLIC and blocks(name))]

MEANT = re.compile(r"^(file: \S+|not run: .+|(data, )?short: --.+|data)$")


def play(name: str, deixis: Callable[..., Any]) -> None:
    """Run a page's blocks, one after the other, in an empty folder."""
    space: dict[str, Any] = {"__name__": name}
    for block in blocks(name):
        run(block, space, deixis)


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages leave files: each in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", ALONE)
def test_every_block_runs(name: str, deixis: Callable[..., Any]) -> None:
    play(name, deixis)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_block_on_public_data_runs(
    name: str, data: Path, deixis: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEIXIS_DATA", str(data))
    play(name, deixis)


@pytest.mark.parametrize("name", NAMES)
def test_what_stands_before_a_block_is_understood(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text("utf-8")
    notes = re.findall(r"^<!-- (.*?) -->$", text, re.MULTILINE)
    assert [n for n in notes if not MEANT.match(n)] == []
    assert len(notes) == len([b for b in blocks(name) if b.note])


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text("utf-8")
    for link in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (PAGES / link).exists(), link


def test_no_page_names_this_machine() -> None:
    for name in NAMES:
        assert os.fspath(PAGES.parent) not in (PAGES / f"{name}.md").read_text("utf-8")


def test_what_a_page_says_is_printed_has_to_be(deixis: Callable[..., Any]) -> None:
    from tests.docs.blocks import Block

    assert run(Block("x", "python", "print(1)\n# 1\n", ""), {}, deixis)
    with pytest.raises(AssertionError):
        run(Block("x", "python", "print(1)\n# 2\n", ""), {}, deixis)
    with pytest.raises(AssertionError, match="neither a file nor run"):
        run(Block("x", "toml", "a = 1\n", ""), {}, deixis)


def test_what_the_readme_names_is_in_the_source_distribution() -> None:
    root = PAGES.parent
    build = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    kept = set(build["targets"]["sdist"]["include"]) | {"pyproject.toml"}
    text = (root / "README.md").read_text("utf-8")
    words = {w.strip("`'(),.;:").partition("/")[0] for w in text.split()}
    tops = {p.name for p in root.iterdir() if not p.name.startswith(".")}
    assert sorted((words & tops) - kept) == []
