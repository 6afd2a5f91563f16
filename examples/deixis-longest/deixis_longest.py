"""A player from outside: it chooses the longest option, as careless benchmarks reward."""

from __future__ import annotations

from collections.abc import Sequence

from deixis.errors import BadInput
from deixis.replies import Replies
from deixis.tasks.task import Task
from deixis.trials import ChoiceView


class Longest:
    """Scores each option by its number of characters; pictures count as none."""

    name = "longest"
    revision = "1"

    def reply(self, views: Sequence[ChoiceView]) -> Replies:
        """A score for each option of each view."""
        lengths = [[len(o) if isinstance(o, str) else 0 for o in v.options] for v in views]
        return Replies.scored(views, lengths)


def longest(argument: str, task: Task) -> Longest:
    """Build it; ``--player longest`` takes no argument."""
    if argument:
        raise BadInput(f"longest takes no argument, got {argument!r}")
    return Longest()
