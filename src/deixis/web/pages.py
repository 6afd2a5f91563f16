"""Templates: everything that goes into a page is escaped, and a missing value is an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from deixis import __version__


def environment(*packages: str) -> Environment:
    """Templates of these packages, and behind them the shared ones.

    Args:
        packages: each with a folder ``templates``.
    """
    loaders = [PackageLoader(p, "templates") for p in (*packages, "deixis.web")]
    made = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "percent": percent,
        "moment": moment,
        "ago": ago,
        "duration": duration,
        "written": written,
    }
    made.filters.update(filters)
    made.globals["version"] = __version__
    return made


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """One rendered page; the environment is the application's."""
    templates: Environment = request.app.state.templates
    text = templates.get_template(template).render(request=request, **values)
    return HTMLResponse(text, status)


def written(value: Any) -> str:
    """A value as JSON, letters of every script as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def percent(value: float | None, places: int = 0) -> str:
    """A fraction in percent.

    >>> percent(0.257), percent(None)
    ('26 %', '–')
    """
    return "–" if value is None else f"{100 * value:.{places}f} %"


def moment(value: datetime | None) -> str:
    """A time as people read it, in UTC.

    >>> moment(None)
    '–'
    """
    return "–" if value is None else f"{value:%Y-%m-%d %H:%M} UTC"


def ago(value: datetime | None, now: datetime) -> str:
    """How long ago something was."""
    return "never" if value is None else f"{duration((now - value).total_seconds())} ago"


def duration(seconds: float | None) -> str:
    """Seconds in the largest unit that fits.

    >>> duration(5), duration(90), duration(7200), duration(None)
    ('5 s', '2 min', '2 h', '–')
    """
    if seconds is None:
        return "–"
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"
