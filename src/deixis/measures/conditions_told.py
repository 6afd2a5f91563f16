"""Tables and figures of what people judged under conditions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from deixis.measures.mixture import best
from deixis.measures.section import Figure, Table
from deixis.plain import number, p_value, percent

MADE = {"kept": "made", "everybody": "none"}
"""Which exclusions were made, by which judgments are told of."""


def by_condition_table(who: str, one: Mapping[str, Any], reference: str) -> Table:
    """Accuracy under each condition; the reference has a star."""
    rows = [
        [f"{name}{' *' if name == reference else ''}", f"{c['n']:,}", str(c["workers"]),
         str(c["items"]), percent(c["accuracy"]), _range(c["interval"]),
         percent(c["worker_mean"]), percent(c["worker_sd"]),
         percent(c["difference"]) if "difference" in c else "",
         _range(c.get("difference_interval"))]
        for name, c in one["conditions"].items()
    ]  # fmt: skip
    columns = ["", "n", "workers", "items", "right %", "95 %", "by worker", "sd", "less *", "95 %"]
    return Table(f"right answers by condition, exclusions: {MADE[who]}", columns, rows)


def effects_table(told: Mapping[str, Any]) -> Table:
    """Each effect with and without exclusions."""
    rows = []
    for who, one in told.items():
        effects_of = dict(one["logit"].get("conditions", {}))
        effects_of |= {
            f"per {one[what]['per']}": one[what]
            for what in ("over_trial", "over_seconds")
            if "log_odds" in one[what]
        }
        for name, e in effects_of.items():
            low, high = e["interval"]
            rows.append(
                [name, MADE[who], number(e["log_odds"], 3), number(e["error"], 3),
                 f"{number(low, 2)} to {number(high, 2)}", number(math.exp(e["log_odds"]), 2),
                 p_value(e["p"]), p_value(e["p_holm"]) if "p_holm" in e else ""]
            )  # fmt: skip
    columns = ["", "exclusions", "log-odds", "s.e.", "95 %", "odds ratio", "p", "p (Holm)"]
    return Table("logit of being right (errors by workers and items)", columns, rows)


def modes_table(modes: Mapping[str, Mapping[str, Any]]) -> Table:
    """The mixture of the lowest BIC of each condition and kind."""
    rows = []
    for name, by_kind in modes.items():
        chosen = {kind: best(fitted) for kind, fitted in by_kind.items()}
        rows += [
            [f"{name}, {kind}", str(len(m.means)), number(m.bic, 1), m.told()]
            for kind, m in chosen.items()
        ]
    title = "mixtures of workers, number of components by BIC"
    return Table(title, ["", "components", "BIC", "means (weights)"], rows)


def _range(interval: Sequence[float] | None) -> str:
    return "" if interval is None else f"{percent(interval[0])} to {percent(interval[1])}"


def figures(told: Mapping[str, Any]) -> list[Figure]:
    """Right answers over trials, and over response times."""
    found = []
    for what, across in (("trial", "trial"), ("seconds", "seconds")):
        bins = told[f"over_{what}"].get("bins", [])
        if len(bins) > 1:
            series = {"all": ([b["middle"] for b in bins], [b["accuracy"] for b in bins])}
            title = f"right answers over {'trials' if what == 'trial' else 'response time'}"
            found.append(Figure(f"over-{what}", "lines", title, across, "share", series))
    return found
