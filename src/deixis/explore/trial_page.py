"""One trial in full: candidates with scores, every condition and seed, people beside models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from deixis.audit.report.figures import Line, curves
from deixis.errors import BadInput
from deixis.explore.faces import Face, Shot, face, shot
from deixis.explore.gallery import trial_link
from deixis.explore.opened import Opened, opened_of
from deixis.explore.query import Query, number_of
from deixis.explore.replay import BEST, probabilities
from deixis.explore.rows import Reply, replies
from deixis.explore.tracks import Track
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.web.frame import say
from deixis.web.pages import page as render

router = APIRouter(include_in_schema=False)

CURVES = 7
"""Rank curves in one figure: as many as there are colors."""


@dataclass(frozen=True)
class Said:
    """What people said of a trial, as its dataset holds it: who, what, and in what role."""

    who: str
    what: str
    role: str


@dataclass(frozen=True)
class Neighbours:
    """Where a trial stands in the query one came by.

    Attributes:
        number: from 1; 0 where it is not in the query.
        total: trials of the query.
        before: link to the one before; empty for none.
        after: link to the next.
    """

    number: int
    total: int
    before: str
    after: str


@router.get("/trial")
def trial(request: Request) -> Response:
    """The trial of an id."""
    opened = opened_of(request)
    try:
        query = Query.of(request.query_params)
        position = opened.position(request.query_params.get("id", ""))
        number = number_of(opened.index, query)
        near = neighbours(opened, query, position)
    except BadInput as error:
        return say(request, 400, f"{error}.")
    one = opened.task.trials[position]
    track = opened.tracks[number] if number >= 0 else None
    said, notes = every_reply(opened.tracks, one.id)
    own = [r for r in said if track is not None and r.track.label == track.label]
    altered, note = under_track(opened, position, track)
    return render(
        request,
        "trial.html",
        opened=opened,
        query=query,
        trial=one,
        near=near,
        track=track,
        face=face(opened.task, position, see(opened.task, one), opened.pictures),
        altered=altered,
        notes=[*notes, *([note] if note else [])],
        replies=said,
        reply=own[0] if own else None,
        shares=probabilities(own[0].scores) if own and own[0].scores else [],
        curves=rank_curves(said),
        tops=best_of(opened, one, own[0]) if own else [],
        people=people(opened.task, one),
        candidates=names_of(opened, position),
    )


def every_reply(tracks: Sequence[Track], trial: str) -> tuple[list[Reply], list[str]]:
    """Replies under every track, and what could not be read."""
    made: list[Reply] = []
    notes = []
    for track in tracks:
        try:
            made += replies(track, trial)
        except BadInput as error:
            notes.append(f"{error}")
    return made, notes


def under_track(opened: Opened, position: int, track: Track | None) -> tuple[Face | None, str]:
    """The trial as its reader got it under a track; or why that cannot be seen any more."""
    if track is None or not track.condition or not track.main:
        return None, ""
    try:
        task = opened.task.do(track.condition).reseed(track.files[0][0])
        return face(task, position, see(task, task.trials[position]), opened.pictures), ""
    except BadInput as error:
        return None, f"What {track.condition} showed cannot be seen any more: {error}"


def neighbours(opened: Opened, query: Query, position: int) -> Neighbours:
    """The trials before and after in the order of a query."""
    rows = opened.found(query)
    place = np.flatnonzero(rows == position)
    if not len(place):
        return Neighbours(0, len(rows), "", "")
    at = int(place[0])
    ids = [opened.task.trials[rows[i]].id if 0 <= i < len(rows) else None for i in (at - 1, at + 1)]
    before, after = (trial_link(i, query) if i is not None else "" for i in ids)
    return Neighbours(at + 1, len(rows), before, after)


def names_of(opened: Opened, position: int) -> dict[int, str]:
    """What tables call each option, by its position in the trial's own order."""
    task = opened.task
    made = face(task, position, see(task, task.trials[position]), opened.pictures)
    return {c.own: c.name for c in made.candidates}


def rank_curves(said: Sequence[Reply]) -> Markup:
    """The percentile rank after each round under every track, replicates averaged."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for one in said:
        if len(one.curve) > 1:
            found.setdefault(one.track.label, []).append(one.curve)
    lines = []
    for label, many in list(found.items())[:CURVES]:
        longest = max(map(len, many))
        mean = np.mean([c for c in many if len(c) == longest], axis=0)
        gap = float("nan")
        lines.append(Line(label, [(float(i), float(v), gap, gap) for i, v in enumerate(mean)]))
    return Markup(curves(lines, "round", "rank", "percentile ranks")) if lines else Markup()


def best_of(opened: Opened, trial: Any, reply: Reply) -> list[tuple[int, list[Shot]]]:
    """The best pictures of the pool after the caption and after the last round."""
    if not reply.tops:
        return []
    pool = trial.pool.pictures
    kept = [(0, reply.tops[0]), (len(reply.tops) - 1, reply.tops[-1])]
    return [
        (number, [shot(opened.pictures, pool[p]) for p in row[:BEST] if p >= 0])
        for number, row in kept[: 1 if len(reply.tops) == 1 else 2]
    ]


def people(task: Task, trial: Any) -> list[Said]:
    """What people said of a trial, where its dataset tells."""
    record = task.dataset.records.get(trial.item)
    words = {True: "true", False: "false", None: "nonsense"}
    made = [Said(j.worker, words[j.said], j.role) for j in getattr(record, "judgments", ())]
    for name, answers in getattr(trial, "others", ()):
        made.append(Said(name, " · ".join(answers), "answers"))
    return made
