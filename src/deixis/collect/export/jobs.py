"""Exports that run beside the server: asked for on a page, fetched when they are done."""

from __future__ import annotations

import shutil
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from deixis.collect.clock import now
from deixis.collect.export.export import export_study
from deixis.collect.export.games import PUBLISHED, Exclusions
from deixis.collect.running import Running
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import exports

FORMS = {
    "live": "people in earnest",
    "published": "people in earnest, with the published exclusions",
    "test": "previews and simulations",
}
"""What can be exported."""


def archive(home: Path, key: int) -> Path:
    """Where the archive of an export lies."""
    return home / "exports" / f"export-{key}.zip"


def list_exports(c: Connection, study: int) -> list[Any]:
    """Exports of a study, the latest first."""
    rows = select(exports).where(exports.c.study_id == study).order_by(exports.c.id.desc())
    return list(c.execute(rows.limit(20)).all())


def start_export(store: Store, running: Running, form: str, by: str, home: Path) -> int:
    """Begin an export in a thread of its own.

    Returns:
        Its row.
    """
    moment = now()
    key = store.write(_begun, running.id, form, by, moment)
    work = threading.Thread(target=run_export, args=(store, running, form, key, home), daemon=True)
    work.start()
    return key


def run_export(store: Store, running: Running, form: str, key: int, home: Path) -> None:
    """Do it, and write down how it ended."""
    folder = home / "exports" / f"{running.study.name}-{key}"
    try:
        exclude = PUBLISHED if form == "published" else Exclusions()
        mode = "test" if form == "test" else "live"
        told = export_study(store, running, folder, mode=mode, exclude=exclude)
        target = archive(home, key)
        made = shutil.make_archive(
            str(target.with_suffix(".growing")), "zip", folder.parent, folder.name
        )
        Path(made).replace(target)
        shutil.rmtree(folder)
        state, note = "done", f"{told['rows']['answers']} answers"
    except Exception as error:  # whatever went wrong is said on the page
        state, note = "failed", str(error)[:500]
    values = {"state": state, "note": note}
    store.write(_ended, key, values)


def _begun(c: Connection, study: int, form: str, by: str, moment: datetime) -> int:
    values = {"study_id": study, "form": form, "state": "running", "note": "", "by": by}
    made = insert(exports).values(values | {"at": moment}).returning(exports.c.id)
    return int(c.execute(made).scalar_one())


def _ended(c: Connection, key: int, values: dict[str, str]) -> None:
    c.execute(update(exports).where(exports.c.id == key).values(values))
