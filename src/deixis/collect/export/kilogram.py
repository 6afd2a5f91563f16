"""Annotations in KiloGram's own form, which its loader reads, and as a Parquet table."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from deixis.collect.export.rows import CHUNK
from deixis.collect.store.tables import answers, claims, sessions, steps, units, workers
from deixis.collect.trial_types.annotate_parts import Step, replay
from deixis.pictures.store import TangramStore
from deixis.pictures.svg import write_svg

TABLE = {
    "picture": "string",
    "worker": "string",
    "whole": "string",
    "parts": "string",
    "actions": "string",
    "time": "string",
}


def annotated(c: Connection, study: int, mode: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Finished annotations in KiloGram's form, each with its tangram, by tangram and time.

    Those of rejected claims are left out; those whose place was given away meanwhile are in.
    """
    query = (
        select(
            units.c.key,
            claims.c.id,
            workers.c.name,
            steps.c.type,
            steps.c.shown_at,
            answers.c.response,
            answers.c.detail,
            answers.c.at,
        )
        .select_from(claims)
        .join(units, units.c.id == claims.c.unit_id)
        .join(sessions, sessions.c.id == claims.c.session_id)
        .join(workers, workers.c.id == claims.c.worker_id)
        .join(steps, steps.c.claim_id == claims.c.id)
        .join(answers, answers.c.step_id == steps.c.id)
        .where(
            sessions.c.study_id == study,
            sessions.c.mode == mode,
            claims.c.state.in_(("done", "surplus")),
            answers.c.final,
        )
        .order_by(units.c.key, claims.c.id, steps.c.position)
    )
    rows = c.execute(query.execution_options(yield_per=CHUNK))
    for (picture, _), group in groupby(rows, key=lambda r: (r.key, r.id)):
        by_type = {row.type: row for row in group}
        if {"describe_whole", "annotate_parts"} <= set(by_type):
            yield picture, _annotation(by_type)


def write_kilogram(
    folder: Path, store: TangramStore, entries: Iterator[tuple[str, dict[str, Any]]]
) -> dict[str, int]:
    """Write ``dense.json``, the pictures, and the table ``annotations.parquet``.

    Returns:
        How many tangrams and annotations there are.
    """
    from deixis.collect.export.files import write_tables

    folder.mkdir(parents=True, exist_ok=True)
    pictures: list[str] = []
    with (folder / "dense.json").open("w", encoding="utf-8") as file:

        def rows() -> Iterator[Mapping[str, Any]]:
            file.write("{")
            for picture, group in groupby(entries, key=lambda entry: entry[0]):
                made = [annotation for _, annotation in group]
                entry = {"snd": None, "pnd": None, "psa": None, "annotations": made}
                file.write("," if pictures else "")
                file.write(f"\n{json.dumps(picture)}: {json.dumps(entry, ensure_ascii=False)}")
                pictures.append(picture)
                yield from (_row(picture, annotation) for annotation in made)
            file.write("\n}\n")

        n = write_tables(folder, "annotations", TABLE, rows())
    with zipfile.ZipFile(folder / "tangrams-svg.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for picture in pictures:
            archive.writestr(f"tangrams-svg/{picture}.svg", write_svg(store.tangram(picture)))
    return {"tangrams": len(pictures), "annotations": n}


def _annotation(by_type: Mapping[str, Any]) -> dict[str, Any]:
    whole, parts = by_type["describe_whole"], by_type["annotate_parts"]
    log = [Step.model_validate(step) for step in parts.response["log"]]
    shown = parts.shown_at or parts.at
    return {
        "whole": {"wholeAnnotation": whole.detail["text"], "timestamp": _stamp(whole.at)},
        "part": parts.detail["parts"],
        "workerId": parts.name,
        "metadata": {
            str(n.index): {
                "annotation": n.name,
                "pieces": list(n.pieces),
                "final": n.final,
                "timestamp": _stamp(shown + timedelta(milliseconds=n.ms)),
            }
            for n in replay(log)[1]
        },
    }


def _stamp(time: datetime) -> str:
    """As KiloGram writes times: with a blank, microseconds and the offset."""
    return time.isoformat(sep=" ", timespec="microseconds")


def _row(picture: str, annotation: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "picture": picture,
        "worker": annotation["workerId"],
        "whole": annotation["whole"]["wholeAnnotation"],
        "parts": annotation["part"],
        "actions": annotation["metadata"],
        "time": annotation["whole"]["timestamp"],
    }
