"""``hf-vlm:PATH``: an image-text model of transformers scores options, without a server.

Two readings, which are two players: ``choice`` asks the forced choice of `chat:` and compares the
log-probabilities of the labels; ``yes`` asks about one option at a time and takes the log-odds of
yes against no.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from PIL import Image
from torch import Tensor

from deixis.errors import BadInput
from deixis.players.chat.rendering import Renderer
from deixis.players.chat.wording import Ask, word
from deixis.players.common.neural.devices import device_of, precision_of
from deixis.players.common.neural.pretrained import silent
from deixis.replies import Replies
from deixis.seeds import digest
from deixis.tasks.task import Task
from deixis.trials import GuessView, Picture

READINGS = ("choice", "yes")


class Model:
    """A model with its processor; scores what may follow a prompt.

    Args:
        path: a folder, or a name on the hub.
        device: such as ``cpu`` or ``auto``.
        precision: such as ``float32``.

    Raises:
        BadInput: there is no such model.
    """

    def __init__(self, path: str, device: str = "cpu", precision: str = "float32") -> None:
        from transformers import AutoModelForImageTextToText, AutoProcessor

        where = device_of(device)
        models: Any = AutoModelForImageTextToText
        processors: Any = AutoProcessor
        try:
            with silent():
                self.processor = processors.from_pretrained(path)
                model = models.from_pretrained(path, dtype=precision_of(precision))
        except (OSError, ValueError) as error:
            line = str(error).strip().splitlines()[0][:200]
            raise BadInput(f"hf-vlm:{path}: no image-text model there: {line}") from None
        self.model = model.to(where).eval()

    @property
    def revision(self) -> str:
        """Hash of the weights."""
        state = self.model.state_dict()
        sums = [f"{name} {tensor.double().sum().item():.12g}" for name, tensor in state.items()]
        return format(digest(*sums), "x")

    def scores(self, parts: Sequence[Any], follow: Sequence[str]) -> list[float]:
        """Log-probability of each text as what follows a prompt of texts and pictures.

        Args:
            parts: texts, and pictures as arrays of shape (height, width, 3).
            follow: what may follow.
        """
        content = [
            {"type": "text", "text": p} if isinstance(p, str) else {"type": "image"} for p in parts
        ]
        prompt = self.processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True
        )
        pictures = [Image.fromarray(p) for p in parts if not isinstance(p, str)]
        given = {"images": pictures} if pictures else {}
        made = self.processor(text=prompt, return_tensors="pt", **given).to(self.model.device)
        tokenizer = self.processor.tokenizer
        ends = [tokenizer(t, add_special_tokens=False)["input_ids"] for t in follow]
        return [self._follows(made, end) for end in ends]

    @torch.inference_mode()
    def _follows(self, made: Any, end: Sequence[int]) -> float:
        """Log-probability of tokens after a prompt, summed over them."""
        tail = torch.tensor([list(end)], device=self.model.device)
        ids = torch.cat([made["input_ids"], tail], dim=1)
        rest = {k: v for k, v in made.items() if k not in ("input_ids", "attention_mask")}
        grown = {k: _grown(v, made["input_ids"], tail) for k, v in rest.items()}
        logits: Tensor = self.model(
            input_ids=ids, attention_mask=torch.ones_like(ids), **grown
        ).logits
        shares = logits[0, -len(end) - 1 : -1].float().log_softmax(dim=-1)
        return float(shares[torch.arange(len(end)), tail[0].to(shares.device)].sum())


def _grown(value: Any, ids: Tensor, tail: Tensor) -> Any:
    """Masks with a number for each token get numbers for the tail: it is text."""
    if isinstance(value, Tensor) and value.shape == ids.shape:
        return torch.cat([value, torch.zeros_like(tail).to(value.dtype)], dim=1)
    return value


class Vlm:
    """Plays with a model, by one of two readings."""

    def __init__(self, name: str, model: Model, reading: str, renderer: Renderer) -> None:
        self.name = f"hf-vlm:{name}" + (" (yes)" if reading == "yes" else "")
        self.revision = f"{model.revision}-{reading}-{renderer.size}"
        self._short, self.model, self.reading, self.renderer = name, model, reading, renderer

    def at(self, task: Task) -> Vlm:
        """The same player looking at another task's pictures."""
        renderer = Renderer(task.store, self.renderer.size)
        return Vlm(self._short, self.model, self.reading, renderer)

    def reply(self, views: Sequence[Any]) -> Replies:
        """Log-probabilities of labels, or log-odds of yes, for each option."""
        score = self._yes if self.reading == "yes" else self._choice
        return Replies.scored(views, [score(view) for view in views])

    def _choice(self, view: Any) -> list[float]:
        ask = word(view, range(view.k), "separate")
        return self.model.scores(self._drawn(ask), ask.labels)

    def _yes(self, view: Any) -> list[float]:
        """One question for each option, in its place the listed ones or the asking for a label."""
        ask = word(view, range(view.k), "separate")
        drawn = self._drawn(ask)
        odds = []
        for i, label in enumerate(ask.labels):
            asked = f"Is this right: {ask.texts[i]}?" if ask.texts else f"Is option {label} right?"
            given = drawn[:-2] if ask.texts else drawn[:-1]
            yes, no = self.model.scores([*given, f"{asked} Answer yes or no."], ("yes", "no"))
            odds.append(yes - no)
        return odds

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
) -> Vlm:
    """Build it from a folder or a name on the hub.

    Args:
        argument: where the model is.
        task: what it plays.
        reading: ``choice`` or ``yes``.
        size: most pixels of a picture's longer side.
        device: where the model runs.
        precision: the format of its numbers.

    Raises:
        BadInput: there is no such model, reading or device, or the task ranks pools.
    """
    if reading not in READINGS:
        raise BadInput(f"--reading: expected {' or '.join(READINGS)}, got {reading!r}")
    if not size.isdecimal() or int(size) < 16:
        raise BadInput(f"--size: expected a whole number of 16 or more, got {size!r}")
    if task.trials and isinstance(task.trials[0].view(), GuessView):
        raise BadInput("hf-vlm plays reference, statement and choice tasks, not guessing tasks")
    if not argument:
        raise BadInput("hf-vlm: expected hf-vlm:FOLDER or hf-vlm:HUB_NAME")
    model = Model(argument, device, precision)
    name = Path(argument).name if Path(argument).is_dir() else argument
    return Vlm(name, model, reading, Renderer(task.store, int(size)))
