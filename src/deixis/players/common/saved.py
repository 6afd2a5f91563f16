"""A player trained before: ``saved:FOLDER``, as ``deixis train`` writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from deixis import registry
from deixis.errors import BadInput
from deixis.tasks.task import Task

CARD = "player.json"
"""The file in a player's folder that says what it is."""


def saved(argument: str, task: Task) -> Any:
    """Load it.

    Raises:
        BadInput: the folder holds no player, or one for another kind of task.
    """
    folder = Path(argument)
    if not (folder / CARD).is_file():
        raise BadInput(f"saved:{argument}: no {CARD} there; write one with deixis train --out")
    try:
        card = json.loads((folder / CARD).read_text("utf-8"))
        player, kind = str(card["player"]), str(card["kind"])
    except (ValueError, TypeError, KeyError) as error:
        raise BadInput(f"{folder / CARD}: no card of a player: {error!r}") from None
    if kind != task.kind:
        raise BadInput(f"saved:{argument}: trained for {kind} tasks, not {task.kind}")
    builder = registry.find("players", player, task.kind)
    try:
        return builder.load(folder, task)
    except FileNotFoundError as error:
        raise BadInput(f"saved:{argument}: {Path(error.filename).name} is missing") from None


def write_card(folder: Path, **card: Any) -> None:
    """Say what a player's folder holds; keys ``player`` and ``kind`` at least."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD).write_text(json.dumps(card, indent=1, sort_keys=True) + "\n", "utf-8")
