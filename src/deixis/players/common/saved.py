"""A player trained before: ``saved:FOLDER``, as ``deixis train`` writes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis import registry
from deixis.errors import BadInput
from deixis.players.protocols import Bound, Player
from deixis.replies import Replies
from deixis.tasks.task import Task

CARD = "player.json"
"""The file in a player's folder that says what it is."""

LESSONS = "lessons.json"
"""The file that says what it was trained on, so that it is not tested on the same."""


@dataclass(frozen=True)
class Lessons:
    """What a player was trained on.

    Attributes:
        source: as written.
        records: ids.
        pictures: names of all that were shown.
    """

    source: str
    records: frozenset[str]
    pictures: frozenset[str]

    def write(self, folder: Path) -> None:
        """Keep it beside the player."""
        content = {
            "source": self.source,
            "records": sorted(self.records),
            "pictures": sorted(self.pictures),
        }
        (folder / LESSONS).write_text(json.dumps(content) + "\n", "utf-8")


class Saved:
    """A player from a folder that knows what it was trained on.

    Attributes:
        lessons: what it was trained on.
    """

    def __init__(self, player: Player, lessons: Lessons) -> None:
        self.player = player
        self.lessons = lessons
        self.name, self.revision = player.name, player.revision

    def at(self, task: Task) -> Saved:
        """The same player for another condition or order."""
        player = self.player.at(task) if isinstance(self.player, Bound) else self.player
        return Saved(player, self.lessons)

    def reply(self, views: Sequence[Any]) -> Replies:
        """What the player replies."""
        return self.player.reply(views)


def saved(argument: str, task: Task) -> Player:
    """Load it.

    Raises:
        BadInput: the folder holds no player, or one for another kind of task.
    """
    folder = Path(argument)
    if not (folder / CARD).is_file():
        raise BadInput(f"saved:{argument}: no {CARD} there; write one with deixis train --out")
    card = _read(folder / CARD, "player", "kind")
    if card["kind"] != task.kind:
        raise BadInput(f"saved:{argument}: trained for {card['kind']} tasks, not {task.kind}")
    builder = registry.find("players", card["player"], task.kind)
    if not hasattr(builder, "load"):
        raise BadInput(f"{folder / CARD}: the player {card['player']!r} is none that is saved")
    try:
        player: Player = builder.load(folder, task)
    except FileNotFoundError as error:
        raise BadInput(f"saved:{argument}: {Path(error.filename).name} is missing") from None
    learnt = lessons_of(folder)
    return player if learnt is None else Saved(player, learnt)


def lessons_of(folder: Path) -> Lessons | None:
    """What the player in a folder was trained on; None where that was not kept."""
    if not (folder / LESSONS).is_file():
        return None
    known = _read(folder / LESSONS, "source", "records", "pictures")
    records, pictures = frozenset(known["records"]), frozenset(known["pictures"])
    return Lessons(known["source"], records, pictures)


def write_card(folder: Path, **card: Any) -> None:
    """Say what a player's folder holds; keys ``player`` and ``kind`` at least."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD).write_text(json.dumps(card, indent=1, sort_keys=True) + "\n", "utf-8")


def add_to_card(folder: Path, **more: Any) -> None:
    """Say more of a player that has just been saved."""
    write_card(folder, **(_read(folder / CARD) | more))


def _read(path: Path, *needed: str) -> dict[str, Any]:
    try:
        content = dict(json.loads(path.read_text("utf-8")))
        for key in needed:
            content[key]
    except (ValueError, TypeError, KeyError) as error:
        raise BadInput(f"{path}: not as deixis train writes it: {error!r}") from None
    return content
