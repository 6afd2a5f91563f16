"""Rating, writing and judging in real Chromium: what is clicked is kept, and axe finds nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.collect.conftest import SECRET
from tests.collect.pages import by_keyboard, in_both_schemes, new_page, overflow
from tests.collect.small import START, Session, pairs

from deixis.collect.app import make_app
from deixis.collect.context import Collect
from deixis.collect.items import rounds
from deixis.collect.pictures.gathered import Gathered
from deixis.collect.running import run_studies
from deixis.collect.simulate.browser import perform
from deixis.collect.state import current_step
from deixis.collect.store.accounts import add_account
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import answers, hands, people, things
from deixis.collect.trial import Act, Profile
from deixis.seeds import draw
from deixis.web.address import Address
from deixis.web.server import running

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
STAGES = ("rate", "write", "judge")
BEFORE = {
    "rate": (),
    "write": ("w2", "w3"),
    "judge": tuple(f"j{i}" for i in range(12)),
    "again": (),
}
"""Who has been there before somebody comes with a keyboard."""


@pytest.fixture
def line(sqlite: Store, gathered: Gathered, tmp_path: Path) -> Collect:
    """All stages, with something to do in each."""
    a, b = list(gathered.photos)[:2]
    known = {"sentence": "Both show it.", "pictures": [a, b], "truth": "false", "why": "One does."}
    phases = [
        {"name": "try", "type": "validate_sentence", "use": "practice", "feedback": True},
        {"name": "work", "type": "validate_sentence", "use": "pool"},
    ]
    judge = pairs("judge", gathered.folder, pool={"examples": [known]}, phase=phases)
    study = {s: pairs(s, gathered.folder) for s in ("rate", "write", "again")}
    study["judge"] = judge
    caps = {"per_visit": 1, "visits": 9, "minutes": 15}
    made = [s.model_copy(update={"caps": s.caps.model_copy(update=caps)}) for s in study.values()]
    studies = run_studies(sqlite, made)
    for stage, names in (("rate", ("r1", "r2", "r3", "r4", "r5")), ("write", ("w1",))):
        for name in names:
            Session(sqlite, studies[f"pairs-{stage}"]).arrives(name).finishes()
    sqlite.write(rounds.draw_round, studies["pairs-write"].id, "live", "x", START)
    return Collect(sqlite, studies, SECRET, Address(port=0), tmp_path)


def worked(page: Any, server: Collect, study: str, look: Any, do: Any = perform) -> dict[str, Any]:
    """Go to the end; the final responses by step."""
    plan, given, done = server.studies[study].plan, {}, ""
    do(page, [Act("click", "[data-start]")])
    while True:
        page.wait_for_selector(f".trial:not([data-step='{done}']):not([data-sent]), [data-outcome]")
        trial = page.query_selector(".trial")
        if trial is None:
            return given
        done = trial.get_attribute("data-step")
        kind, stimulus = current_step(server.store, plan, done)
        response = kind.simulate(stimulus, draw(1, "browser"), Profile(skill=0.9))
        acts = kind.acts(stimulus, response)
        do(page, acts[:-1])
        if kind.name != "consent":
            look(page)
        do(page, acts[-1:])
        given[done] = response.model_dump(mode="json")
        page.wait_for_selector(f".trial:not([data-step='{done}']), [data-outcome], [data-told]")
        if page.query_selector(f".trial[data-step='{done}'][data-told]"):
            look(page)
            page.keyboard.press("Enter")


def test_rating_writing_and_judging(chromium: Any, line: Collect) -> None:
    found: list[str] = []
    looks: list[str] = []

    def look(page: Any) -> None:
        looks.append(page.get_attribute(".trial", "data-type"))
        found.extend(in_both_schemes(page))

    with running(make_app(line)) as url:
        for stage in STAGES:
            page = new_page(chromium)
            page.goto(f"{url}/study/pairs-{stage}?id=somebody")
            given = worked(page, line, f"pairs-{stage}", look)
            assert page.wrong == []
            page.context.close()
            assert timeless(kept(line.store, given)) == timeless(given)
        page = new_page(chromium)
        password = add_account(line.store, "owner", "owner")
        page.goto(f"{url}/admin/sign-in")
        page.fill("[name=password]", password)
        page.click("main button")
        for path in ("studies/pairs-write/rounds", "collections/pairs"):
            page.goto(f"{url}/admin/{path}")
            found += in_both_schemes(page)
        page.context.close()
    assert found == []
    assert looks == ["rate_set", "write_contrast"] + ["validate_sentence"] * 3


def test_a_third_pair_is_refused_in_words(chromium: Any, line: Collect) -> None:
    with running(make_app(line)) as url:
        page = new_page(chromium)
        page.goto(f"{url}/study/pairs-write?id=somebody")
        page.click("[data-start]")
        page.click("[data-agrees=true]")
        for pair in (0, 2, 3):
            page.click(f"[data-pair='{pair}']")
        assert page.get_attribute("[data-pair='3']", "aria-pressed") == "false"
        assert "take one of them back" in page.text_content(".hints")
        page.context.close()


def test_photographs_to_judge_are_large_and_keep_their_shape(chromium: Any, line: Collect) -> None:
    shape = "e => [e.clientWidth, e.clientHeight, e.naturalWidth / e.naturalHeight]"
    with running(make_app(line)) as url:
        page = new_page(chromium, **PHONE)
        page.goto(f"{url}/study/pairs-judge?id=somebody")
        page.tap("[data-start]")
        page.wait_for_selector("[data-verdict]")
        for name in ("Left", "Right"):
            width, height, true = page.eval_on_selector(f"[alt='{name} picture']", shape)
            assert width > 200
            assert abs(width / height - true) < 0.02
        page.context.close()


def kept(store: Store, steps: Iterable[str]) -> dict[str, Any]:
    """The final responses of steps, as the store has them."""
    query = select(answers.c.step_id, answers.c.response).where(
        answers.c.step_id.in_(list(steps)), answers.c.final
    )
    rows = store.read(lambda c: c.execute(query).all())
    return {r.step_id: r.response for r in rows}


def timeless(given: dict[str, Any]) -> dict[str, Any]:
    return {step: response | {"ms": 0} for step, response in given.items()}


def test_by_keyboard_alone_down_to_a_second_look(chromium: Any, line: Collect) -> None:
    """All four stages; the last takes on what is for development, and decides on it."""
    at = {s: Session(line.store, line.studies[f"pairs-{s}"]) for s in (*STAGES, "again")}
    with running(make_app(line)) as url:
        for stage, before in BEFORE.items():
            for name in before:
                at[stage].arrives(name).finishes()
            page = new_page(chromium)
            page.goto(f"{url}/study/pairs-{stage}?id=by-keyboard")
            given = worked(page, line, f"pairs-{stage}", lambda _: None, by_keyboard)
            assert page.wrong == []
            page.context.close()
            assert timeless(kept(line.store, given)) == timeless(given)
            assert len(given) >= 2  # consent, and the work
    others = (at["again"].arrives(f"b{n}") for n in itertools.count())
    assert any(person.finishes().outcome == "full" for person in others)  # until all is looked at
    looked = (
        select(things.c.split, things.c.state)
        .join(hands, hands.c.thing_id == things.c.id)
        .join(people, people.c.id == hands.c.person_id)
        .where(people.c.raw == "by-keyboard", hands.c.study_id == at["again"].running.id)
    )
    ((split, state),) = line.store.read(lambda c: c.execute(looked).all())
    assert split in ("dev", "test1")  # training is not looked at again
    assert state in ("kept", "dropped")  # by four people


def test_on_a_phone(chromium: Any, line: Collect) -> None:
    with running(make_app(line)) as url:
        for stage in STAGES:
            page = new_page(chromium, **PHONE)
            page.goto(f"{url}/study/pairs-{stage}?id=somebody-else")
            wide: list[int] = []
            worked(page, line, f"pairs-{stage}", lambda p, wide=wide: wide.append(overflow(p)))
            assert max(wide) <= 0
            page.context.close()


def test_hints_and_what_cannot_stand(chromium: Any, line: Collect) -> None:
    with running(make_app(line)) as url:
        page = new_page(chromium)
        page.goto(f"{url}/study/pairs-write?id=hinted")
        page.click("[data-start]")
        page.click("[data-agrees=true]")
        page.fill("[data-sentence]", "Both are cute.")
        hints = page.text_content(".hints")
        assert "anybody would agree on" in hints
        assert "rather than name them" in hints
        page.click("[data-pair='0']")
        for pair in (1, 2):
            page.click(f"[data-pair='{pair}']")
        pressed = page.eval_on_selector_all("[aria-pressed=true]", "e => e.length")
        assert pressed == 2  # a third is not taken
        page.click("[data-pair='1']")
        page.click("[data-submit]")
        page.wait_for_selector("[role=alert]:not([hidden])")
        assert page.text_content("[role=alert]") == "Please choose two of the four pairs."
        page.context.close()
