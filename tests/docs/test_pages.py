"""Every block of the pages runs: Python, commands, and the files that they need."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAGES = Path(__file__).parent.parent.parent / "docs"
NAMES = ("first-audit", "your-benchmark", "your-model", "logs", "extend")

ALL = sorted(path.stem for path in PAGES.glob("*.md"))

_BLOCK = re.compile(
    r"(?:<!-- (?P<note>[^>]*?) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)```", re.DOTALL
)


@pytest.mark.parametrize("name", NAMES)
def test_every_block_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deixis: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {"__name__": name}
    ran = 0
    for block in _BLOCK.finditer((PAGES / f"{name}.md").read_text("utf-8")):
        note, kind, text = block["note"] or "", block["kind"], block["text"]
        if note.startswith("not run: "):
            continue
        ran += 1
        if note.startswith("file: "):
            Path(note.removeprefix("file: ")).write_text(text, "utf-8")
        elif kind == "python":
            exec(compile(text, f"{name}.md", "exec"), space)
        else:
            assert kind == "sh", f"{name}.md: nothing runs a block of {kind}"
            for line in text.splitlines():
                command, *arguments = shlex.split(line)
                assert command == "deixis"
                ended = deixis(*arguments)
                assert ended.status == 0, (line, ended.err)
    assert ran


@pytest.mark.parametrize("name", ALL)
def test_links_lead_somewhere(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text("utf-8")
    for link in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (PAGES / link).exists(), link


def test_no_page_names_this_machine() -> None:
    for name in ALL:
        assert os.fspath(PAGES.parent) not in (PAGES / f"{name}.md").read_text("utf-8")
