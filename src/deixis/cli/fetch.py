"""``deixis fetch``: download a dataset."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from platformdirs import user_cache_path

from deixis.cli.options import Switch
from deixis.cli.show import print_json, progress
from deixis.fetch import fetch as download
from deixis.manifest import manifest


def fetch(
    name: str,
    /,
    *,
    data: Path | None = None,
    mirror: Annotated[str, Parameter(name="--from")] = "",
    jobs: int = 4,
    tries: int = 5,
    json: Switch = False,
) -> None:
    """Download a dataset; what is there already is kept, what broke off goes on.

    Args:
        name: The dataset.
        data: The folder to put its own folder in; else DEIXIS_DATA, else the user's cache.
        mirror: The address of a mirror to fetch from.
        jobs: Files at a time.
        tries: How often a file is asked for before it is given up.
        json: Print one JSON object and nothing else.
    """
    wanted = manifest(name)
    named = data or os.environ.get("DEIXIS_DATA")
    folder = (Path(named) if named else user_cache_path("deixis") / "data") / name
    with progress() as told:
        done = download(wanted, folder, base=mirror, jobs=jobs, tries=tries, progress=told)
    if json:
        said = {"schema": "deixis/fetch/1", "dataset": name, "folder": str(folder)}
        print_json({**said, "files": len(wanted.files), **asdict(done), "notes": wanted.notes})
        return
    print(f"{name}: {done.fetched} files fetched ({done.received:,} bytes), {done.kept} kept")
    print(f"in {folder}")
    for note in wanted.notes:
        print(note)
