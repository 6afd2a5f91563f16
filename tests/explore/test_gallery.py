"""The gallery: pages, filters, orders, links, and what is said where something is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from deixis.errors import BadInput
from deixis.explore.opened import Opened
from deixis.explore.query import ORDERS, SHOWN, SIZE, Query, number_of, page, select
from deixis.runs import columns
from deixis.tasks.task import Task
from tests.explore.small import played

HTML = {"accept": "text/html"}


def ids(text: str) -> list[str]:
    """Ids of the trials on a page, in order."""
    return re.findall(r'class="open" href="[^"]*"><code>([^<]*)</code>', text)


def test_pages_hold_every_trial_once(client: TestClient, opened_games: Opened) -> None:
    met: list[str] = []
    for number in range(1, 4):
        met += ids(client.get(f"/?page={number}", headers=HTML).text)
    assert met == [t.id for t in opened_games.task.trials]
    assert ids(client.get("/?page=99", headers=HTML).text) == met[2 * SIZE :]


def test_filters_and_orders_agree_with_the_outcomes(opened_games: Opened) -> None:
    index = opened_games.index
    track = next(t for t in opened_games.tracks if t.condition == "color=drop")
    outcomes = [columns.read(path) for _, path in track.files]
    base = [columns.read(path) for _, path in opened_games.tracks[0].files]
    credit = np.mean([o.credit for o in outcomes], axis=0)
    lost = np.mean([o.credit for o in base], axis=0) - credit
    changed = np.any([a.choice != b.choice for a, b in zip(outcomes, base, strict=True)], axis=0)
    assert 0 < changed.sum() < len(changed)

    def found(**asked: str) -> list[int]:
        return select(index, Query.of({"under": "color=drop", **asked})).tolist()

    assert found(show="changed") == np.flatnonzero(changed).tolist()
    assert set(found(show="wrong")) == set(np.flatnonzero(credit < 0.5))
    assert sorted([*found(show="wrong"), *found(show="right")]) == list(range(60))
    assert (np.diff(lost[found(order="effect")]) <= 1e-6).all()
    assert (np.diff(lost[found(order="gain")]) >= -1e-6).all()
    assert (np.diff(credit[found(order="worst")]) >= -1e-6).all()
    assert (np.diff(credit[found(order="best")]) <= 1e-6).all()
    assert found(show="odd") == []
    for order in ORDERS:
        assert sorted(found(order=order)) == list(range(60))


def test_filters_by_what_a_trial_is(opened_games: Opened) -> None:
    index, trials = opened_games.index, opened_games.task.trials
    cluster = trials[5].clusters[0][1]
    chosen = select(index, Query(cluster=cluster))
    assert [i for i, t in enumerate(trials) if t.clusters[0][1] == cluster] == chosen.tolist()
    parts = len(trials[5].texts[0].parts)
    assert select(index, Query(parts=parts)).tolist() == [
        i for i, t in enumerate(trials) if len(t.texts[0].parts) == parts
    ]
    word = trials[5].texts[0].whole.upper()
    assert 5 in select(index, Query(text=word))
    assert select(index, Query(text="no such words")).tolist() == []
    assert select(index, Query(group="no such group")).tolist() == []


def test_ties_are_found(games: Task, opened_games: Opened, tmp_path: Path, cache: Path) -> None:
    """Who likes all options the same ties everywhere; who chooses one, nowhere."""
    same = played(games, "constant", tmp_path / "same").open(cache)
    assert select(same.index, Query(show="ties")).tolist() == list(range(60))
    assert select(opened_games.index, Query(show="ties")).tolist() == []
    assert select(same.index, Query(show="wrong")).tolist() == []


def test_dialogs_are_ordered_by_rank(opened_rooms: Opened) -> None:
    index = opened_rooms.index
    outcomes = columns.read(opened_rooms.tracks[0].files[0][1])
    outcomes = outcomes.at(int(outcomes.rounds.max()))
    rank = dict(zip(outcomes.ids.tolist(), outcomes.rank.tolist(), strict=True))
    trials = opened_rooms.task.trials
    worst = [rank[trials[i].id] for i in select(index, Query(order="worst"))]
    assert worst == sorted(worst, reverse=True)
    assert sorted(select(index, Query(order="best")).tolist()) == list(range(40))


@pytest.mark.parametrize("show", SHOWN)
def test_every_filter_is_a_page(client: TestClient, show: str) -> None:
    answer = client.get("/", params={"show": show, "under": "color=drop"}, headers=HTML)
    assert answer.status_code == 200
    assert SHOWN[show] in answer.text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"show": "frob"}, "there is no &#39;frob&#39;"),
        ({"order": "frob"}, "there is no &#39;frob&#39;"),
        ({"under": "frob"}, "nothing was played under &#39;frob&#39;"),
        ({"subset": "frob"}, "there is no subset &#39;frob&#39;"),
        ({"page": "x"}, "page: expected a whole number"),
        ({"parts": "1e9"}, "parts: expected a whole number"),
    ],
)
def test_links_that_ask_for_nothing(client: TestClient, asked: dict[str, str], said: str) -> None:
    answer = client.get("/", params=asked, headers=HTML)
    assert answer.status_code == 400
    assert said in answer.text


def test_links_hold_the_whole_state() -> None:
    state = Query("color=drop", "wrong", "effect", "swan", "", 3, "", "a & b?", 2)
    from urllib.parse import parse_qsl

    assert Query.of(dict(parse_qsl(state.link()))) == state
    assert Query().link() == ""


def test_a_page_of_choices(opened_games: Opened) -> None:
    query = Query(under="color=drop", order="effect")
    rows = select(opened_games.index, query)
    shown = page(opened_games.index, query, rows)
    assert shown.total == 60
    assert shown.pages == 3
    number = number_of(opened_games.index, query)
    own = columns.read(opened_games.tracks[number].files[0][1])
    assert shown.choices[0].tolist() == own.choice[shown.positions].tolist()


def test_unknown_trials(opened_games: Opened) -> None:
    with pytest.raises(BadInput, match="has no trial 'frob'"):
        opened_games.position("frob")
