"""Real Chromium on real pages: every trial type, by mouse, keyboard and finger, with no network."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from sqlalchemy import select

from deixis.collect.context import Collect
from deixis.collect.simulate.browser import perform, visit
from deixis.collect.simulate.population import Person
from deixis.collect.simulate.visits import Tally
from deixis.collect.state import current_step
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import answers, steps
from deixis.collect.trial import Act, Profile
from deixis.seeds import draw
from tests.collect.pages import axe, by_finger, by_keyboard, in_both_schemes, new_page, overflow

PERSON = Person(0, Profile(skill=1.0), draw(0, "person"))


def kept(store: Store) -> list[Any]:
    """Final answers in the order of their steps."""
    rows = (
        select(answers.c.step_id, answers.c.response, answers.c.detail, steps.c.type)
        .join(steps, steps.c.id == answers.c.step_id)
        .where(answers.c.final)
        .order_by(answers.c.id)
    )
    return store.read(lambda c: list(c.execute(rows).all()))


def timeless(response: Any) -> Any:
    """A response without its times."""
    return json.loads(re.sub(r'"ms": [0-9.]+', '"ms": 0', json.dumps(response)))


def finish(page: Any, server: Collect, study: str, act: Any, look: Any = None) -> list[str]:
    """Go from the page that is shown to the end; gives the types of trials met."""
    plan, met, done = server.studies[study].plan, [], ""
    while True:
        page.wait_for_selector(f".trial:not([data-step='{done}']):not([data-sent]), [data-outcome]")
        if look:
            look(page)
        trial = page.query_selector(".trial")
        if trial is None:
            return met
        step = trial.get_attribute("data-step")
        kind, stimulus = current_step(server.store, plan, step)
        response = kind.simulate(stimulus, draw(1, step), Profile(skill=1.0))
        act(page, kind.acts(stimulus, response))
        met.append(kind.name)
        page.wait_for_selector(
            f".trial:not([data-step='{step}']), [data-outcome], .trial[data-told]"
        )
        if page.query_selector(f".trial[data-step='{step}'][data-told]"):
            if look:
                look(page)
            page.keyboard.press("Enter")  # the focus is on the button that goes on
        done = step


@pytest.mark.parametrize("study", ["games", "names"])
def test_what_is_clicked_is_what_is_kept(
    chromium: Any, site: str, server: Collect, study: str
) -> None:
    page, tally = new_page(chromium), Tally()
    running = server.studies[study]
    visit(page, f"{site}/study/{study}", server.store, running, PERSON, tally)
    assert tally.outcomes == {"completed": 1}
    stored = {row.step_id: row.response for row in kept(server.store)}
    assert {s: timeless(r) for s, r in stored.items()} == {
        step: timeless(response) for step, _, response in tally.acknowledged
    }
    times = [r["ms"] for r in stored.values() if "ms" in r]
    assert all(0 < t < 60_000 for t in times)
    assert page.wrong == []


def test_by_keyboard_alone(chromium: Any, site: str, server: Collect) -> None:
    for study, expected in (
        ("games", {"consent", "choose_target", "survey"}),
        ("names", {"consent", "quiz", "describe_whole", "annotate_parts"}),
    ):
        page = new_page(chromium)
        page.goto(f"{site}/study/{study}")
        page.wait_for_selector("[data-start]")
        by_keyboard(page, [Act("click", "[data-start]")])
        assert set(finish(page, server, study, by_keyboard)) == expected
        assert page.wrong == []
        page.context.close()


def test_by_finger_on_320_pixels(chromium: Any, site: str, server: Collect) -> None:
    narrow = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}

    def look(page: Any) -> None:
        assert overflow(page) <= 0
        sizes = page.evaluate(
            "[...document.querySelectorAll('main button, main .choice')]"
            ".map((e) => e.getBoundingClientRect()).map((b) => Math.min(b.width, b.height))"
        )
        assert min(sizes, default=24) >= 24  # WCAG 2.5.8

    for study in ("games", "names"):
        page = new_page(chromium, **narrow)
        page.goto(f"{site}/")
        look(page)
        page.goto(f"{site}/study/{study}")
        page.tap("[data-start]")
        finish(page, server, study, by_finger, look)
        assert page.wrong == []
        page.context.close()


def test_axe_finds_nothing_serious_on_any_page(
    chromium: Any, site: str, server: Collect, accounts: dict[str, str]
) -> None:
    found: dict[str, list[str]] = {}

    def look(page: Any) -> None:
        name = page.url.removeprefix(site).partition("#")[0] + " " + page.title()
        found[f"{len(found)} {name}"] = in_both_schemes(page)

    page = new_page(chromium)
    page.goto(f"{site}/")
    look(page)
    for study in ("games", "names"):
        page = new_page(chromium)
        page.goto(f"{site}/study/{study}")
        page.wait_for_selector("[data-start]")
        look(page)
        page.click("[data-start]")
        seen: set[str] = set()

        def once(page: Any, seen: set[str] = seen) -> None:
            kind = page.get_attribute(".trial, [data-outcome]", "data-type") or "end"
            told = bool(page.query_selector("[data-told]"))
            if (kind, told) not in seen:
                seen.add((kind, told))  # type: ignore[arg-type]
                look(page)

        finish(page, server, study, perform, once)
    page = new_page(chromium)
    page.goto(f"{site}/admin/sign-in")
    look(page)
    page.fill("[name=password]", accounts["owner"])
    page.click("main button")
    for path in (
        "",
        "/studies/games",
        "/studies/games?mode=test",
        "/studies/names",
        "/studies/games/answers",
        "/studies/games/money",
        "/visits/1",
        "/accounts",
    ):
        page.goto(f"{site}/admin{path}")
        look(page)
    page.goto(f"{site}/admin/nowhere")
    look(page)
    assert len(found) >= 20
    assert {name: list_ for name, list_ in found.items() if list_} == {}


def test_axe_would_find_something(chromium: Any, site: str) -> None:
    page = new_page(chromium)
    page.goto(f"{site}/")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('button'), {type: 'button'}))"
    )
    assert any("button-name" in one for one in axe(page))


def begin(chromium: Any, site: str, server: Collect, until: str, study: str = "names") -> Any:
    """A page on which a trial of a type is shown."""
    page = new_page(chromium)
    page.goto(f"{site}/study/{study}")
    page.click("[data-start]")
    plan, done = server.studies[study].plan, ""
    while True:
        page.wait_for_selector(f".trial:not([data-step='{done}']):not([data-sent])")
        trial = page.query_selector(".trial")
        if trial.get_attribute("data-type") == until:
            return page
        done = trial.get_attribute("data-step")
        kind, stimulus = current_step(server.store, plan, done)
        response = kind.simulate(stimulus, draw(1, done), Profile(skill=1.0))
        perform(page, kind.acts(stimulus, response))
        page.wait_for_selector(f".trial:not([data-step='{done}']), .trial[data-told]")
        if page.query_selector(f".trial[data-step='{done}'][data-told]"):
            page.keyboard.press("Enter")


def settle(page: Any) -> None:
    """Wait until everything is saved."""
    page.wait_for_function("document.documentElement.dataset.pending === '0'")
    page.wait_for_timeout(750)  # drafts are sent when the hands rest
    page.wait_for_function("document.documentElement.dataset.pending === '0'")


def half_annotated(page: Any) -> None:
    page.click("[data-piece='1']")
    page.click("[data-piece='6']")
    page.fill("[data-name]", "head")
    page.press("[data-name]", "Enter")
    page.click("[data-piece='2']")
    page.fill("[data-name]", "ta")
    settle(page)


def shown(page: Any) -> dict[str, Any]:
    page.wait_for_selector("[data-piece]")
    found: dict[str, Any] = page.evaluate(
        """() => ({
          parts: [...document.querySelectorAll('[data-parts] .name')].map((e) => e.textContent),
          typed: document.querySelector('[data-name]').value,
          picked: [...document.querySelectorAll('[aria-pressed=true]')].map((e) => e.dataset.piece),
        })"""
    )
    return found


HALF = {"parts": ["head"], "typed": "ta", "picked": ["2"]}


def test_work_goes_on_after_a_refresh_and_on_another_device(
    chromium: Any, site: str, server: Collect
) -> None:
    page = begin(chromium, site, server, "annotate_parts")
    half_annotated(page)
    assert shown(page) == HALF
    page.reload()
    assert shown(page) == HALF
    address = page.url
    assert re.search(r"/study/names#[0-9a-f]{32}$", address)
    other = new_page(chromium)  # nothing is shared but the address
    other.goto(address)
    assert shown(other) == HALF
    other.close()


def test_work_goes_on_after_the_server_was_restarted(chromium: Any, server: Collect) -> None:
    from deixis.collect.app import make_app
    from deixis.web.address import Address
    from deixis.web.server import running
    from tests.collect.conftest import free_port

    address = Address(port=free_port())
    with running(make_app(server), address) as site:
        page = begin(chromium, site, server, "describe_whole")
        page.fill("[data-whole]", "a heron")
        settle(page)
    page.press("[data-whole]", "Enter")  # nobody is there to hear it
    page.wait_for_selector("#saved.note")
    assert "1 not yet saved" in page.text_content("#saved")
    with running(make_app(server), address):
        page.wait_for_selector("[data-type=annotate_parts]")
        assert "a heron" in page.text_content(".called")
        page.goto("about:blank")


def test_without_network_nothing_is_lost_not_even_with_the_page_closed(
    chromium: Any, site: str, server: Collect
) -> None:
    page = begin(chromium, site, server, "describe_whole")
    address = page.url
    page.context.set_offline(True)
    page.fill("[data-whole]", "a heron")
    page.press("[data-whole]", "Enter")
    page.wait_for_selector("#saved.note")
    assert "not yet saved" in page.text_content("#saved")
    before = len(kept(server.store))
    page.close()  # the tab is gone; what was not sent lies in the browser's own database
    page.context.set_offline(False)
    again = page.context.new_page()
    again.goto(address)
    again.wait_for_selector("[data-type=annotate_parts]")
    stored = kept(server.store)
    assert len(stored) == before + 1
    assert stored[-1].response == {"text": "a heron"}
    assert "a heron" in again.text_content(".called")


def test_capitals_do_not_submit(chromium: Any, site: str, server: Collect) -> None:
    """Upstream, letting go of Shift submitted the task once all pieces had a name."""
    page = begin(chromium, site, server, "annotate_parts")
    for piece in range(1, 8):
        page.click(f"[data-piece='{piece}']")
    page.fill("[data-name]", "Everything")
    page.press("[data-name]", "Enter")
    page.click("[data-name]")
    page.keyboard.press("Shift+H")
    page.wait_for_timeout(300)
    assert page.query_selector("[data-type=annotate_parts]")
    assert not any(row.type == "annotate_parts" for row in kept(server.store))
    assert "one name" in page.text_content("[role=status].soft")


def test_buttons_say_what_they_do(chromium: Any, site: str, server: Collect) -> None:
    page = begin(chromium, site, server, "annotate_parts")
    assert page.is_disabled("[data-submit]")
    assert page.is_disabled("[data-annotate]")
    page.click("[data-piece='1']")
    page.fill("[data-name]", "?!")
    assert page.is_disabled("[data-annotate]")  # no letter
    page.fill("[data-name]", "leg and foot")
    page.press("[data-name]", "Enter")
    assert "one by one" in page.text_content("[role=status].soft")
    page.click("[data-piece='2']")
    page.fill("[data-name]", " leg and foot")
    assert page.text_content("[data-annotate]") == "Add to “leg and foot”"
    assert page.get_attribute("[data-piece='1']", "aria-label").endswith(", part of leg and foot")
    page.click("[data-piece='1']", force=True)  # it says that it is disabled, and why
    assert "has a name already" in page.text_content("[role=status].soft")
    page.click("[data-remove]")
    assert page.get_attribute("[data-piece='1']", "aria-disabled") == "false"


@pytest.mark.parametrize(
    "text", ["<img src=x onerror=hacked()>", "</title><script>hacked()</script>"]
)
def test_words_are_never_markup(chromium: Any, site: str, server: Collect, text: str) -> None:
    page = begin(chromium, site, server, "describe_whole")
    page.evaluate("window.hacked = () => { document.title = 'hacked'; }")
    page.fill("[data-whole]", text)
    page.press("[data-whole]", "Enter")
    page.wait_for_selector("[data-type=annotate_parts]")
    assert page.text_content(".called strong") == text
    page.click("[data-piece='1']")
    page.fill("[data-name]", text)
    page.press("[data-name]", "Enter")
    assert page.text_content("[data-parts] .name") == text
    page.click("[data-piece='2']")
    page.fill("[data-name]", text)
    page.wait_for_timeout(100)
    assert page.title() != "hacked"
    assert page.query_selector("main img") is None
    assert page.wrong == []


def test_what_cannot_stand_is_said_on_the_page(chromium: Any, site: str, server: Collect) -> None:
    page = begin(chromium, site, server, "survey", "games")
    page.click("[data-continue]")
    page.wait_for_selector("[role=alert]:not([hidden])")
    assert page.text_content("[role=alert]") == "Please answer: Where?"
    page.click("[data-question=country] label:nth-of-type(1)")
    page.fill("[data-question=languages] input", "English")
    page.select_option("[data-question=languages] select", "5")
    page.click("[data-continue]")
    page.wait_for_selector("[data-outcome=completed]")


def test_leaving_with_everything_erased(chromium: Any, site: str, server: Collect) -> None:
    page = begin(chromium, site, server, "choose_target", "games")
    page.click("#leave")
    page.check("#erase")
    page.click("dialog[open] .danger")
    page.wait_for_selector("[data-outcome=withdrawn]")
    assert kept(server.store) == []
    page.reload()
    page.wait_for_selector("[data-start]")


def test_somebody_else_at_the_same_computer(chromium: Any, site: str, server: Collect) -> None:
    page = begin(chromium, site, server, "choose_target", "games")
    step = page.get_attribute(".trial", "data-step")
    page.close()
    again = page.context.new_page()
    again.goto(f"{site}/study/games")
    again.wait_for_selector("[data-resume]")
    assert again.text_content("[data-start]") == "Start anew"
    again.click("[data-resume]")
    again.wait_for_selector(f"[data-step='{step}']")
