"""An audit of logs: runs that were made elsewhere, with an input and without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deixis.audit.infer import Contrast, infer
from deixis.audit.rows import gaps
from deixis.errors import BadInput
from deixis.exchange.log import Log, same_items
from deixis.runs.summary import averaged
from deixis.stats.clustered import FEW, FEWEST
from deixis.units import MEASURES


@dataclass(frozen=True)
class LogAudit:
    """What logs tell about the inputs that were taken away between them.

    Attributes:
        base: the log with all inputs.
        logs: the others, by what was done.
        contrasts: of the base with each other.
        margin: in points.
    """

    base: Log
    logs: Mapping[str, Log]
    contrasts: tuple[Contrast, ...]
    margin: float

    @property
    def warnings(self) -> list[str]:
        """In words."""
        said = []
        clusters = len(set(self.base.outcomes[0].clusters.tolist()))
        if clusters < FEW:
            what = "too few for any interval" if clusters < FEWEST else "intervals are rough"
            said.append(f"{clusters} clusters: {what}")
        for name, log in {"the base": self.base, **self.logs}.items():
            odd = {s: n for o in log.outcomes for s, n in o.statuses.items() if s != "ok"}
            if odd:
                listed = ", ".join(f"{n} {s}" for s, n in odd.items())
                said.append(
                    f"{name}: not all replies could be scored: {listed}; they count at chance"
                )
        return said

    def json(self) -> dict[str, Any]:
        """The object that ``audit --from … --json`` prints."""
        base, measure = self.base, MEASURES["accuracy"]
        first = base.outcomes[0]
        value, low, high = averaged(measure, base.outcomes)
        statuses: dict[str, int] = {}
        for outcomes in base.outcomes:
            for status, n in outcomes.statuses.items():
                statuses[status] = statuses.get(status, 0) + n
        conditions = [("", base), *self.logs.items()]
        return {
            "schema": "deixis/log-audit/1",
            "task": "log",
            "dataset": base.dataset,
            "player": base.model,
            "tool": base.tool,
            "metric": base.metric,
            "from": [str(log.path) for _, log in conditions],
            "n": len(first),
            "epochs": len(base.outcomes),
            "clusters": len(np.unique(first.clusters)),
            "chance": float(first.guess.mean()) if (first.sizes > 0).all() else None,
            "statuses": statuses,
            "measure": "accuracy",
            "accuracy": value,
            "ci_low": low,
            "ci_high": high,
            "margin": self.margin,
            "conditions": [
                {"do": do, "measures": {"accuracy": averaged(measure, log.outcomes)[0]}}
                for do, log in conditions
            ],
            "contrasts": [dict(c.__dict__) for c in self.contrasts],
            "warnings": self.warnings,
        }


def audit_logs(base: Log, logs: Mapping[str, Log], *, margin: float = 1.0) -> LogAudit:
    """What each of several logs loses against the first.

    Args:
        base: with all inputs.
        logs: what was done to the inputs, and the log of it.
        margin: points within which a difference is of no use.

    Raises:
        BadInput: the logs are of different items, or of different numbers of epochs.
    """
    if not 0 < margin < float("inf"):
        raise BadInput(f"--margin: expected more than 0 points, got {margin:g}")
    same_items([base, *logs.values()])
    played = {"": base.outcomes, **{do: log.outcomes for do, log in logs.items()}}
    found: Sequence[Contrast] = ()
    if logs:
        found = infer(gaps(list(logs)), MEASURES["accuracy"], played, margin=margin / 100)
    return LogAudit(base, dict(logs), tuple(found), margin)
