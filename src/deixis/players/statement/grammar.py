"""A reader by rules: parses the sentence and evaluates its layout on what it sees."""

from __future__ import annotations

from collections.abc import Sequence

from deixis.errors import BadInput
from deixis.pictures.scenestore import SceneStore
from deixis.players.statement.maxent import shown
from deixis.replies import Replies
from deixis.tasks.task import Task
from deixis.text.grammar import parse
from deixis.trials import StatementView
from deixis.worlds.scenes.meaning import evaluate


class Grammar:
    """Learns nothing; where the grammar does not reach, it does not decide."""

    name = "grammar"
    revision = "1"

    def __init__(self, store: SceneStore) -> None:
        self.store = store

    def at(self, task: Task) -> Grammar:
        """The same reader looking at another task's pictures."""
        return grammar("", task)

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """True or false; equal scores where a sentence could not be read."""
        return Replies.scored(views, [self._scores(v) for v in views])

    def _scores(self, view: StatementView) -> tuple[float, float]:
        layout = parse(view.sentence)
        if layout is None:
            return 0.0, 0.0
        return (1.0, 0.0) if evaluate(layout, shown(self.store, view)) else (0.0, 1.0)


def grammar(argument: str, task: Task) -> Grammar:
    """Build it.

    Raises:
        BadInput: an argument, or pictures that are no scenes of boxes.
    """
    if argument or not isinstance(task.store, SceneStore):
        raise BadInput(f"grammar takes no argument and reads scenes of boxes, not {task.name}")
    return Grammar(task.store)
