"""``deixis play``: one player on one task."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from deixis.cli.options import PlayOptions, Several, Switch, TaskOptions
from deixis.cli.session import Asked, session
from deixis.cli.show import print_json, table
from deixis.cli.tables import rounds_table
from deixis.plain import percent
from deixis.runs.play import check
from deixis.runs.summary import summary
from deixis.units import MEASURES


def play(
    source: str,
    /,
    *,
    player: str = "linear",
    do: Several = (),
    task: TaskOptions = TaskOptions(),
    how: PlayOptions = PlayOptions(),
    json: Switch = False,
    **options: Annotated[str, Parameter(show=False)],
) -> None:
    """Play a task and say how well it went.

    Args:
        source: What to play: NAME[:SPLIT[+SPLIT]], a world with options such as
            figures,variants=9:test, a FILE.toml, or a run's folder.
        player: Who plays: NAME[:ARGUMENT]; a player's own options follow as --name value.
        do: An intervention CHANNEL[/READER]=OPERATOR[:ARGUMENT][@ROUND]; here all act at once.
        json: Print one JSON object and nothing else.
    """
    asked = Asked(source, player, task, how, options).recalled()
    made = asked.task().do(*do)
    check(made, "")
    with session(asked, made) as ready:
        run = ready.play([])
    said = summary(run)
    print_json(said) if json else _print(said, run.task.about.measures)


def _print(said: dict[str, Any], measures: tuple[str, ...]) -> None:
    condition = f" under {said['condition']}" if said["condition"] else ""
    title = f"{said['player']} on {said['dataset']}{condition}"
    rounds_table(title, said, measures) if "pool" in said else _measures(title, said, measures)
    print(f"{said['n']} trials in {said['clusters']} clusters", end="")
    print("".join(f"; {n} {name}" for name, n in said["statuses"].items() if name != "ok"))
    if said["cut"]:
        print(f"{said['cut']} texts were longer than the player takes, and lost their end")
    for reason, n in said["dropped"].items():
        print(f"dropped {n}: {reason}")


def _measures(title: str, said: dict[str, Any], measures: tuple[str, ...]) -> None:
    rows = []
    for name in measures:
        # Whatever is no fraction stands as it is, such as a rank.
        scale = MEASURES[name].scale / 100
        ends = [scale * v for v in said["intervals"][name]]
        rows.append([name, percent(scale * said[name]), _interval(ends)])
    rows.append(["chance", percent(said["chance"]), ""])
    table(title, ["", "%", "95 % interval"], rows)


def _interval(ends: list[float]) -> str:
    low, high = (percent(v) for v in ends)
    return low if low == high == percent(None) else f"{low}–{high}"
