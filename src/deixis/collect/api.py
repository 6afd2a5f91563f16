"""What browsers of participants talk to: JSON, a token in a header, no cookies."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from deixis.collect import arriving, flow
from deixis.collect.answering import Write, answer
from deixis.collect.clock import now
from deixis.collect.context import Collect, collect_of
from deixis.collect.platforms.platform import Arrival
from deixis.collect.running import Running
from deixis.collect.state import settled, state
from deixis.collect.store import people, slots
from deixis.collect.store.sessions import change, session, session_of
from deixis.collect.trial import Refused
from deixis.web.frame import errors

TOKEN = r"^[0-9a-f]{32}$"


class Finish(BaseModel):
    """The end of a session."""

    outcome: str
    text: str
    code: str
    url: str
    label: str
    contact: str


class State(BaseModel):
    """Where a session stands: a trial with progress, or the end."""

    step: dict[str, Any] | None = None
    progress: dict[str, int] | None = None
    may_stop: bool = False
    finish: Finish | None = None


class Saved(BaseModel):
    """What became of a write; after a final answer also where the session stands now."""

    saved: bool
    feedback: dict[str, Any] | None = None
    now: State | None = None


class Here(BaseModel):
    """What a link brought along."""

    model_config = ConfigDict(extra="forbid")

    parameters: Annotated[
        dict[Annotated[str, Field(max_length=60)], Annotated[str, Field(max_length=2_000)]],
        Field(max_length=50),
    ] = {}
    preview: str = Field(default="", max_length=100)


class Leave(BaseModel):
    """Whether somebody who leaves wants everything they did to be erased."""

    model_config = ConfigDict(extra="forbid")

    erase: bool = False


router = APIRouter(
    prefix="/api", responses=errors(400, 401, 404, 409, 413, 422), tags=["participants"]
)

Token = Annotated[str, Header(alias="Deixis-Token", pattern=TOKEN)]
Server = Annotated[Collect, Depends(collect_of)]


def visit(token: Token, server: Server) -> tuple[int, Running]:
    """The session that the token names, and its study; 401 if there is none."""
    found = server.store.read(session_of, token)
    if found is None:
        raise HTTPException(
            401, "This visit is not known here. Please open the study’s link again."
        )
    return found.id, server.numbered(found.study_id)


Visit = Annotated[tuple[int, Running], Depends(visit)]


@router.post("/{study}/arrive", response_model=State, response_model_exclude_none=True)
def arrive(study: str, here: Here, token: Token, server: Server) -> Any:
    """Begin a visit, or go on with the one that is under way."""
    running = server.named(study)
    previewed = bool(here.preview) and server.is_preview(study, here.preview)
    if here.preview and not previewed:
        raise HTTPException(409, "This preview link is no longer good; take a new one.")
    try:
        # A preview needs no platform; whoever comes without id is a person of their own.
        without = previewed and not here.parameters
        arrival = Arrival() if without else running.platform.arrival(here.parameters)
        mode = "test" if previewed else "live"
        key = server.store.write(arriving.arrive, running.plan, arrival, token, mode, now())
    except Refused as error:
        raise HTTPException(409, str(error)) from None
    return state(server.store, running.plan, running.platform, key)


@router.get("/now", response_model=State, response_model_exclude_none=True)
def show(here: Visit, server: Server) -> Any:
    """Where the visit stands."""
    key, running = here
    moment = now()
    if not server.store.read(settled, key, moment):
        server.store.write(arriving.resume, running.plan, key, moment)
    return state(server.store, running.plan, running.platform, key)


@router.post("/write", response_model=Saved, response_model_exclude_none=True)
def write(given: Write, here: Visit, server: Server) -> Any:
    """Keep a draft or a final answer; what is acknowledged is on disk."""
    key, running = here
    reply = answer(server.store, running.plan, key, given, now())
    if reply.status != 200:
        return JSONResponse(reply.body, reply.status)
    if given.kind == "draft":
        return reply.body
    return reply.body | {"now": state(server.store, running.plan, running.platform, key)}


@router.post("/beat", response_model=Saved, response_model_exclude_none=True)
def beat(here: Visit, server: Server) -> Any:
    """Say that somebody is still there, so that the place is kept."""
    key, running = here
    moment = now()

    def job(c: Connection) -> bool:
        if session(c, key, lock=True).outcome is not None:
            return False
        change(c, key, seen_at=moment)
        slots.renew(c, key, flow.lease(running.plan, moment), moment)
        return True

    return {"saved": server.store.write(job)}


@router.post("/stop", response_model=State, response_model_exclude_none=True)
def stop(here: Visit, server: Server) -> Any:
    """Stop taking on items; what is done counts."""
    key, running = here
    server.store.write(arriving.stop, running.plan, key, now())
    return state(server.store, running.plan, running.platform, key)


@router.post("/leave", response_model=State, response_model_exclude_none=True)
def leave(given: Leave, here: Visit, server: Server) -> Any:
    """Leave for good, and have everything erased if wanted."""
    key, running = here

    def job(c: Connection) -> None:
        arriving.leave(c, running.plan, key, now())

    server.store.write(job)
    told = state(server.store, running.plan, running.platform, key)
    if given.erase:
        worker = server.store.read(session, key).worker_id
        server.store.write(people.erase, worker, now())
    return told
