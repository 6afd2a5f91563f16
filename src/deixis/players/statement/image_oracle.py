"""The best that a player can do who never reads the sentence."""

from __future__ import annotations

from collections.abc import Sequence

from deixis.errors import BadInput
from deixis.replies import Replies
from deixis.tasks.task import Task
from deixis.trials import StatementView


class ImageOracle:
    """Knows the label that each pair of pictures has more often; true for ties."""

    name = "image-oracle"
    revision = "1"

    def __init__(self, task: Task) -> None:
        """Count the labels of each pair in the task that is played."""
        self.task = task
        votes: dict[str, int] = {}
        for trial in task.trials:
            pair = dict(trial.clusters)["pair"]
            votes[pair] = votes.get(pair, 0) + (1 if trial.label else -1)
        self._votes = votes

    def at(self, task: Task) -> ImageOracle:
        """The same for another condition: it looks at nothing that a condition could alter."""
        return ImageOracle(task)

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """The label of each pair."""
        choices = []
        for view in views:
            position = self.task.found(view.id)
            if position is None:
                raise BadInput(f"{self.task.name}: {view.id} is no trial of this task")
            pair = dict(self.task.trials[position].clusters)["pair"]
            choices.append(0 if self._votes[pair] >= 0 else 1)
        return Replies.chosen(views, choices)


def image_oracle(_: str, task: Task) -> ImageOracle:
    """Build it."""
    return ImageOracle(task)
