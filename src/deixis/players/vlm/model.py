"""An image-text model of transformers: log-probabilities of what may follow a prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from PIL import Image
from torch import Tensor

from deixis.errors import BadInput
from deixis.players.common.neural.devices import device_of, precision_of
from deixis.players.common.neural.pretrained import silent
from deixis.seeds import digest


@dataclass(frozen=True)
class Prompt:
    """A question to a model.

    Attributes:
        parts: texts, and pictures as arrays of shape (height, width, 3).
        follow: what may follow.
    """

    parts: Sequence[Any]
    follow: Sequence[str]


@dataclass(frozen=True)
class _Row:
    """One reading of a prompt.

    Attributes:
        prompt: number of the prompt.
        places: of what may follow whose values are read.
        text: the prompt as the chat template writes it.
        pictures: in order.
        tail: tokens put behind it.
        last: tokens whose log-probability, behind those, is read.
    """

    prompt: int
    places: tuple[int, ...]
    text: str
    pictures: Sequence[Any]
    tail: tuple[int, ...]
    last: tuple[int, ...]


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

    def scores(self, prompts: Sequence[Prompt], batch: int = 1) -> list[list[float]]:
        """Log-probability of each text as what follows its prompt.

        Prompts with as many pictures go through the model together. Where all that may follow is
        one token each, as letters are, the prompt is read once for all of them.

        Args:
            prompts: what is asked.
            batch: how many go at a time.
        """
        rows = [r for n, prompt in enumerate(prompts) for r in self._rows(n, prompt)]
        made: list[list[float]] = [[0.0] * len(p.follow) for p in prompts]
        for group in _groups(rows, batch):
            for row, values in zip(group, self._read(group), strict=True):
                for place, value in zip(row.places, values, strict=True):
                    made[row.prompt][place] = value
        return made

    def _rows(self, number: int, prompt: Prompt) -> list[_Row]:
        """What has to be read for a prompt."""
        content = [
            {"type": "text", "text": p} if isinstance(p, str) else {"type": "image"}
            for p in prompt.parts
        ]
        text = self.processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True
        )
        pictures = [Image.fromarray(p) for p in prompt.parts if not isinstance(p, str)]
        tokenizer = self.processor.tokenizer
        ends = [tokenizer(t, add_special_tokens=False)["input_ids"] for t in prompt.follow]
        if all(len(end) == 1 for end in ends):
            last = tuple(end[0] for end in ends)
            return [_Row(number, tuple(range(len(ends))), text, pictures, (), last)]
        return [
            _Row(number, (i,), text, pictures, tuple(end[:-1]), (end[-1],))
            for i, end in enumerate(ends)
        ]

    @torch.inference_mode()
    def _read(self, rows: Sequence[_Row]) -> list[list[float]]:
        """The values of rows with as many pictures, read together."""
        given = {"images": [row.pictures for row in rows]} if rows[0].pictures else {}
        made = self.processor(
            text=[row.text for row in rows],
            return_tensors="pt",
            padding=True,
            padding_side="right",  # so that every token stands where it would stand alone
            **given,
        ).to(self.model.device)
        lengths = made["attention_mask"].sum(dim=1).tolist()
        grown = _grown(made, lengths, [row.tail for row in rows])
        shares = self.model(**grown).logits.float().log_softmax(dim=-1)
        return [
            self._values(shares[i], length, row)
            for i, (row, length) in enumerate(zip(rows, lengths, strict=True))
        ]

    @staticmethod
    def _values(shares: Tensor, length: int, row: _Row) -> list[float]:
        before = sum(float(shares[length - 1 + j, token]) for j, token in enumerate(row.tail))
        return [before + float(shares[length - 1 + len(row.tail), token]) for token in row.last]


def _groups(rows: Sequence[_Row], batch: int) -> Iterator[list[_Row]]:
    """Rows with as many pictures, few at a time, in order."""
    by_number: dict[int, list[_Row]] = {}
    for row in rows:
        by_number.setdefault(len(row.pictures), []).append(row)
    for same in by_number.values():
        for start in range(0, len(same), batch):
            yield same[start : start + batch]


def _grown(made: Any, lengths: Sequence[int], tails: Sequence[Sequence[int]]) -> dict[str, Any]:
    """A batch with each row's tail behind its last token.

    Masks with a number for each token get those of a text for the tail: 1 for attention, else 0.
    """
    most = max(map(len, tails))
    ids = made["input_ids"]
    grown = {}
    for name, value in made.items():
        if not (most and isinstance(value, Tensor) and value.shape == ids.shape):
            grown[name] = value
            continue
        wide = torch.cat([value, torch.zeros_like(value[:, :1]).expand(-1, most)], dim=1)
        for i, (length, tail) in enumerate(zip(lengths, tails, strict=True)):
            text = (
                list(tail) if name == "input_ids" else [int(name == "attention_mask")] * len(tail)
            )
            wide[i, length : length + len(tail)] = torch.tensor(text, dtype=value.dtype)
        grown[name] = wide
    return grown
