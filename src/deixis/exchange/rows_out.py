"""Every reply of a run as one row: CSV and Parquet, which `table_logs` reads back."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from deixis.replies import STATUSES
from deixis.runs.held import Held


def columns(held: Held) -> dict[str, list[Any]]:
    """Columns of all conditions and replicates, one row for each reply.

    ``epoch`` counts replicates from 0, so that the rows of one condition are a log.
    """
    made: dict[str, list[Any]] = {name: [] for name in _NAMES}
    for condition, replicates in held.outcomes.items():
        for epoch, o in enumerate(replicates):
            n = len(o)
            parts: dict[str, Any] = {
                "id": o.ids.tolist(),
                "condition": [condition] * n,
                "epoch": [epoch] * n,
                "round": o.rounds.tolist(),
                "rater": o.raters.tolist(),
                "cluster": o.clusters.tolist(),
                "group": o.groups.tolist(),
                "status": [STATUSES[s] for s in o.status],
                "credit": o.credit.tolist(),
                "options": o.sizes.tolist(),
                "choice": o.choice.tolist(),
                "rank": _none(o.rank),
                "probability": _none(o.probability),
                "reply": [""] * n if o.raw is None else [r or "" for r in o.raw.tolist()],
            }
            for name, values in parts.items():
                made[name] += values
    return made


_NAMES = (
    "id condition epoch round rater cluster group status credit options choice rank probability "
    "reply"
).split()


def as_csv(held: Held) -> bytes:
    """All rows as CSV, UTF-8."""
    import csv

    made = columns(held)
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(made)
    writer.writerows(zip(*made.values(), strict=True))
    return target.getvalue().encode()


def as_parquet(held: Held) -> bytes:
    """All rows as Parquet."""
    import pyarrow as pa
    from pyarrow import parquet

    target = io.BytesIO()
    parquet.write_table(pa.table(columns(held)), target)
    return target.getvalue()


def _none(values: Any) -> list[float | None]:
    """Numbers, None where there is none."""
    return [None if np.isnan(v) else float(v) for v in values]
