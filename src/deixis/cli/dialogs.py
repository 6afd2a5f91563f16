"""``deixis dialogs``: what is said, guessed and learnt, round by round."""

from __future__ import annotations

import math
from typing import Annotated, Any

from cyclopts import Parameter

from deixis.audit.dialogs import dialogs as followed
from deixis.cli.options import PlayOptions, Several, Switch, TaskOptions
from deixis.cli.session import Asked, session
from deixis.cli.show import print_json, table
from deixis.errors import BadInput
from deixis.plain import number, percent
from deixis.runs.play import check
from deixis.runs.summary import head


def dialogs(
    source: str,
    /,
    *,
    player: str = "linear",
    do: Several = (),
    worst: int = 10,
    task: TaskOptions = TaskOptions(),
    how: PlayOptions = PlayOptions(),
    json: Switch = False,
    **options: Annotated[str, Parameter(show=False)],
) -> None:
    """Say what is said, guessed and learnt in dialogs, round by round.

    Args:
        source: Guessing games: NAME[,OPTION=VALUE][:SPLIT[+SPLIT]].
        player: Who plays: NAME[:ARGUMENT]; a player's own options follow as --name value.
        do: An intervention CHANNEL[/READER]=OPERATOR[:ARGUMENT][@ROUND]; each its own condition.
        worst: How many of the dialogs to list that the caption alone finds worst.
        json: Print one JSON object and nothing else.
    """
    if worst < 1:
        raise BadInput(f"--worst: expected at least 1, got {worst}")
    asked = Asked(source, player, task, how, options)
    made = asked.task()
    if made.kind != "guessing":
        raise BadInput(f"{source}: only guessing games have dialogs to follow")
    for condition in do:
        check(made, condition)
    with session(asked, made) as ready:
        run = ready.play(list(do))
        found = followed(run, ready.player(), worst)
    said = {"schema": "deixis/dialogs/1", **head(run), **found.json()}
    print_json(said) if json else _print(said)


def _print(said: dict[str, Any]) -> None:
    rounds = range(1, 1 + len(said["information"]))
    rows = [
        [str(one["round"]), number(one["value"]), f"{number(one['low'])} to {number(one['high'])}"]
        for one in said["information"]
    ]
    title = f"{said['player']} on {said['dataset']}: ranks that each round is worth"
    table(title, ["round", "mean", "95 % interval"], rows)
    names = {
        "answers_changed": "answers changed, %",
        "questions_changed": "questions changed, %",
        "best_ten_shared": "best ten shared, %",
        "spearman": "ranks, Spearman",
        "cosine": "predictions, cosine",
    }
    rows = [
        [f"{one['do']}: {name}", *(_cell(key, v) for v in one[key])]
        for one in said["shifts"]
        for key, name in names.items()
        if any(math.isfinite(v) for v in one[key])
    ]
    if rows:
        table("moved, after each round", ["", "caption", *map(str, rounds)], rows)
    rows = [
        [one["dialog"], number(one["rank"]), number(one["percentile_rank"])]
        for one in said["caption_only"]
    ]
    table("worst by the caption alone", ["dialog", "rank", "percentile rank"], rows)
    for who, shares in said["yes_no"].items():
        if shares:
            exactly, begins = percent(shares["exactly"]), percent(shares["begins"])
            whose = "people's" if who == "people" else f"{said['player']}'s"
            print(f"{whose} answers: {exactly} % exactly yes or no, {begins} % begin with it")


def _cell(key: str, value: float) -> str:
    return number(value, 2) if key in ("spearman", "cosine") else number(100 * value)
