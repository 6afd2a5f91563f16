"""The documentation site: complete, linked, and open to everybody without a server."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import pytest
from tests.collect.pages import in_both_schemes, new_page, overflow
from tests.docs.blocks import NAMES, PAGES

import deixis
from deixis.cli import COMMANDS
from deixis.players import protocols

NOTEBOOKS = sorted(PAGES.glob("notebooks/*.ipynb"))


def module_of(name: str) -> ModuleType:
    """A module of docs/site."""
    spec = importlib.util.spec_from_file_location(name, PAGES / f"site/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


class Seen(HTMLParser):
    """What a page links to and shows, and what can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.sources: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.nameless = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag in ("img", "link", "script"):
            self.sources.append(str(given.get("src") or given.get("href")))
        if tag == "img" and not given.get("alt"):
            self.nameless += 1
        if given.get("id"):
            self.ids.append(str(given["id"]))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, made once."""
    out = tmp_path_factory.mktemp("docs") / "site"
    module_of("build").build(out)
    return out


@pytest.fixture(scope="module")
def seen(site: Path) -> dict[Path, Seen]:
    """Every page of it."""
    return {p: Seen(p.read_text("utf-8")) for p in site.rglob("*.html")}


def test_every_page_is_there_once(site: Path) -> None:
    made = {p.relative_to(site).with_suffix("").as_posix() for p in site.rglob("*.html")}
    own = {f"notebooks/{p.stem}" for p in NOTEBOOKS}
    assert made == {*NAMES, *own, "api", "commands"}
    index = Seen((site / "index.html").read_text("utf-8"))
    assert all(f"{name}.html" in index.links for name in made)


def test_every_link_leads_somewhere(site: Path, seen: dict[Path, Seen]) -> None:
    lost = []
    for path, page in seen.items():
        for link in page.links:
            if re.match(r"https?:", link):
                continue
            file, _, anchor = unquote(link).partition("#")
            target = (path.parent / file).resolve() if file else path
            if not target.exists() or (anchor and anchor not in seen[target].ids):
                lost.append((path.relative_to(site).as_posix(), link))
    assert lost == []


def test_nothing_comes_from_elsewhere(site: Path, seen: dict[Path, Seen]) -> None:
    for path, page in seen.items():
        assert "script" not in page.tags
        assert page.nameless == 0, path
        assert len(set(page.ids)) == len(page.ids), path
        for source in page.sources:
            if not source.startswith("data:image/png;base64,"):
                assert (path.parent / source).exists(), source


def test_the_api_and_the_commands_are_whole(site: Path) -> None:
    api = (site / "api.html").read_text("utf-8")
    public = [n for n, v in vars(protocols).items() if isinstance(v, type) and n[0].isupper()]
    own = [
        n for n in public if getattr(getattr(protocols, n), "__module__", "") == protocols.__name__
    ]
    assert len(own) > 10
    for name in (*deixis.__all__, *own):
        assert f">{name}</h3>" in api, name
    assert "Player.reply" in api
    commands = (site / "commands.html").read_text("utf-8")
    for command in COMMANDS:
        assert f">deixis {command}</h2>" in commands, command
    assert "--shapley" in commands


def test_signatures_and_docstrings_are_shown() -> None:
    api = module_of("api")

    def made(text: str, *, twice: bool = False) -> str:
        """Make something.

        Longer, with ``code`` and a * star.

        Args:
            text: what from.
            twice: or once.

        Returns:
            What was made.

        Raises:
            BadInput: it is none.

        >>> 1 + 1
        2
        """
        return text * (2 if twice else 1)

    shown = "\n".join(api.entry("made", made))
    for part in (
        "### made", "made(text: str, *, twice: bool = False) -> str", "`code` and a \\* star",
        "- `text`: what from.", "**Returns**: What was made.", "- `BadInput`: it is none.",
        "```pycon\n>>> 1 + 1\n2\n```",
    ):  # fmt: skip
        assert part in shown, part


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks_give_what_they_show(path: Path) -> None:
    held = json.loads(path.read_text("utf-8"))
    again = module_of("notebook").execute(held)
    assert held["nbformat"] == 4

    def texts(notebook: dict[str, Any]) -> list[Any]:
        cells = [c for c in notebook["cells"] if c["cell_type"] == "code"]
        return [[o.get("text") or o["data"]["text/plain"] for o in c["outputs"]] for c in cells]

    assert texts(held) == texts(again)
    assert sum(map(len, texts(held))) >= 5


def test_two_notebooks() -> None:
    assert len(NOTEBOOKS) == 2


def test_pages_in_a_browser(chromium: Any, site: Path) -> None:
    page = new_page(chromium, viewport={"width": 400, "height": 800})
    for name in ("index", "notebooks/first-audit", "explore"):
        page.goto((site / f"{name}.html").as_uri())
        assert overflow(page) <= 0, name
        assert in_both_schemes(page) == [], name
    page.wrong.clear()  # axe tries to read the style, which the page's own policy forbids
    page.set_viewport_size({"width": 1300, "height": 800})
    page.click("nav >> text=What an audit says")
    page.wait_for_url("**/audit.html")
    assert page.locator("[aria-current]").inner_text() == page.locator("h1").inner_text()
    assert page.wrong == []
