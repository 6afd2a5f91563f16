"""``deixis compare``: models, conditions and people over the same items."""

from __future__ import annotations

from pathlib import Path

from deixis.audit.compare import Comparison, Side
from deixis.audit.compare import compare as run_compare
from deixis.cli.options import Switch
from deixis.cli.show import print_json, table
from deixis.errors import BadInput, unknown
from deixis.exchange.log import How, same_items
from deixis.exchange.reading import read_log
from deixis.plain import number, p_value
from deixis.runs.held import hold
from deixis.units import MEASURES


def compare(
    *runs: str,
    measure: str = "accuracy",
    margin: float = 1.0,
    metric: str = "",
    cluster: str = "",
    json: Switch = False,
) -> None:
    """Compare runs of the same items, every pair of them.

    Args:
        runs: Folders of runs; FOLDER#CONDITION takes a condition instead of the run's base. Or logs
            of Inspect (.eval), lm-eval and lmms-eval (samples_*.jsonl), VLMEvalKit (.xlsx, .tsv),
            or tables with id and credit (.csv, .parquet, .jsonl).
        measure: What is compared.
        margin: Points within which two count as the same.
        metric: Which score of a log counts; its first known one by default.
        cluster: The field of a log that says what items share, such as their picture.
        json: Print one JSON object and nothing else.
    """
    if measure not in MEASURES:
        raise unknown(f"there is no measure {measure!r}", measure, MEASURES)
    chosen = MEASURES[measure]
    if not 0 < margin < float("inf"):
        raise BadInput(f"--margin: expected more than 0 points, got {margin:g}")
    logs = {r: read_log(Path(r), How(metric, cluster)) for r in runs if Path(r).is_file()}
    if len(logs) > 1:
        same_items(list(logs.values()))
    sides = [Side(r, logs[r].outcomes) if r in logs else _side(r) for r in runs]
    found = run_compare(sides, chosen, margin=margin / chosen.scale)
    print_json(found.json()) if json else _print(found)


def _side(text: str) -> Side:
    folder, _, condition = text.partition("#")
    held = hold(Path(folder))
    if condition not in held.outcomes:
        known = ", ".join(c or "(base)" for c in held.outcomes)
        raise BadInput(f"{folder}: {condition!r} was not played there (played: {known})")
    return Side(text, held.outcomes[condition])


def _print(found: Comparison) -> None:
    scale = found.measure.scale
    rows = [
        [
            str(s["name"]),
            str(s["n"]),
            str(s["clusters"]),
            str(s["raters"] or ""),
            number(scale * s["value"]),
            f"{number(scale * s['low'])} to {number(scale * s['high'])}",
        ]
        for s in found.sides
    ]
    columns = ["run", "items", "clusters", "raters", found.measure.name, "95 % interval"]
    table("runs", columns, rows)
    for s in found.sides:
        if s["left_out"]:
            print(f"{s['name']}: {s['left_out']} items left out, which not every run has")
    rows = [
        [
            a,
            b,
            number(scale * c.value),
            f"{number(scale * c.low)} to {number(scale * c.high)}",
            p_value(c.p_holm),
            c.verdict,
        ]
        for a, b, c in found.pairs
    ]
    columns = ["the first", "the second", "points apart", "95 % interval", "p (Holm)", "is"]
    table("pairs", columns, rows)
