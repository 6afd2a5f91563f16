"""``deixis plan``: how many items a study needs, which pictures, and how to split them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from deixis.audit.plan import Design, described, items_needed, pilot
from deixis.cli.options import Switch
from deixis.cli.show import print_json, table
from deixis.errors import BadInput
from deixis.plain import number
from deixis.runs.held import hold
from deixis.stats.power import Paired
from deixis.units import MEASURES

plan = App("plan", help="Say how many items a study needs, which pictures, and how to split them.")
plan.command("deixis.cli.choosing:sample", name="sample", help="Draw pictures to annotate densely.")
plan.command("deixis.cli.choosing:split", name="split", help="Split a dataset by picture.")


@plan.default
def power(
    *,
    effect: float | None = None,
    discordance: float | None = None,
    items: int | None = None,
    wanted: Annotated[float, Parameter(name="--power")] = 0.8,
    per_cluster: float = 1.0,
    icc: float = 0.0,
    from_run: str | None = None,
    raters: int = 0,
    most: int = 200,
    pay: float = 0.0,
    fee: float = 0.0,
    json: Switch = False,
) -> None:
    """Say what power a comparison of two conditions has, or how many items it needs.

    Args:
        effect: Points by which one condition is better.
        discordance: Share of items right under one condition only, from 0 to 1.
        items: How many items; without it, as many as reach the power.
        wanted: The power wanted where items are not given.
        per_cluster: Items in each cluster.
        icc: Intraclass correlation of the differences within clusters.
        from_run: A pilot, FOLDER#CONDITION: its effect, discordance, clusters and ICC are taken
            where they are not given.
        raters: Judgments of people for each item.
        most: Judgments that one person may give.
        pay: For each judgment.
        fee: The platform's share on top of pay, such as 0.3.
        json: Print one JSON object and nothing else.
    """
    design = _design(effect, discordance, per_cluster, icc, from_run)
    design = replace(design, raters=raters, most=most, pay=pay, fee=fee)
    if items is not None and items < 2:
        raise BadInput(f"--items: expected at least 2, got {items}")
    said = described(design, items if items is not None else items_needed(design, wanted))
    if json:
        print_json(said)
        return
    shown = [(k.replace("_", " "), v) for k, v in said.items() if k != "schema"]
    rows = [[k, number(v, 3) if isinstance(v, float) else f"{v:,}"] for k, v in shown]
    table("plan", ["", "value"], rows)


def _design(
    effect: float | None,
    discordance: float | None,
    per_cluster: float,
    icc: float,
    from_run: str | None,
) -> Design:
    if from_run is not None:
        folder, _, condition = from_run.partition("#")
        held = hold(Path(folder))
        if not condition or condition not in held.outcomes:
            known = ", ".join(c for c in held.outcomes if c)
            raise BadInput(f"--from-run {from_run}: expected FOLDER#CONDITION (played: {known})")
        measure = MEASURES["accuracy"]
        found = pilot(measure, held.outcomes[""][0], held.outcomes[condition][0])
        points = found.paired.effect if effect is None else effect / 100
        share = found.paired.discordance if discordance is None else discordance
        return replace(found, paired=Paired(points, share))
    if effect is None or discordance is None:
        raise BadInput("expected --effect and --discordance, or a pilot by --from-run")
    return Design(Paired(effect / 100, discordance), per_cluster, icc)
