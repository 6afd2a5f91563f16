"""Visits through a real browser: simulated people click, type and press keys on the pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from deixis.collect.running import Running
from deixis.collect.simulate.population import Person, answered
from deixis.collect.simulate.talking import talk_on_page
from deixis.collect.simulate.visits import Tally
from deixis.collect.store.engine import Store
from deixis.collect.trial import Act
from deixis.errors import BadInput, extra

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
SORRY = ".card:not(.trial):not(.welcome) h1"
"""A page that is neither a trial nor the end: it says why not."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser that is installed on this machine, without a window.

    Raises:
        BadInput: there is none, or what drives it is not installed.
    """
    driver = extra("playwright.sync_api", "browser")
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        raise BadInput("--browser: found no Chromium on this machine; install it and try again")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def visit(
    page: Any, url: str, store: Store, running: Running, person: Person, tally: Tally
) -> None:
    """One visit, from the link to the end.

    Args:
        page: of the browser, in a context of its own.
        url: of the study's page.
        store: to look up what the person sees.
        running: the study.
        person: who it is.
        tally: where results go.
    """
    page.goto(url)
    page.click("[data-start]")
    done = ""
    while True:
        page.wait_for_selector(
            f".trial:not([data-step='{done}']):not([data-sent]), [data-outcome], {SORRY}"
        )
        trial = page.query_selector(".trial")
        if trial is None:
            end = page.query_selector("[data-outcome]")
            tally.outcomes[end.get_attribute("data-outcome") if end else "refused"] += 1
            return
        step = trial.get_attribute("data-step")
        given = answered(store, running, step, person)
        if given is None:
            tally.outcomes["left"] += 1
            return
        kind, stimulus, response = given
        if kind.name == "dialog":
            talk_on_page(page, person)
        perform(page, kind.acts(stimulus, response))
        page.wait_for_selector(
            f".trial:not([data-step='{step}']), [data-outcome], .trial[data-told]"
        )
        if page.query_selector(f".trial[data-step='{step}'][data-told]"):
            page.click("[data-told] [data-continue]")
        tally.acknowledged.append((step, "", response.model_dump(mode="json")))
        done = step


def perform(page: Any, acts: Iterable[Act]) -> None:
    """Do to a page what a person would do."""
    for act in acts:
        target = page.locator(act.where).first
        if act.do == "click":
            target.click()
        elif act.do == "fill":
            target.fill(act.what)
        elif act.do == "select":
            target.select_option(act.what)
        else:
            target.press(act.what)
