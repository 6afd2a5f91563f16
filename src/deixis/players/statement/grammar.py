"""A reader by rules: parses the sentence and evaluates its layout on what it sees."""

from __future__ import annotations

from collections.abc import Sequence

from deixis.errors import BadInput
from deixis.pictures.scene import Scene
from deixis.pictures.scenestore import SceneStore
from deixis.players.statement.sights import TOLD, Sight, shown, sight
from deixis.replies import Replies
from deixis.tasks.task import Task
from deixis.text.grammar import parse
from deixis.trials import StatementView
from deixis.worlds.scenes.meaning import evaluate


class Grammar:
    """Learns nothing; where the grammar does not reach, it does not decide."""

    def __init__(self, store: SceneStore, sight: Sight = TOLD) -> None:
        self.store, self.sight = store, sight
        self.name, self.revision = sight.of("grammar"), f"1 {sight.revision}"

    def at(self, task: Task) -> Grammar:
        """The same reader looking at another task's pictures."""
        return grammar(self.sight.name, task)

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """True or false; equal scores where a sentence could not be read."""
        scenes = shown(self.sight, self.store, views)
        return Replies.scored(
            views, [_scores(v.sentence, s) for v, s in zip(views, scenes, strict=True)]
        )


def _scores(sentence: str, scene: Scene) -> tuple[float, float]:
    layout = parse(sentence)
    if layout is None:
        return 0.0, 0.0
    return (1.0, 0.0) if evaluate(layout, scene) else (0.0, 1.0)


def grammar(argument: str, task: Task) -> Grammar:
    """Build it.

    Raises:
        BadInput: the argument is none of a sight, or pictures are no scenes of boxes.
    """
    if not isinstance(task.store, SceneStore):
        raise BadInput(f"grammar reads scenes of boxes, and {task.name} has none")
    return Grammar(task.store, sight("grammar", argument))
