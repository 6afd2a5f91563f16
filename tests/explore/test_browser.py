"""Real Chromium on real pages: clicks, keys, narrow windows, both schemes, axe-core."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deixis.explore.opened import Opened
from tests.collect.pages import in_both_schemes, new_page, overflow
from tests.explore.small import Ran

Serve = Callable[[Opened], str]


@pytest.fixture
def games_site(opened_games: Opened, serve: Serve) -> str:
    """Games, and their player ready."""
    assert opened_games.seat.wait().condition == "ready"
    return serve(opened_games)


@pytest.fixture
def rooms_site(opened_rooms: Opened, serve: Serve) -> str:
    """Dialogs, and their guesser ready."""
    assert opened_rooms.seat.wait().condition == "ready"
    return serve(opened_rooms)


def edited(page: Any, site: str, trial: str) -> None:
    """Go to the form of a trial, and wait for the first replay."""
    page.goto(f"{site}/edit?id={trial}")
    page.wait_for_selector("[data-side=edited]")


def test_from_a_number_of_the_audit_to_an_edit(
    chromium: Any, games_site: str, opened_games: Opened
) -> None:
    page = new_page(chromium)
    page.goto(f"{games_site}/audit")
    row = page.locator("tr", has_text="color=drop").first
    row.locator("a", has_text="%").click()
    page.wait_for_url("**/?under=color*show=changed*")
    assert page.locator("select[name=under]").input_value() == "color=drop"
    assert "changed by the intervention" in page.locator("h1").inner_text()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/trial?id=**")
    page.wait_for_load_state()
    first = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: url != first)
    page.wait_for_load_state()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(first)
    page.wait_for_load_state()
    page.keyboard.press("e")
    page.wait_for_url("**/edit?id=**")
    page.wait_for_selector("[data-side=edited]")
    assert page.wrong == []


def test_filters_follow_the_select(chromium: Any, games_site: str) -> None:
    page = new_page(chromium)
    page.goto(games_site)
    page.select_option("select[name=show]", "wrong")
    page.wait_for_url("**show=wrong**")
    assert "page=" not in page.url
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.type("swan")
    page.keyboard.press("Enter")
    page.wait_for_url("**text=swan**")
    assert page.wrong == []


def test_parts_light_up_their_pieces(chromium: Any, games_site: str, opened_games: Opened) -> None:
    page = new_page(chromium)
    page.goto(f"{games_site}/trial?id={opened_games.task.trials[3].id}")
    face = page.locator("[data-described]").first
    chip = face.locator("button.chip").nth(1)
    target = face.locator(".candidate.target svg")
    own = target.locator("polygon[data-part='2']").count()
    assert own
    chip.hover()
    assert target.locator("polygon.lit").count() == own
    page.mouse.move(0, 0)
    assert target.locator("polygon.lit").count() == 0
    chip.focus()
    page.keyboard.press("Enter")
    assert chip.get_attribute("aria-pressed") == "true"
    page.locator("h1").click()
    assert target.locator("polygon.lit").count() == own
    target.locator("polygon[data-part='1']").first.hover()
    assert (
        face.locator("button.chip.lit").inner_text()
        == face.locator("button.chip").first.inner_text()
    )
    assert target.locator("polygon[data-part='1'] title").first.text_content() == (
        face.locator("button.chip").first.inner_text().strip()
    )
    with page.expect_download() as download:
        face.locator("a.svg").first.click()
    assert download.value.suggested_filename.endswith(".svg")
    assert page.wrong == []


def test_a_dialog_edited_by_hand(
    chromium: Any, rooms_site: str, opened_rooms: Opened, tmp_path: Path
) -> None:
    trial = opened_rooms.task.trials[2].id
    page = new_page(chromium)
    edited(page, rooms_site, trial)
    before = page.locator("[data-side=edited] p").first.inner_text()
    page.fill("[data-key=answer-4] textarea", "<b>no idea</b>")
    page.wait_for_selector("ins")
    assert page.locator("ins").first.inner_text() == "<b>no idea</b>"
    assert page.locator("[data-key=answer-4].edited-slot del").count()
    assert page.locator("[data-side=edited] p").first.inner_text() != before
    assert page.locator("[data-side=original] p").first.inner_text() == before
    assert page.locator(".before-line").get_attribute("points") != page.locator(
        ".after-line"
    ).get_attribute("points")
    blue = page.evaluate("getComputedStyle(document.querySelector('ins')).color")
    assert blue == page.evaluate("getComputedStyle(document.querySelector('.after-line')).stroke")
    assert "edits=" in page.url
    link = page.url
    with page.expect_download() as download:
        page.click("[data-save]")
    download.value.save_as(tmp_path / "mine.toml")
    held = tomllib.loads((tmp_path / "mine.toml").read_text("utf-8"))
    assert held["edit"] == [{"channel": "answer", "at": 4, "value": "<b>no idea</b>"}]
    page.click("text=Undo all")
    page.wait_for_url(f"{rooms_site}/edit?id={trial}")
    page.set_input_files("[data-load]", tmp_path / "mine.toml")
    page.wait_for_url(link)
    assert page.locator("[data-key=answer-4] textarea").input_value() == "<b>no idea</b>"
    (tmp_path / "bad.toml").write_text("trial = ")
    page.set_input_files("[data-load]", tmp_path / "bad.toml")
    page.get_by_text("bad.toml: not TOML").wait_for()
    assert page.locator("[data-key=answer-4] textarea").input_value() == "<b>no idea</b>"
    assert [w for w in page.wrong if "422" not in w] == []


def test_colors_names_and_pictures_by_keyboard(
    chromium: Any, games_site: str, opened_games: Opened
) -> None:
    page = new_page(chromium)
    trial = opened_games.task.trials[3]
    edited(page, games_site, trial.id)
    page.check("[name=brush][value='0']")
    page.locator("[data-key=color-1] [data-piece]").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**color**")
    page.select_option("[data-key=shape-2] select", "noise:raw:1")
    page.wait_for_selector(".changed-picture img[src*='/picture/']")
    other = opened_games.task.trials[40].pictures[0].source
    page.select_option("[data-key=shape-3] select", "picture:")
    page.keyboard.type(other)
    page.wait_for_url(f"**{other}**")
    page.click("[data-add]")
    page.keyboard.type("a ninth tail")
    page.wait_for_url("**ninth**")
    page.reload()
    page.wait_for_selector("[data-side=edited]")
    assert page.locator("[data-key=shape-3] .edited input").input_value() == other
    assert page.locator("[data-key=shape-2] select").input_value() == "noise:raw:1"
    assert page.locator(".changed-picture").count() == 3
    assert page.wrong == []


def test_a_server_that_goes_away_loses_nothing(chromium: Any, opened_rooms: Opened) -> None:
    from deixis.explore.app import make_app
    from deixis.web.address import Address
    from deixis.web.server import running

    assert opened_rooms.seat.wait().condition == "ready"
    page = new_page(chromium)
    with running(make_app(opened_rooms, Address())) as site:
        edited(page, site, opened_rooms.task.trials[1].id)
    page.fill("[data-key=caption-0] textarea", "a hall")
    page.wait_for_selector("[data-error]:not([hidden])")
    assert "cannot be reached" in page.locator("[data-error]").inner_text()
    assert page.locator("[data-key=caption-0] textarea").input_value() == "a hall"


def test_a_missing_picture_is_said(chromium: Any, game_run: Ran, cache: Path, serve: Serve) -> None:
    opened = game_run.open(cache)
    site = serve(opened)

    def broken(picture: Any) -> None:
        from deixis.errors import BadInput

        raise BadInput("swan.png is not in the archive")

    opened.pictures.thumbnail = broken  # type: ignore[method-assign]
    page = new_page(chromium)
    page.goto(site)
    page.wait_for_selector(".shot.missing")
    assert page.locator(".shot.missing").first.inner_text() == (
        "This picture is missing: swan.png is not in the archive."
    )


def test_narrow_both_schemes_and_axe(
    chromium: Any, games_site: str, rooms_site: str, opened_games: Opened, opened_rooms: Opened
) -> None:
    """Every template once; dialogs look otherwise than games where they have rounds."""
    game, room = opened_games.task.trials[3].id, opened_rooms.task.trials[3].id
    page = new_page(chromium, viewport={"width": 400, "height": 800})
    found: dict[str, list[str]] = {}
    for link in (
        f"{games_site}/?under=color%3Ddrop&order=effect",
        f"{games_site}/trial?id={game}&under=color%3Ddrop",
        f"{games_site}/edit?id={game}",
        f"{games_site}/audit",
        f"{games_site}/?show=frob",
        f"{rooms_site}/",
        f"{rooms_site}/trial?id={room}&under=caption%3Ddrop",
        f"{rooms_site}/edit?id={room}",
        f"{rooms_site}/audit",
    ):
        page.goto(link)
        if "/edit" in link:
            page.wait_for_selector("[data-side=edited]")
        assert overflow(page) <= 0, link
        found[link] = in_both_schemes(page)
    assert {link: one for link, one in found.items() if one} == {}
