"""The player that always says what is more often right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from deixis.errors import BadInput
from deixis.players.common.saved import write_card
from deixis.replies import Replies
from deixis.tasks.task import Task
from deixis.trials import StatementView

LABELS = ("true", "false")
"""The options of a statement, in order."""


class Always:
    """Says the same of every statement."""

    name = "majority"

    def __init__(self, label: str) -> None:
        self.label = label
        self.revision = label

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """One choice for all."""
        return Replies.chosen(views, [LABELS.index(self.label)] * len(views))

    def save(self, folder: Path) -> None:
        """Write the label."""
        write_card(folder, player="majority", kind="statement", label=self.label)


class Majority:
    """Learns which label is more frequent; equally frequent ones mean true.

    ``majority:true`` and ``majority:false`` name the label instead.
    """

    name = "majority"
    quick = True
    stochastic = False

    def __init__(self, argument: str = "", _: Task | None = None) -> None:
        """Build it.

        Raises:
            BadInput: the argument is no label.
        """
        if argument and argument not in LABELS:
            raise BadInput(f"majority: expected true or false behind the colon, got {argument!r}")
        self.label = argument

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Always:
        """Count labels; nothing is drawn, nothing is stopped early."""
        true = sum(t.label for t in task.trials)
        return Always(self.label or LABELS[0 if 2 * true >= len(task) else 1])

    @staticmethod
    def load(folder: Path, _: Task) -> Always:
        """Read what was saved."""
        return Always(json.loads((folder / "player.json").read_text("utf-8"))["label"])
