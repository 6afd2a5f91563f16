"""The report stands alone, in light and dark, and says what the audit says."""

from __future__ import annotations

import re
from functools import partial
from html.parser import HTMLParser

import pytest

from deixis.audit.audit import Audit, Spec, audit
from deixis.audit.report.changed import changes
from deixis.audit.report.figures import Bar, Line, bars, curves, forest
from deixis.audit.report.html import render, summary
from deixis.players.common.planted import planted
from deixis.runs.play import play
from deixis.sources import load
from deixis.tasks.make import make


@pytest.fixture(scope="module")
def answered() -> Audit:
    task = make(load("figures", variants=4))
    player = planted("whole=0.3,color=0.1", task)
    do = ("whole=drop", "color=drop", "shape=drop", "whole=words:0.3", "whole=words:0.9")
    spec = Spec(do=do, shapley=True, gradual=True, resamples=200)
    return audit(task, partial(play, task, player), spec)


@pytest.fixture(scope="module")
def page(answered: Audit) -> str:
    return render(answered)


_EMPTY = {"meta", "img", "br", "line", "rect", "circle", "polygon", "polyline"}


class Links(HTMLParser):
    """Collects everything that a browser would fetch, and unbalanced tags."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [v or "" for k, v in attrs if k in ("src", "href", "xlink:href", "data")]
        if tag not in (
            "meta",
            "img",
            "br",
            "link",
            "line",
            "rect",
            "circle",
            "polygon",
            "polyline",
        ):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _EMPTY:
            return
        assert self.open.pop() == tag


def test_nothing_is_fetched_and_every_tag_is_closed(page: str) -> None:
    links = Links()
    links.feed(page)
    assert links.open == []
    assert links.fetched
    assert all(f.startswith("data:image/") for f in links.fetched)
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_it_says_what_the_audit_says(page: str, answered: Audit) -> None:
    text = re.sub(r"<[^>]+>", " ", page)
    for gap in answered.of("gap"):
        assert gap.of in page
        assert f"{100 * gap.value:.1f}" in text
    assert "uses whole" in summary(answered)
    assert "does not use shape beyond ±1 points" in summary(answered)
    assert answered.run.task.dataset.fingerprint in page
    assert "Less and less" in page
    assert "Part by part" in page
    assert "The score shared out" in page


def test_ten_changed_trials_with_pictures_before_and_after(answered: Audit) -> None:
    found = changes(answered)
    assert len(found) == 10
    for change in found:
        assert change.before.credit > change.after.credit
        assert len(change.before.pictures) == len(change.after.pictures) == 10
        assert sum(p.target for p in change.before.pictures) == 1
        assert sum(p.chosen for p in change.before.pictures) == 1
    whole = next(c for c in found if c.condition == "whole=drop")
    assert whole.before.texts["whole"]
    assert not whole.after.texts["whole"]


def test_text_is_never_markup(answered: Audit) -> None:
    assert "&lt;b&gt;" in forest([Bar("<b>", 1.0, 0.5, 1.5)], 1.0, "x")
    assert "<b>" not in bars([Bar("<b>", 1.0, 0.5, 1.5)], "x")
    assert "<b>" not in curves([Line("<b>", [(0, 1, 0, 2), (1, 2, 1, 3)])], "x", "y", "z")


def test_figures_bear_missing_intervals() -> None:
    nan = float("nan")
    assert "interval" not in forest([Bar("a", 1.0, nan, nan)], 1.0, "x")
    assert "polygon" not in curves([Line("a", [(0, 1, nan, nan), (1, 2, nan, nan)])], "x", "y", "z")
