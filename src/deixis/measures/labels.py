"""Whether people who judge statements are right more often where a statement is true."""

from __future__ import annotations

from collections.abc import Iterable

from deixis.dataset import Dataset, Statement
from deixis.measures.conditions import by_condition, effects
from deixis.measures.judged import Judged
from deixis.measures.people import ROLES
from deixis.measures.section import Options, Section, Table
from deixis.plain import number, p_value, percent

TRUE, FALSE = "true statements", "false statements"


def later(records: Iterable[Statement]) -> list[Judged]:
    """Judgments that count towards people's performance, on sentences of others.

    The condition is the label; statements of one sentence of one set belong together.
    """
    return [
        Judged(
            id=f"{record.id}\t{number}",
            worker=judgment.worker,
            item=record.id,
            condition=TRUE if record.label else FALSE,
            right=judgment.said == record.label,
            cluster=record.group,
        )
        for record in records
        for number, judgment in enumerate(record.judgments)
        if judgment.role in ROLES and judgment.worker != record.writer
    ]


def labels(dataset: Dataset, options: Options) -> Section:
    """The section on true and false statements; empty where nobody judged again."""
    found = later(dataset.records.values())
    if {j.condition for j in found} != {TRUE, FALSE}:
        return Section()
    by_label = by_condition(found, FALSE, resamples=options.resamples, seed=options.seed)
    logit = effects(found, FALSE)
    rows = [
        [name, f"{one['n']:,}", str(one["workers"]), percent(one["accuracy"], 2),
         *([] if one["interval"] is None else [" to ".join(percent(v) for v in one["interval"])])]
        for name, one in by_label.items()
    ]  # fmt: skip
    columns = ["", "judgments", "workers", "right %", "95 %"][: len(rows[0])]
    notes = []
    for name, effect in logit.get("conditions", {}).items():
        odds, p = number(effect["odds_ratio"], 2), p_value(effect["p"])
        notes.append(
            f"the odds of a right judgment on {name} are {odds} times those on {FALSE} (p {p}; "
            "errors by workers and sentences)"
        )
    fields = {"people_by_label": {"conditions": by_label, "logit": logit}}
    return Section(fields, [Table("right judgments by label", columns, rows)], notes=notes)
