"""The gallery: a page of trials with what the player made of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
from fastapi import APIRouter
from pyarrow import compute
from starlette.requests import Request
from starlette.responses import Response

from deixis.errors import BadInput
from deixis.explore.faces import Face, face
from deixis.explore.index import Index
from deixis.explore.opened import Opened, opened_of
from deixis.explore.query import ORDERS, SHOWN, Page, Query, number_of, page
from deixis.explore.tracks import Track
from deixis.tasks.see import see
from deixis.web.frame import say
from deixis.web.pages import page as render

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Card:
    """A trial on the gallery.

    Attributes:
        trial: itself.
        face: as its reader gets it under the base condition.
        value: the measure under the track that is looked at, 0 to 1; NaN for none.
        base: the same under its base.
        choice: what was chosen, in the trial's own order; -1 for ties, -2 for nothing.
        before: the same under its base.
        link: to the trial in full.
    """

    trial: Any
    face: Face
    value: float
    base: float
    choice: int
    before: int
    link: str


@dataclass(frozen=True)
class Filters:
    """What can be filtered by.

    Attributes:
        parts: numbers of parts that occur; empty where trials have none.
        subsets: names of subsets.
    """

    parts: tuple[int, ...]
    subsets: tuple[str, ...]


@router.get("/")
def gallery(request: Request) -> Response:
    """One page of trials."""
    opened = opened_of(request)
    try:
        query = Query.of(request.query_params)
        shown = page(opened.index, query, opened.found(query))
    except BadInput as error:
        return say(request, 400, f"{error}.")
    number = number_of(opened.index, query)
    return render(
        request,
        "gallery.html",
        opened=opened,
        query=shown.query,
        page=shown,
        cards=cards(opened, shown, number),
        track=opened.tracks[number] if number >= 0 else None,
        filters=_filters(opened.index.path, opened.index.subsets),
        shown=_offered(opened.tracks),
        orders=ORDERS if opened.tracks else {},
    )


def cards(opened: Opened, shown: Page, number: int) -> list[Card]:
    """The cards of a page."""
    made = []
    track = opened.tracks[number] if number >= 0 else None
    for i, position in enumerate(shown.positions.tolist()):
        trial = opened.task.trials[position]
        made.append(
            Card(
                trial=trial,
                face=face(opened.task, position, see(opened.task, trial), opened.pictures),
                value=float(shown.values[0, i]),
                base=np.nan if track is None or track.base else float(shown.values[1, i]),
                choice=int(shown.choices[0, i]),
                before=int(shown.choices[1, i]),
                link=trial_link(trial.id, shown.query),
            )
        )
    return made


def trial_link(trial: str, query: Query) -> str:
    """Where a trial is shown in full, with the query that one came by."""
    rest = query.link(page=1)
    return f"/trial?{urlencode({'id': trial})}" + (f"&{rest}" if rest else "")


def _offered(tracks: tuple[Track, ...]) -> dict[str, str]:
    return SHOWN if tracks else {"": SHOWN[""]}


@lru_cache(maxsize=8)
def _filters(path: Path, subsets: tuple[str, ...]) -> Filters:
    parts = compute.unique(Index(path, (), subsets).arrow("parts")).to_pylist()
    return Filters(tuple(sorted(p for p in parts if p >= 0)), subsets)
