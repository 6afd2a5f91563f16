"""Edits by hand: a form of everything that can be changed, and what the player makes of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from deixis.errors import BadInput, DeixisError
from deixis.explore.faces import Candidate, Face, colored, face
from deixis.explore.opened import Opened, opened_of
from deixis.explore.replay import (
    Side,
    Slot,
    best,
    own_view,
    play_one,
    probabilities,
    said_by,
    slots,
    talks,
    words,
)
from deixis.explore.states import State, given_state, link
from deixis.pictures.paint import BLACK, COLOR_NAMES
from deixis.pictures.store import TangramStore
from deixis.tasks.edits import Edit, check, edits_of, parse, put
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import Description, Picture
from deixis.web.drawing import hexadecimal
from deixis.web.frame import say
from deixis.web.pages import page as render

router = APIRouter(include_in_schema=False)

NAMES = 400
"""Names of other pictures that are offered; any other may be typed."""


@dataclass(frozen=True)
class Control:
    """A slot of the form.

    Attributes:
        slot: what it is about.
        original: its value as edits write it; None for pictures, which stay as they are.
        value: what the form begins with.
        picture: address of the picture that it belongs to; empty for texts.
        pieces: of the picture, where they can be colored.
    """

    slot: Slot
    original: Any
    value: Any
    picture: str = ""
    pieces: dict[str, Any] | None = None


class Asked(BaseModel):
    """A request for a replay."""

    id: str = Field(max_length=1000)
    edits: list[Any] = Field(default_factory=list)


class Given(BaseModel):
    """An edit file that somebody opened."""

    name: str = Field(max_length=300)
    text: str = Field(max_length=200_000)


@router.get("/edit")
def edit(request: Request) -> Response:
    """The form for one trial; edits that do not fit are said on it, and left out."""
    opened = opened_of(request)
    wrong = ""
    try:
        state = given_state(opened, request.query_params)
    except BadInput as error:
        wrong = f"These edits cannot be made: {error}."
        try:
            state = given_state(opened, {"id": request.query_params.get("id", "")})
        except BadInput as unknown:
            return say(request, 400, f"{unknown}.")
    return render(
        request,
        "edit.html",
        opened=opened,
        state=state,
        trial=state.trial,
        wrong=wrong,
        controls=controls(opened, state),
        names=_names(opened.task),
        talk=talks(opened.task),
        tangrams=isinstance(opened.task.store, TangramStore),
        brushes=_brushes(opened.task, state),
    )


@router.post("/api/replay")
def replay(request: Request, asked: Asked) -> Response:
    """Both sides of a trial, played; or why they cannot be."""
    opened = opened_of(request)
    try:
        trial = opened.task.trials[opened.position(asked.id)]
        edits = edits_of(asked.edits, "edits")
        check(opened.task, trial, edits)
    except BadInput as error:
        return JSONResponse({"error": f"{error}"}, 422)
    state = State(trial, edits)
    answer: dict[str, Any] = {"link": state.link, **_shown(opened, state)}
    seat = opened.seat.state()
    answer |= {"player": opened.seat.name, "state": seat.condition, "sentence": seat.sentence}
    if seat.condition != "ready":
        return JSONResponse(answer)
    try:
        sides = _play(opened, state)
    except (DeixisError, OSError) as error:
        said = f"{opened.seat.name} did not reply: {error}"
        return JSONResponse(answer | {"state": "failed", "sentence": said})
    return JSONResponse(answer | _said(opened, state, sides))


@router.post("/api/edits")
def edits(request: Request, given: Given) -> Response:
    """Where the state of an edit file is."""
    opened = opened_of(request)
    try:
        held = parse(given.text, given.name, toml=not given.name.endswith(".json"))
        trial = opened.task.trials[opened.position(held.trial)]
        check(opened.task, trial, held.edits)
    except BadInput as error:
        return JSONResponse({"error": f"{error}"}, 422)
    return JSONResponse({"link": f"/edit?{link(held.trial, held.edits)}"})


def controls(opened: Opened, state: State) -> list[Control]:
    """The form of a trial, filled in with edits."""
    put_by = {(e.channel, e.at): e for e in state.edits if e.reader is None}
    made = []
    for slot in slots(opened.task, state.trial):
        edit = put_by.get((slot.channel, slot.at))
        if edit is None and not slot.several:
            edit = put_by.get((slot.channel, None))
        one = _control(opened, slot, edit)
        if one is not None:
            made.append(one)
    return made


def _control(opened: Opened, slot: Slot, edit: Edit | None) -> Control | None:
    value, original = slot.value, None
    if slot.kind == "text":
        original = value
    elif slot.kind == "names":
        original = list(value)
    pieces, address = None, ""
    if isinstance(value, Picture):
        address = opened.pictures.address(value)
        if slot.kind == "paint":
            pieces = opened.pictures.pieces(value)
            if pieces is None:
                return None
            original = [0 if p is None else p + 1 for p in value.paint or (None,) * 7]
    now = original if edit is None else edit.value
    return Control(slot, original, list(now) if isinstance(now, tuple) else now, address, pieces)


def _brushes(task: Task, state: State) -> list[tuple[str, int, str]]:
    """Colors to paint with: those of the parts, the others by number, and black."""
    texts: Sequence[Description] = getattr(own_view(task, state.trial), "texts", ())
    names = list(texts[0].parts) if len(texts) == 1 else []
    names += [f"color {i + 1}" for i in range(len(names), len(COLOR_NAMES))]
    return [*colored(names), ("black", 0, hexadecimal(BLACK))]


def _shown(opened: Opened, state: State) -> dict[str, Any]:
    """What both sides look like: texts in words that changed or not, and pictures."""
    task, trial, pictures = opened.task, state.trial, opened.pictures
    position = task.position(trial)
    before, after = (
        face(task, position, see(task, trial, edits=e), pictures) for e in ((), state.edits)
    )
    texts = []
    for slot, now in zip(slots(task, trial), _edited(task, state), strict=True):
        if slot.kind in ("text", "names"):
            old, new = (v if isinstance(v, str) else ", ".join(v) for v in (slot.value, now))
            left, right = words(old, new)
            texts.append({"key": slot.key, "before": left, "after": right, "changed": old != new})
    return {"texts": texts, "candidates": _pairs(opened, before, after)}


def _edited(task: Task, state: State) -> list[Any]:
    """The value of each slot with edits made, in the order of slots."""
    made = []
    for slot in slots(task, state.trial):
        channel = task.channels[slot.channel]
        reader = channel.reader or task.readers[0]
        view = put(task, own_view(task, state.trial, reader), state.edits, reader)
        values = channel.get(view)
        rounds = channel.rounds(view) if channel.rounds else tuple(range(1, len(values) + 1))
        made.append(values[rounds.index(slot.at)] if slot.at in rounds else values[-1])
    return made


def _pairs(opened: Opened, before: Face, after: Face) -> list[dict[str, Any]]:
    shots = zip(before.shots, after.shots, strict=True) if not before.turns else ()
    return [
        {"own": -1, "name": a.name, "target": False, **_two(opened, a.picture, b.picture)}
        for a, b in shots
    ] + [_pair(opened, a, b) for a, b in zip(before.candidates, after.candidates, strict=True)]


def _pair(opened: Opened, before: Candidate, after: Candidate) -> dict[str, Any]:
    made: dict[str, Any] = {"own": before.own, "name": before.name, "target": before.target}
    if before.shot and after.shot:
        made |= _two(opened, before.shot.picture, after.shot.picture)
    if before.line and after.line:
        made["text"] = [_spoken(before), _spoken(after)]
    return made


def _spoken(candidate: Candidate) -> str:
    assert candidate.line is not None
    parts = ", ".join(name for name, _, _ in candidate.line.parts)
    return candidate.line.text + (f" ({parts})" if parts else "")


def _two(opened: Opened, before: Picture, after: Picture) -> dict[str, Any]:
    return {
        "pictures": [opened.pictures.address(p) for p in (before, after)],
        "sources": [before.source, after.source],
        "changed": before != after,
    }


def _play(opened: Opened, state: State) -> tuple[Side, Side]:
    with opened.seat.playing:
        player = opened.seat.player
        before = play_one(opened.task, state.trial, player)
        edited = play_one(opened.task, state.trial, player, state.edits) if state.edits else before
    return before, edited


def _said(opened: Opened, state: State, sides: tuple[Side, Side]) -> dict[str, Any]:
    names = ("before", "after")
    made: dict[str, Any] = {
        n: _side(opened, state.trial, s) for n, s in zip(names, sides, strict=True)
    }
    before, after = sides
    turns = zip(said_by(opened.task, before), said_by(opened.task, after, state.edits), strict=True)
    return made | {"turns": [[words(*pair) for pair in zip(*both, strict=True)] for both in turns]}


def _side(opened: Opened, trial: Any, side: Side) -> dict[str, Any]:
    tops = [
        [
            {"address": s.address, "name": s.name, "target": p == trial.answer}
            for s, p in zip(row, own, strict=True)
        ]
        for row, own in zip(best(opened.task, trial, side, opened.pictures), side.tops, strict=True)
    ]
    return {
        "status": side.status,
        "credit": side.credit,
        "rank": side.rank,
        "size": side.size,
        "choice": side.choice if side.scores else -1,
        "scores": _finite(side.scores),
        "shares": probabilities(side.scores) if side.scores else [],
        "curve": _finite(side.curve),
        "ranks": _finite(side.ranks),
        "tops": tops,
        "raw": [] if talks(opened.task) else list(side.raw),
    }


def _finite(values: Sequence[float]) -> list[float | None]:
    return [v if math.isfinite(v) else None for v in values]


def _names(task: Task) -> list[str]:
    """Names of pictures of the task, to put in another's place."""
    if "picture names" not in task.memo:
        found: dict[str, None] = {}
        for trial in task.trials:
            pool = getattr(trial, "pool", None)
            shown = pool.pictures if pool else _pictures(task, trial)
            found.update(dict.fromkeys(p.source for p in shown))
            if len(found) >= NAMES:
                break
        task.memo["picture names"] = sorted(found)[:NAMES]
    names: list[str] = task.memo["picture names"]
    return names


def _pictures(task: Task, trial: Any) -> list[Picture]:
    view = task.view(trial)
    values = (v for name in task.atoms for v in task.channels[name].get(view))
    return [v for v in values if isinstance(v, Picture)]
