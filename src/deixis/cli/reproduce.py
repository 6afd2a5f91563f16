"""``deixis reproduce``: a paper's tables and figures, made anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from deixis import registry
from deixis.cli.options import Switch
from deixis.cli.session import own_options
from deixis.cli.show import print_json, progress, table
from deixis.errors import BadInput, unknown
from deixis.reproduce.report import Asked, Reproduced


def reproduce(
    name: str,
    /,
    *,
    preset: str | None = None,
    data: Path | None = None,
    out: Path | None = None,
    seeds: int | None = None,
    json: Switch = False,
    **options: Annotated[str, Parameter(show=False)],
) -> None:
    """Make a paper's tables and figures anew.

    Args:
        name: Which: kilogram-fig9 …
        preset: A size: tiny ones run here, paper is the published one.
        data: The datasets' folder or one above it; else DEIXIS_DATA, else the user's cache.
        out: A folder for numbers, figures and trained models; what is there is gone on with.
        seeds: How many training runs.
        json: Print one JSON object and nothing else.
    """
    known = registry.names("reproduce")
    if name not in known:
        raise unknown(f"there is nothing called {name!r} to reproduce", name, known)
    if seeds is not None and seeds < 1:
        raise BadInput(f"--seeds: expected at least 1, got {seeds}")
    run = registry.find("reproduce", name)
    with progress() as told:
        made: Reproduced = run(Asked(preset, data, out, seeds, own_options(options), told))
    files = made.write(out) if out else []
    if json:
        print_json(made.json())
        return
    for one in made.tables:
        table(one.title, one.columns, one.rows)
    for note in made.notes:
        print(f"note: {note}")
    for file in files:
        print(f"written: {file}")
