"""``deixis fetch``: download a dataset."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from platformdirs import user_cache_path

from deixis.cli.options import Switch
from deixis.cli.show import print_json, progress, table
from deixis.datasets.files import data_root
from deixis.datasets.nlvr2 import photographs
from deixis.datasets.photographs import JOURNAL, Manners, counted
from deixis.datasets.photographs import download as ask_for
from deixis.fetch import fetch as download
from deixis.manifest import manifest
from deixis.sources import Source

PHOTOGRAPHS = "nlvr2-images"
NOTES = (
    "The photographs belong to their owners; NLVR2's licence is of sentences and labels only.",
)


def fetch(
    name: str,
    /,
    *,
    data: Path | None = None,
    mirror: Annotated[str, Parameter(name="--from")] = "",
    jobs: int = 4,
    tries: int = 5,
    again: Switch = False,
    json: Switch = False,
) -> None:
    """Download a dataset; what is there already is kept, what broke off goes on.

    Args:
        name: The dataset; or nlvr2-images[:SPLIT[+SPLIT]], photographs from where they are.
        data: The folder to put its own folder in; else DEIXIS_DATA, else the user's cache.
        mirror: The address of a mirror to fetch from.
        jobs: Files at a time.
        tries: How often a file is asked for before it is given up.
        again: nlvr2-images: ask again for photographs that failed for good.
        json: Print one JSON object and nothing else.
    """
    if name.partition(":")[0] == PHOTOGRAPHS:
        _photographs(name, data, jobs, again, json)
        return
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


def _photographs(name: str, data: Path | None, hosts: int, again: bool, json: bool) -> None:
    """Ask the web for NLVR2's photographs; what cannot be had is told, and no error."""
    folder, wanted = photographs(data_root(data), Source.parse(name).splits)
    with progress() as told:
        there = folder / "images"
        manners = Manners(hosts=hosts)
        entries = ask_for(wanted, there, manners, again=again, progress=told)
    counts = counted(entries)
    if json:
        said = {"schema": "deixis/photographs/1", "dataset": name, "folder": str(there)}
        print_json({**said, "addresses": len(wanted), "statuses": counts, "notes": NOTES})
        return
    table(f"{name}: {len(wanted)} addresses", ["", "n"], [[s, str(n)] for s, n in counts.items()])
    print(f"in {there}; {JOURNAL} there says what became of each address")
    for note in NOTES:
        print(note)
