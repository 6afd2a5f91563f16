"""``hf-vlm:PATH``: an image-text model of transformers scores options, without a server.

Two readings, which are two players: ``choice`` asks the forced choice of `chat:` and compares the
log-probabilities of the labels; ``yes`` asks about one option at a time and takes the log-odds of
yes against no.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deixis.errors import BadInput
from deixis.players.chat.rendering import Renderer
from deixis.players.chat.wording import Ask, word
from deixis.players.vlm.model import Model, Prompt
from deixis.replies import Replies
from deixis.tasks.task import Task
from deixis.trials import GuessView, Picture

READINGS = ("choice", "yes")


class Vlm:
    """Plays with a model, by one of two readings."""

    def __init__(
        self, name: str, model: Model, reading: str, renderer: Renderer, batch: int = 1
    ) -> None:
        self.name = f"hf-vlm:{name}" + (" (yes)" if reading == "yes" else "")
        self.revision = f"{model.revision}-{reading}-{renderer.size}"
        self._short, self.model, self.reading, self.renderer = name, model, reading, renderer
        self._batch = batch

    def at(self, task: Task) -> Vlm:
        """The same player looking at another task's pictures."""
        renderer = Renderer(task.store, self.renderer.size)
        return Vlm(self._short, self.model, self.reading, renderer, self._batch)

    def reply(self, views: Sequence[Any]) -> Replies:
        """Log-probabilities of labels, or log-odds of yes, for each option."""
        ask = self._yes if self.reading == "yes" else self._choice
        scores: list[list[float]] = []
        # Pictures are drawn for a few views at a time: a whole task of them would fill the memory.
        for start in range(0, len(views), self._batch):
            asked = [ask(view) for view in views[start : start + self._batch]]
            flat = self.model.scores([p for prompts in asked for p in prompts], self._batch)
            left = iter(flat)
            for prompts in asked:
                own = [next(left) for _ in prompts]
                scores.append([y - n for y, n in own] if self.reading == "yes" else own[0])
        return Replies.scored(views, scores)

    def _choice(self, view: Any) -> list[Prompt]:
        ask = word(view, range(view.k), "separate")
        return [Prompt(self._drawn(ask), ask.labels)]

    def _yes(self, view: Any) -> list[Prompt]:
        """One question for each option, in its place the listed ones or the asking for a label."""
        ask = word(view, range(view.k), "separate")
        drawn = self._drawn(ask)
        prompts = []
        for i, label in enumerate(ask.labels):
            asked = f"Is this right: {ask.texts[i]}?" if ask.texts else f"Is option {label} right?"
            given = drawn[:-2] if ask.texts else drawn[:-1]
            prompts.append(Prompt([*given, f"{asked} Answer yes or no."], ("yes", "no")))
        return prompts

    def _drawn(self, ask: Ask) -> list[Any]:
        """The parts with pictures as pixels; pictures stand apart, never on a sheet."""
        return [self.renderer.pixels(p) if isinstance(p, Picture) else p for p in ask.parts]


def vlm(
    argument: str,
    task: Task,
    *,
    reading: str = "choice",
    size: str = "512",
    device: str = "cpu",
    precision: str = "float32",
    batch: str = "8",
) -> Vlm:
    """Build it from a folder or a name on the hub.

    Args:
        argument: where the model is.
        task: what it plays.
        reading: ``choice`` or ``yes``.
        size: most pixels of a picture's longer side.
        device: where the model runs.
        precision: the format of its numbers.
        batch: questions that go through the model together.

    Raises:
        BadInput: there is no such model, reading or device, or the task ranks pools.
    """
    if reading not in READINGS:
        raise BadInput(f"--reading: expected {' or '.join(READINGS)}, got {reading!r}")
    if not size.isdecimal() or int(size) < 16:
        raise BadInput(f"--size: expected a whole number of 16 or more, got {size!r}")
    if not batch.isdecimal() or int(batch) < 1:
        raise BadInput(f"--batch: expected a whole number of 1 or more, got {batch!r}")
    if task.trials and isinstance(task.trials[0].view(), GuessView):
        raise BadInput("hf-vlm plays reference, statement and choice tasks, not guessing tasks")
    if not argument:
        raise BadInput("hf-vlm: expected hf-vlm:FOLDER or hf-vlm:HUB_NAME")
    model = Model(argument, device, precision)
    name = Path(argument).name if Path(argument).is_dir() else argument
    return Vlm(name, model, reading, Renderer(task.store, int(size)), int(batch))
