"""Make the documentation site: pages of Markdown, notebooks, commands and the API, as plain HTML.

    python docs/site/build.py OUT

The site needs no server, no script and nothing from elsewhere: it can be opened from a folder.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import sys
import tomllib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

HERE = Path(__file__).parent
DOCS = HERE.parent
sys.path.insert(0, str(HERE))

from api import api_markdown  # noqa: E402
from notebook import notebook_markdown  # noqa: E402

_NOTE = re.compile(r"^<!--.*?-->\n", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """One page.

    Attributes:
        name: its path without an ending, relative to the site.
        title: its first heading.
        section: of the navigation.
        body: HTML.
        headings: of the second level, with their anchors.
    """

    name: str
    title: str
    section: str
    body: Markup
    headings: tuple[tuple[str, str], ...]

    @property
    def root(self) -> str:
        """The way from the page to the top of the site."""
        return "../" * self.name.count("/")


def build(out: Path) -> list[Page]:
    """Write the site to a folder, which is made anew.

    Args:
        out: the folder.

    Returns:
        Its pages in the order of the navigation.
    """
    nav = tomllib.loads((HERE / "nav.toml").read_text("utf-8"))
    pages = [_page(name, s["title"], nav) for s in nav["section"] for name in s["pages"]]
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    made = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined
    ).get_template("page.html.j2")
    sections = {s["title"]: [p for p in pages if p.section == s["title"]] for s in nav["section"]}
    for i, page in enumerate(pages):
        near = [pages[j] if 0 <= j < len(pages) else None for j in (i - 1, i + 1)]
        path = out / f"{page.name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            made.render(page=page, sections=sections, before=near[0], after=near[1]), "utf-8"
        )
    shutil.copytree(DOCS / "images", out / "images")
    shutil.copytree(DOCS / "schemas", out / "schemas")
    styles = (HERE / "site.css").read_text("utf-8")
    (out / "site.css").write_text(styles + HtmlFormatter(style="default").get_style_defs("pre"))
    return pages


def source(name: str, nav: dict[str, Any]) -> str:
    """A page as Markdown: from a file, a notebook, or the code."""
    if name == "api":
        return api_markdown(nav["api"])
    if name == "commands":
        return _commands()
    if name.startswith("notebooks/"):
        return notebook_markdown(json.loads((DOCS / f"{name}.ipynb").read_text("utf-8")))
    return (DOCS / f"{name}.md").read_text("utf-8")


def _commands() -> str:
    from deixis.cli import application

    text = application().generate_docs(
        output_format="markdown", recursive=True, include_hidden=False, heading_level=1
    )
    # The names below are the page's own headings.
    text = re.sub(r"^## Table of Contents\n.*?(?=^\*\*Commands)", "", text, flags=re.M | re.S)
    text = text.replace("# deixis\n", "# Commands\n", 1)
    return re.sub(r"^#{2,} (deixis \S+)$", r"## \1", text, flags=re.MULTILINE)


def _page(name: str, section: str, nav: dict[str, Any]) -> Page:
    parser = MarkdownIt("commonmark", {"html": name.startswith("notebooks/")}).enable("table")
    parser.options["highlight"] = _highlighted
    tokens = parser.parse(_NOTE.sub("", source(name, nav)))
    title, headings, used = "", [], set[str]()
    for token, inner in pairwise(tokens):
        if token.type == "heading_open":
            said = "".join(t.content for t in inner.children or ())
            token.attrSet("id", _anchor(said, used))
            if token.tag == "h1" and not title:
                title = said
            elif token.tag == "h2":
                headings.append((str(token.attrGet("id")), said))
        for part in inner.children or () if inner.type == "inline" else ():
            if part.type == "link_open":
                part.attrSet("href", _linked(str(part.attrGet("href"))))
            elif part.type == "image":
                part.attrSet("loading", "lazy")
    body = parser.renderer.render(tokens, parser.options, {})
    body = body.replace("<table>", '<div class="wide"><table>')
    body = body.replace("</table>", "</table></div>")
    return Page(name, title, section, Markup(body), tuple(headings))


def _anchor(said: str, used: set[str]) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-") or "section"
    name, number = plain, 1
    while name in used:
        number += 1
        name = f"{plain}-{number}"
    used.add(name)
    return name


def _linked(link: str) -> str:
    """Links between pages of Markdown and notebooks lead to their HTML."""
    return re.sub(r"^(?!https?:)([^#]+)\.(md|ipynb)(#.*)?$", r"\1.html\3", link)


def _highlighted(code: str, language: str, _: str) -> str:
    """A block of code in colors; an empty text has it shown as it is."""
    try:
        lexer = get_lexer_by_name({"text": "text", "sh": "bash"}.get(language, language))
    except ClassNotFound:
        return ""
    inner = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return f'<pre tabindex="0"><code class="language-{html.escape(language)}">{inner}</code></pre>'


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "site")
    print(f"{len(build(place))} pages in {place}")
