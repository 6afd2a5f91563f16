"""The player that likes all options the same; its accuracy is exactly chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deixis.replies import Replies
from deixis.tasks.task import Task


class Constant:
    """Scores every option 0."""

    name = "constant"
    revision = "1"

    def reply(self, views: Sequence[Any]) -> Replies:
        """The same score for all."""
        return Replies.scored(views, [[0.0] * v.k for v in views])


def constant(_: str, __: Task) -> Constant:
    """Build it."""
    return Constant()
