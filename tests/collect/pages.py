"""Pages in a browser: looked at by axe-core, and used by keyboard or by finger only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python

from deixis.collect.trial import Act

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
SERIOUS = ("serious", "critical")


def new_page(browser: Any, **options: Any) -> Any:
    """A page in a context of its own; whatever goes wrong on it is noted in `page.wrong`."""
    page = browser.new_context(**options).new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(f"error: {error}"))
    page.on("dialog", lambda dialog: page.wrong.append(f"dialog: {dialog.message}"))
    page.on(
        "console",
        lambda message: page.wrong.append(message.text) if message.type == "error" else None,
    )
    return page


def axe(page: Any, *rules: str) -> list[str]:
    """Serious findings of axe-core, of all its rules or of these, as the page is colored now."""
    if not page.evaluate("typeof axe === 'object'"):
        # the page's own policy forbids foreign scripts, so axe is run beside it
        page.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
        page.evaluate(f"{AXE}; undefined")
    only = f"runOnly: {list(rules)}, " if rules else ""
    found = page.evaluate(f"axe.run({{{only}resultTypes: ['violations']}})")
    return [
        f"{v['id']} ({v['impact']}): {node['html'][:120]} {node.get('failureSummary', '')[:300]}"
        for v in found["violations"]
        if v["impact"] in SERIOUS
        for node in v["nodes"]
    ]


def in_both_schemes(page: Any) -> list[str]:
    """Serious findings in light, and of colors in dark, where nothing but colors differs."""
    found = []
    for scheme, rules in (("light", ()), ("dark", ("color-contrast",))):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{scheme}: {one}" for one in axe(page, *rules)]
    return found


def overflow(page: Any) -> int:
    """Pixels by which a page is wider than its window."""
    script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(script))


def by_keyboard(page: Any, acts: list[Act]) -> None:
    """Do what a person without a mouse does."""
    for act in acts:
        _focus(page, act.where)
        if act.do == "fill":
            page.keyboard.press("Control+A")
            page.keyboard.type(act.what)
        elif act.do == "select":
            page.keyboard.type(act.what)
        elif act.do == "press":
            page.keyboard.press(act.what)
        elif page.evaluate("document.activeElement.type") not in ("radio", "checkbox"):
            page.keyboard.press("Enter")
        elif not page.evaluate("document.activeElement.checked"):
            page.keyboard.press("Space")


def _focus(page: Any, where: str) -> None:
    """Press Tab, and arrows within a group of radio buttons, until the element has the focus."""
    target = f"(e => e.control ?? e)(document.querySelector({where!r}))"  # a label has none itself
    there = f"document.activeElement === {target}"
    group = (
        f"document.activeElement.type === 'radio' && document.activeElement.name === {target}.name"
    )
    for _ in range(80):
        if page.evaluate(there):
            return
        page.keyboard.press("ArrowDown" if page.evaluate(group) else "Tab")
    raise AssertionError(f"the keyboard does not reach {where}")


def by_finger(page: Any, acts: list[Act]) -> None:
    """Do what a person with a phone does."""
    for act in acts:
        target = page.locator(act.where).first
        if act.do == "click":
            target.tap()
        elif act.do == "fill":
            target.tap()
            target.fill(act.what)
        elif act.do == "select":
            target.select_option(act.what)
        else:
            target.press(act.what)
