"""How far the people agree who judged statements, and what a rule of removal takes away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deixis.dataset import Dataset, Statement
from deixis.measures.agreement import Coefficient, Ratings, alpha, kappa
from deixis.measures.section import Options, Section, Table
from deixis.plain import number, percent

WORDS = {True: "true", False: "false", None: "nonsense"}
DISSENT = 2
"""A statement is removed where so many later judgments are not its label."""


def judged(records: Iterable[Statement], *, writer: bool = False) -> Ratings | None:
    """What was said of each statement: one row for each, nonsense a third value.

    Args:
        records: statements; the label is what the writer said.
        writer: whether the writer's label counts as a judgment.

    Returns:
        None where nobody judged anything.
    """
    rows = [
        [WORDS[r.label]] * writer + [WORDS[j.said] for j in r.judgments]
        for r in records
        if r.judgments
    ]
    width = max(map(len, rows), default=0)
    if not width:
        return None
    return Ratings.of([row + [None] * (width - len(row)) for row in rows])


def dissent(record: Statement) -> tuple[int, int]:
    """How many of the judgments after the first validation are the label, and of how many.

    >>> from deixis.dataset import Judgment
    >>> said = tuple(Judgment(w, w != "b", "extra") for w in "abc")
    >>> dissent(Statement("1", "", True, (), "", "", "", judgments=said))
    (2, 3)
    """
    later = [j for j in record.judgments if j.role != "validation"]
    return sum(j.said == record.label for j in later), len(later)


def agreement(dataset: Dataset, options: Options) -> Section:
    """The section on agreement of a dataset of statements."""
    records: list[Statement] = list(dataset.records.values())
    ratings = judged(records)
    if ratings is None:
        note = f"{dataset.name}: nobody but the writers judged these statements"
        return Section({"krippendorff_alpha": None, "fleiss_kappa": None}, notes=[note])
    clusters = [r.group for r in records if r.judgments]
    how: dict[str, Any] = {
        "clusters": clusters, "resamples": options.resamples, "seed": options.seed,
    }  # fmt: skip
    found = {"krippendorff_alpha": alpha(ratings, **how), "fleiss_kappa": kappa(ratings, **how)}
    if any(r.writer for r in records):
        found["krippendorff_alpha_with_writer"] = alpha(judged(records, writer=True), **how)
        found["fleiss_kappa_with_writer"] = kappa(judged(records, writer=True), **how)
    removal = _removal(records)
    fields = {
        **{name: one.value for name, one in found.items()},
        "agreement": {name: _said(one) for name, one in found.items()},
        "low_agreement": removal,
    }
    notes = [f"{n.replace('_', ' ')} is undefined: {c.why}" for n, c in found.items() if c.why]
    return Section(fields, [_coefficients(found), _distribution(removal)], notes=notes)


def _removal(records: Sequence[Statement]) -> dict[str, Any]:
    """How judgments fall, and what the rule takes away: ids, share, alpha before and after."""
    counted = {r.id: dissent(r) for r in records if r.judgments}
    falls = Counter(counted.values())
    gone = {i for i, (agree, of) in counted.items() if of - agree >= DISSENT}
    kept = judged(r for r in records if r.id not in gone)
    before = judged(records)
    unanimous = sum(len({j.said for j in r.judgments}) == 1 for r in records if r.judgments)
    return {
        "rule": f"{DISSENT} or more judgments after the first validation are not the label",
        "removed": sorted(gone),
        "share": len(gone) / len(counted),
        "alpha_before": alpha(before).value if before else None,
        "alpha_after": alpha(kept).value if kept else None,
        "unanimous": unanimous / len(counted),
        "distribution": {f"{a} of {n}": falls[a, n] for a, n in sorted(falls, key=_order)},
    }


def _order(fall: tuple[int, int]) -> tuple[int, int]:
    agree, of = fall
    return -of, -agree


def _said(one: Coefficient) -> dict[str, Any]:
    interval = None if one.low is None else [one.low, one.high]
    return {
        "value": one.value, "interval": interval, "units": one.units, "ratings": one.ratings,
        "undefined": one.why or None,
    }  # fmt: skip


def _coefficients(found: Mapping[str, Coefficient]) -> Table:
    rows = [
        [
            name.replace("_", " ").capitalize(),
            "–" if one.value is None else number(one.value, 4),
            "–"
            if one.low is None or one.high is None
            else f"{number(one.low, 3)}–{number(one.high, 3)}",
            f"{one.units:,}",
            f"{one.ratings:,}",
        ]
        for name, one in found.items()
    ]
    return Table("agreement", ["", "value", "95 % interval", "units", "judgments"], rows)


def _distribution(removal: Mapping[str, Any]) -> Table:
    falls: Mapping[str, int] = removal["distribution"]
    total = sum(falls.values())
    rows = [[name, f"{n:,}", percent(n / total)] for name, n in falls.items()]
    rows.append(["removed by the rule", f"{len(removal['removed']):,}", percent(removal["share"])])
    return Table("later judgments that are the label", ["", "statements", "%"], rows)
