"""Speakers who say what people said in a task's dialogs, or what was set by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deixis.errors import BadInput
from deixis.players.guessing.ranked import trials_of
from deixis.players.protocols import Answerer, Questioner
from deixis.tasks.task import Task
from deixis.trials import GuessView, Turn, opaque

Script = Mapping[str, Mapping[int, str]]
"""Texts by the id of a dialog and the round, counted from 1."""


class Scripted:
    """Asks and answers as people did, whatever was said before."""

    def __init__(self, task: Task) -> None:
        """Know the task's dialogs."""
        self.task = task

    def ask(self, views: Sequence[GuessView]) -> list[str]:
        """What people asked in this round."""
        return [t.question for t in self._turns(views, 0)]

    def answer(self, views: Sequence[GuessView]) -> list[str]:
        """What people answered in this round."""
        return [t.answer for t in self._turns(views, -1)]

    def _turns(self, views: Sequence[GuessView], shift: int) -> list[Turn]:
        made = []
        for view, trial in zip(views, trials_of(self.task, views), strict=True):
            number = len(view.dialog.turns) + shift
            if number >= len(trial.dialog.turns):
                raise BadInput(
                    f"dialog {trial.id} has {len(trial.dialog.turns)} rounds, and round "
                    f"{number + 1} was asked for"
                )
            made.append(trial.dialog.turns[number])
        return made


class Prompted:
    """A questioner or answerer some of whose texts are set by hand."""

    def __init__(
        self,
        speaker: Questioner | Answerer,
        questions: Script | None = None,
        answers: Script | None = None,
    ) -> None:
        """Set texts.

        Args:
            speaker: says everything else.
            questions: to ask.
            answers: to give.
        """
        self.speaker = speaker
        self._questions = {opaque(i): texts for i, texts in (questions or {}).items()}
        self._answers = {opaque(i): texts for i, texts in (answers or {}).items()}

    def ask(self, views: Sequence[GuessView]) -> list[str]:
        """The texts that are set, and the speaker's own elsewhere."""
        own = self.speaker.ask(views)  # type: ignore[union-attr]
        return [
            self._questions.get(v.id, {}).get(len(v.dialog.turns) + 1, text)
            for v, text in zip(views, own, strict=True)
        ]

    def answer(self, views: Sequence[GuessView]) -> list[str]:
        """The texts that are set, and the speaker's own elsewhere."""
        own = self.speaker.answer(views)  # type: ignore[union-attr]
        return [
            self._answers.get(v.id, {}).get(len(v.dialog.turns), text)
            for v, text in zip(views, own, strict=True)
        ]
