"""Export a study: everything of one state of the store into one folder, while people go on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from deixis import __version__
from deixis.collect.clock import now
from deixis.collect.export.counts import counts, faults
from deixis.collect.export.files import write_tables
from deixis.collect.export.games import Exclusions, choices, write_run
from deixis.collect.export.kilogram import annotated, write_kilogram
from deixis.collect.export.rows import (
    ANSWERS,
    PAYMENTS,
    SESSIONS,
    answer_rows,
    payment_rows,
    session_rows,
)
from deixis.collect.live.output import write_talks
from deixis.collect.live.parlour import Parlour
from deixis.collect.live.studies import Parlours
from deixis.collect.pools.games import GamePool
from deixis.collect.pools.tangrams import TangramPool
from deixis.collect.running import Running
from deixis.collect.store.engine import Store
from deixis.errors import BadInput
from deixis.writing import write_json


def export_study(
    store: Store,
    running: Running,
    folder: Path,
    *,
    mode: str = "live",
    exclude: Exclusions | None = None,
) -> dict[str, Any]:
    """Write answers, sessions and payments as tables; annotations as KiloGram has them; a run.

    The folder is written under another name and renamed when it is whole.

    Args:
        store: to read.
        running: the study.
        folder: where to; must not exist.
        mode: live people, or those of tests and simulations.
        exclude: what the run of games leaves out; nothing by default.

    Returns:
        The manifest, which is also in the folder.

    Raises:
        BadInput: the folder exists, or counts do not add up.
    """
    if folder.exists():
        raise BadInput(f"{folder}: there already; name a folder that is not")
    folder.parent.mkdir(parents=True, exist_ok=True)
    growing = folder.with_name(f"{folder.name}.{os.getpid()}.tmp")
    growing.mkdir()
    try:
        parlours = Parlours(store, {running.study.name: running}).of(running.study.name, mode)
        told = store.read(_write, running, growing, mode, exclude or Exclusions(), parlours)
        write_json(growing / "manifest.json", told)
        growing.rename(folder)
    except BaseException:
        shutil.rmtree(growing, ignore_errors=True)
        raise
    return told


def _write(
    c: Connection,
    running: Running,
    folder: Path,
    mode: str,
    exclude: Exclusions,
    parlours: Sequence[Parlour],
) -> dict[str, Any]:
    key, plan = running.id, running.plan
    wrong = faults(c, key, mode)
    if wrong:
        raise BadInput(f"{plan.study.name}: does not add up: {'; '.join(wrong)}")
    rows = {
        "answers": write_tables(folder, "answers", ANSWERS, answer_rows(c, key, mode)),
        "sessions": write_tables(folder, "sessions", SESSIONS, session_rows(c, key, mode)),
        "payments": write_tables(folder, "payments", PAYMENTS, payment_rows(c, key, mode)),
    }
    told: dict[str, Any] = {
        "schema": "deixis/export/1",
        "deixis": __version__,
        "study": plan.study.name,
        "version": plan.study.version,
        "hash": plan.hash,
        "fingerprint": plan.pool.fingerprint if plan.pool else "",
        "mode": mode,
        "at": now().isoformat(timespec="seconds"),
        "rows": rows,
        "counts": counts(c, key, mode),
        "csv": "cells that a spreadsheet would run as a formula have an apostrophe before them",
    }
    if rows["answers"] != told["counts"]["finals"]:
        raise BadInput(f"{plan.study.name}: wrote {rows['answers']} answers of {told['counts']}")
    if isinstance(plan.pool, TangramPool):
        entries = annotated(c, key, mode)
        told["kilogram"] = write_kilogram(folder / "kilogram", plan.pool.store, entries)
    if isinstance(plan.pool, GamePool):
        found = choices(c, key, mode, exclude)
        told["run"] = write_run(folder / "people.run", plan.pool, found, plan.hash)
        told["excluded"] = {"failed_catch": exclude.catch, "seconds": exclude.seconds}
    if parlours:
        told["dialogs"] = [
            write_talks(c, parlour, folder / "dialogs" / str(number), plan.hash)
            for number, parlour in enumerate(parlours)
        ]
    return told
