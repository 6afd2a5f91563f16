"""Pictures and edit files as downloads."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from deixis.errors import BadInput
from deixis.explore.opened import opened_of
from deixis.explore.states import given_state
from deixis.tasks.edits import EditFile, write
from deixis.web.frame import say

router = APIRouter(include_in_schema=False)

FOREVER = "private, max-age=31536000, immutable"
"""An address names the content, so what it gives never changes."""


@router.get("/picture/{key}")
def picture(request: Request, key: str) -> Response:
    """A thumbnail."""
    pictures = opened_of(request).pictures
    known = pictures.find(key)
    if known is None:
        raise HTTPException(404)
    try:
        made = pictures.thumbnail(known)
    except (BadInput, OSError) as error:
        return say(request, 404, f"This picture is missing: {error}.")
    return Response(made.content, media_type=made.media, headers={"cache-control": FOREVER})


@router.get("/svg/{key}")
def svg(request: Request, key: str) -> Response:
    """A tangram as an SVG file to keep."""
    pictures = opened_of(request).pictures
    known = pictures.find(key)
    drawn = pictures.svg(known) if known else None
    if known is None or drawn is None:
        raise HTTPException(404)
    return Response(drawn, media_type="image/svg+xml", headers=download(f"{known.source}.svg"))


@router.get("/edits.toml")
def edits(request: Request) -> Response:
    """The state of the page of edits as an edit file."""
    opened = opened_of(request)
    try:
        state = given_state(opened, request.query_params)
    except BadInput as error:
        return say(request, 400, f"{error}.")
    held = EditFile(state.trial.id, state.edits, opened.task.name)
    return Response(
        write(held), media_type="application/toml", headers=download(f"{state.trial.id}.toml")
    )


def download(name: str) -> dict[str, str]:
    """What makes a browser keep a file under a name, with letters that every system takes."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)
    return {"content-disposition": f'attachment; filename="{plain.lstrip(".-") or "file"}"'}
