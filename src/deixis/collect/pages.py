"""Pages that need no sign-in: the front page, and the shell of each study."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from deixis.collect.context import collect_of
from deixis.pictures.paint import fill
from deixis.web.drawing import hexadecimal, outlined, svg
from deixis.web.pages import page
from deixis.worlds.tangrams.layouts import layouts
from deixis.worlds.tangrams.pose import assemble, rest

router = APIRouter(include_in_schema=False)

SHOWN = ("swan", "sailboat", "rocket", "cat", "dancer", "house", "tulip", "camel")
_ORDER = (0, 1, 2, 3, 4, 2, 0)


def figure(name: str, colored: bool = True) -> str:
    """One of the world's figures, in the colors of parts or all black."""
    made = assemble(name, rest(layouts()[name]))
    fills = {i: hexadecimal(fill(_ORDER[i - 1] if colored else None)) for i in range(1, 8)}
    return svg(outlined(made, fills))


@router.get("/")
def home(request: Request) -> Response:
    """What this is, and what one can do here."""
    server = collect_of(request)
    studies = [r.study for r in server.studies.values()]
    figures = [figure(name, colored=i % 2 == 0) for i, name in enumerate(SHOWN)]
    return page(request, "home.html", studies=studies, figures=figures)


@router.get("/study/{name}")
def study(request: Request, name: str) -> Response:
    """The page on which a study takes place; it knows nobody yet."""
    running = collect_of(request).named(name)
    return page(
        request, "study.html", study=running.study, figures=[figure("swan"), figure("cat", False)]
    )
