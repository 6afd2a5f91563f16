"""``deixis train``: train a player and keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from deixis import __version__
from deixis.cli.options import Several, Switch, TaskOptions
from deixis.cli.session import own_options
from deixis.cli.show import print_json, progress
from deixis.errors import BadInput
from deixis.interventions.condition import show
from deixis.players.common.saved import CARD, add_to_card
from deixis.players.protocols import Learner, Saveable, Telling
from deixis.runs.play import check
from deixis.runs.prepare import build, check_overlap, lessons
from deixis.tasks.task import Task


def train(
    source: str,
    /,
    *,
    player: str,
    out: Path,
    dev: str | None = None,
    do: Several = (),
    seed: int = 0,
    allow_overlap: Several = (),
    task: TaskOptions = TaskOptions(),
    json: Switch = False,
    **options: Annotated[str, Parameter(show=False)],
) -> None:
    """Train a player and keep it; --player saved:DIR plays it.

    Args:
        source: What to learn from: NAME[,OPTION=VALUE][:SPLIT[+SPLIT]].
        player: Who learns: NAME[:ARGUMENT]; a player's own options follow as --name value.
        out: The player's folder; a training that was interrupted goes on there.
        dev: What to stop by, NAME:SPLIT[+SPLIT], for players that stop early.
        do: An intervention CHANNEL[/READER]=OPERATOR[:ARGUMENT][@ROUND] in training; all at once.
        seed: The training seed.
        allow_overlap: Accept that training and dev share this: records or pictures.
        json: Print one JSON object and nothing else.
    """
    if (out / CARD).exists():
        raise BadInput(f"{out}: holds a player already; name another folder")
    learnt = task.task(source).do(*do)
    check(learnt, "")
    learner = build(player, learnt, **own_options(options))
    if not isinstance(learner, Learner):
        raise BadInput(f"the player {learner.name!r} does not train")
    stop = _dev(task, dev, do)
    if stop is not None:
        check_overlap(learnt, stop, allow_overlap)
    with progress() as told:
        if isinstance(learner, Telling):
            learner.progress = told
        told(f"training {learner.name}", 0, 1)
        made = learner.fit(learnt, dev=stop, seed=seed, folder=out / "training")
        told(f"training {learner.name}", 1, 1)
    if not isinstance(made, Saveable):
        raise BadInput(f"{source}: {learner.name} learnt nothing that could be kept")
    out.mkdir(parents=True, exist_ok=True)
    lessons(learnt).write(out)
    made.save(out)
    said = _said(learnt, made, seed)
    add_to_card(out, trained=said, version=__version__)
    print_json({"schema": "deixis/train/1", **said, "out": str(out)}) if json else _print(said, out)


def _dev(making: TaskOptions, source: str | None, do: tuple[str, ...]) -> Task | None:
    return making.training(source).do(*do) if source is not None else None


def _said(task: Task, player: Any, seed: int) -> dict[str, Any]:
    """What was learnt from what; the card of a player holds it too."""
    return {
        "task": task.kind,
        "dataset": task.name,
        "fingerprint": task.dataset.fingerprint,
        "condition": show(task.condition),
        "n": len(task),
        "player": player.name,
        "revision": player.revision,
        "seed": seed,
    }


def _print(said: dict[str, Any], out: Path) -> None:
    condition = f" under {said['condition']}" if said["condition"] else ""
    print(f"{said['player']} learnt from {said['n']} trials of {said['dataset']}{condition}")
    print(f"kept in {out}; play it with --player saved:{out}")
