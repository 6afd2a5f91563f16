"""Blocks of code in pages: how they are marked, and how they are run.

A comment right before a block says how it is run:

* ``file: NAME``: it is written to that file, for the blocks below it;
* ``short: OPTIONS``: its commands get these options here, so that they end soon;
* ``data``, or ``data, short: OPTIONS``: it needs the public data;
* ``not run: REASON``: it is not run, and a reader is told why in the page's source.

Python prints what the comment at its end says, where there is one. What is printed stands in blocks
of ``text``, which are not run.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parent.parent.parent / "docs"
NAMES = sorted(path.stem for path in PAGES.glob("*.md"))
README = PAGES.parent / "README.md"

_BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^>]*?) -->\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_SAID = re.compile(r"(?:^# .*\n)+\Z", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of code of a page.

    Attributes:
        page: name of the page.
        kind: its language.
        text: itself.
        note: the comment before it; empty for none.
    """

    page: str
    kind: str
    text: str
    note: str

    @property
    def file(self) -> str:
        """The file that it is written to; empty for none."""
        return self.note.removeprefix("file: ") if self.note.startswith("file: ") else ""

    @property
    def reason(self) -> str:
        """Why it is not run; empty where it is."""
        if self.note.startswith("block: "):
            return "scripts/readme runs it"
        return self.note.removeprefix("not run: ") if self.note.startswith("not run: ") else ""

    @property
    def needs_data(self) -> bool:
        """Whether the public data are needed."""
        return self.note == "data" or self.note.startswith("data, ")

    @property
    def short(self) -> list[str]:
        """Options that its commands get here."""
        return shlex.split(self.note.partition("short: ")[2])

    @property
    def commands(self) -> list[list[str]]:
        """The commands of a block of shell, each as its words."""
        joined = self.text.replace("\\\n", " ")
        return [
            words for line in joined.splitlines() if (words := shlex.split(line, comments=True))
        ]


def blocks(page: str) -> list[Block]:
    """The blocks of a page, or of the README, in order."""
    path = README if page == "README" else PAGES / f"{page}.md"
    text = path.read_text("utf-8")
    return [Block(page, b["kind"], b["text"], b["note"] or "") for b in _BLOCK.finditer(text)]


def run(block: Block, space: dict[str, Any], deixis: Callable[..., Any]) -> bool:
    """Run a block in the current folder; whether there was anything to run.

    Args:
        block: of a page.
        space: the names that Python above it has made.
        deixis: runs a command.
    """
    if block.reason or block.kind == "text":
        return False
    if block.file:
        Path(block.file).write_text(block.text, "utf-8")
    elif block.kind == "python":
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, f"{block.page}.md", "exec"), space)
        said = _SAID.search(block.text)
        if said:
            lines = [line.removeprefix("# ") for line in said[0].splitlines()]
            assert printed.getvalue().splitlines() == lines
    elif block.kind == "sh":
        for program, *words in block.commands:
            assert program == "deixis", f"{block.page}.md: nothing runs {program}"
            ended = deixis(*words, *block.short)
            # A check, and lint, say by their status what they found.
            assert ended.status in ((0, 1, 3) if words[0] in ("check", "lint") else (0,)), (
                words,
                ended.err,
            )
    else:
        raise AssertionError(
            f"{block.page}.md: a block of {block.kind or 'no language'} is neither a file nor run: "
            f"{block.text[:60]!r}"
        )
    return True
