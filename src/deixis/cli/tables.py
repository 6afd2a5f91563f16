"""An audit as tables on a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from deixis.audit.audit import Audit
from deixis.audit.infer import Contrast
from deixis.audit.wording import words
from deixis.cli.show import table
from deixis.exchange.audited import LogAudit
from deixis.plain import number, p_value, percent
from deixis.units import MEASURES


def audit_tables(audit: Audit) -> None:
    """Print gaps, retraining, Shapley values and the rest, then what to be warned of."""
    scale = audit.measure.scale
    task = audit.run.task
    print(
        f"{audit.run.player} on {task.name}: {audit.measure.name} {scale * audit.all:.1f}, "
        f"{scale * audit.none:.1f} with nothing to go by (chance {scale * task.chance:.1f}); "
        f"{len(task)} trials, {len(set(audit.run.base[0].clusters.tolist()))} clusters"
    )
    _gaps(audit)
    _rounds(audit)
    _left(audit)
    _named(audit, "shapley", "Shapley values: the score shared out over the channels")
    _named(audit, "interaction", "interactions: lost together beyond the sum of the losses apart")
    _named(audit, "prior", "one kind of input alone, above chance")
    _named(audit, "perceptual", "perceptual scores: the input of another trial")
    _named(audit, "curve", "slopes: points lost from dose 0 to 1")
    _named(audit, "gain", "multi-modal gain: with pictures against without")
    _named(audit, "leakage", "multi-modal leakage: without pictures against a text-only player")
    _named(audit, "emap", "relating text and picture, against adding them up")
    _gradual(audit)
    for warning in audit.warnings:
        print(f"note: {warning}")


def log_tables(audit: LogAudit) -> None:
    """Print an audit of logs."""
    said = audit.json()
    low, high = percent(said["ci_low"]), percent(said["ci_high"])
    print(
        f"{said['player'] or audit.base.path} on {said['dataset']}: {said['metric']} accuracy "
        f"{percent(said['accuracy'])} ({low} to {high}), chance {percent(said['chance'])}; "
        f"{said['n']} items, {said['clusters']} clusters"
    )
    rows = [
        [gap.of, *_numbers(gap, 100), p_value(gap.p_holm), _share(gap.changed), gap.verdict]
        for gap in audit.contrasts
    ]
    if rows:
        columns = ["taken away", "points lost", "95 % interval", "p (Holm)", "changed", "verdict"]
        table("gaps", columns, rows)
    for warning in audit.warnings:
        print(f"note: {warning}")


def _gaps(audit: Audit) -> None:
    retrained = {c.of: c for c in audit.of("needed")}
    redundant = {c.of: c for c in audit.of("redundant")}
    channel = {intervention: name for name, intervention in audit.absent.items()}
    # Between replicates: draws of orders and operators, or training runs.
    several = "± between runs" if len(audit.run.base) > 1 else ""
    columns = ["taken away", "points lost", "95 % interval", "p (Holm)", "changed", several]
    columns.append("verdict")
    rows = []
    for gap in audit.of("gap"):
        row = [
            gap.of,
            *_numbers(gap, audit.measure.scale),
            p_value(gap.p_holm),
            _share(gap.changed),
            _spread(gap, audit.measure.scale),
            words(gap, audit),
        ]
        if retrained:
            for extra in (retrained, redundant):
                found = extra.get(channel.get(gap.of, ""))
                row.append("" if found is None else number(audit.measure.scale * found.value))
        rows.append(row)
    table("gaps", [*columns, *(["needed", "redundant"] if retrained else [])], rows)


def _gradual(audit: Audit) -> None:
    if not audit.gradual:
        return
    rows = [
        [
            f"{p.given} of {p.total}",
            str(p.n),
            percent(p.accuracy[0]),
            f"{percent(p.accuracy[1])} to {percent(p.accuracy[2])}",
            percent(p.probability[0]),
        ]
        for p in audit.gradual
    ]
    columns = ["parts given", "trials", "accuracy", "95 % interval", "probability of the target"]
    table("gradual parts", columns, rows)


def _rounds(audit: Audit) -> None:
    """Measures of dialogs after every round, for every condition that was asked for."""
    if not audit.measure.by_round:
        return
    asked = {gap.of for gap in audit.of("gap")}
    rows = [
        [str(c["do"]) or "nothing", *(f"{v:.1f}" for v in c["measures"][audit.measure.name])]
        for c in audit.conditions
        if c["do"] in asked or not c["do"]
    ]
    after = ["caption", *map(str, range(1, len(rows[0]) - 1))]
    title = f"{audit.measure.name.replace('_', ' ')} after the caption and each round"
    table(title, ["taken away", *after], rows)


def _left(audit: Audit, columns: int = 6) -> None:
    """Every measure under every condition that was asked for, and the first one on subsets."""
    if audit.measure.by_round:
        return
    asked = {gap.of for gap in audit.of("gap")}
    shown = [c for c in audit.conditions if c["do"] in asked or not c["do"]]
    first = audit.measure.name
    found = {m: [_value(m, c["measures"]) for c in shown] for m in shown[0]["measures"]}
    found |= {n: [_value(first, c["subsets"][n]) for c in shown] for n in shown[0]["subsets"]}
    names = list(found)
    if len(names) == 1:
        return
    for part in (names[i : i + columns] for i in range(0, len(names), columns)):
        rows = zip(*(found[n] for n in part), strict=True)
        named = [[c["do"] or "nothing", *row] for c, row in zip(shown, rows, strict=True)]
        table("what is left", ["taken away", *part], named)


def _value(measure: str, values: Mapping[str, Any]) -> str:
    return f"{MEASURES[measure].scale * values[measure]:.1f}"


def _named(audit: Audit, kind: str, title: str) -> None:
    found = audit.of(kind)
    if not found:
        return
    rows = []
    for one in found:
        how = one.absent or one.form
        name = f"{one.of} ({how})" if how else one.of
        scale = 100.0 if one.form else audit.measure.scale
        blank = number(scale * one.blank["value"]) if one.blank else ""
        rows.append([name, *_numbers(one, scale), _monte_carlo(one, scale), blank, one.note])
    drawn = "± of the draws" if any(row[3] for row in rows) else ""
    blank = "by blank" if any(row[4] for row in rows) else ""
    table(title, ["", "points", "95 % interval", drawn, blank, ""], rows)


def rounds_table(title: str, said: Mapping[str, Any], measures: Sequence[str]) -> None:
    """Print every measure after the caption and after every round of dialogs."""
    columns = ["after", *(m.replace("_", " ") for m in measures)]
    columns.insert(2, "95 % interval")
    rows = []
    for after in range(len(said[measures[0]])):
        row = [f"round {after}" if after else "caption"]
        row += [f"{MEASURES[name].scale * said[name][after]:.1f}" for name in measures]
        low, high = said["intervals"][measures[0]][after]
        row.insert(2, "–" if math.isnan(low) else f"{low:.1f}–{high:.1f}")
        rows.append(row)
    table(title, columns, rows)
    pool = said["pool"]
    print(
        f"pool {pool['name']} of {pool['size']}; chance {said['chance']:g}; the best ranking that "
        f"is the same for all dialogs: {pool['fixed_ranking']:.1f}"
    )


def _numbers(contrast: Contrast, scale: float) -> list[str]:
    low, high = number(scale * contrast.low), number(scale * contrast.high)
    interval = f"{low} to {high}" if math.isfinite(contrast.low) else "–"
    return [number(scale * contrast.value), interval]


def _spread(contrast: Contrast, scale: float) -> str:
    return "" if math.isnan(contrast.between) else number(scale * contrast.between, 2)


def _monte_carlo(contrast: Contrast, scale: float) -> str:
    return "" if math.isnan(contrast.monte_carlo) else number(scale * contrast.monte_carlo, 2)


def _share(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.0f} %"
