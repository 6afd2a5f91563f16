"""The recurrent networks of Q-bot and A-bot."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

from deixis.players.guessing.bots.design import Design
from deixis.players.guessing.bots.lexicon import PAD

CLIPPED = (
    *(f"questioner.{part}" for part in ("words", "facts", "history", "decoder", "out")),
    "answerer.",
)
"""How names of parameters begin whose gradients are cut: all but the prediction's layer."""


@dataclass(frozen=True)
class State:
    """Where recurrent networks stand after reading n sequences.

    Attributes:
        hidden: shape (layers, n, hidden).
        cell: the same shape.
    """

    hidden: Tensor
    cell: Tensor

    @property
    def top(self) -> Tensor:
        """What is read off: the last layer's hidden state, shape (n, hidden)."""
        return self.hidden[-1]

    def take(self, rows: Tensor) -> State:
        """Some of the sequences."""
        return State(self.hidden[:, rows], self.cell[:, rows])

    @property
    def pair(self) -> tuple[Tensor, Tensor]:
        """As torch takes it."""
        return self.hidden.contiguous(), self.cell.contiguous()


class Bot(nn.Module):
    """What both bots have: words, a reader of facts, a memory of rounds, and a way to say texts.

    A fact is the text of one round, or the caption.
    """

    def __init__(self, design: Design, vocabulary: int, round_size: int) -> None:
        """Make layers.

        Args:
            design: their sizes.
            vocabulary: how many numbers stand for words.
            round_size: length of what the memory gets each round.
        """
        super().__init__()
        self.design = design
        size, hidden, layers = design.embedding, design.hidden, design.layers
        self.words = nn.Embedding(vocabulary, size, padding_idx=PAD)
        self.facts = nn.LSTM(size, hidden, layers, batch_first=True)
        self.history = nn.LSTM(round_size, hidden, design.history_layers, batch_first=True)
        self.decoder = nn.LSTM(size, hidden, layers, batch_first=True)
        self.out = nn.Linear(hidden, vocabulary)

    def read(self, reader: nn.LSTM, texts: Tensor, lengths: Tensor) -> State:
        """Read texts.

        Args:
            reader: `facts`, or A-bot's `questions`.
            texts: numbers of words, shape (n, length).
            lengths: words in each, from 0 (nothing is read then), shape (n,).
        """
        packed = self._packed(texts, lengths.clamp(min=1))
        hidden, cell = reader(packed)[1]
        some = (lengths > 0).to(hidden.dtype)[None, :, None].to(hidden.device)
        return State(hidden * some, cell * some)

    def blank(self, n: int) -> State:
        """The memory before anything was said."""
        shape = (self.design.history_layers, n, self.design.hidden)
        zeros = torch.zeros(shape, device=self.out.weight.device)
        return State(zeros, zeros)

    def remember(self, rounds: Tensor, state: State) -> State:
        """The memory after one more round, shape of `rounds`: (n, round_size)."""
        hidden, cell = self.history(rounds[:, None], state.pair)[1]
        return State(hidden, cell)

    def ready(self, state: State, latest: State) -> State:
        """Where saying starts from.

        Args:
            state: of the memory.
            latest: of the text read last.
        """
        if self.design.start == "history":
            return state
        below = latest.hidden[: self.design.layers - 1]
        return State(torch.cat([below, state.hidden[-1:]]), latest.cell)

    def losses(self, start: State, said: Tensor, lengths: Tensor, marks: tuple[int, int]) -> Tensor:
        """Negative log-likelihood of each text, summed over words and END, shape (n,).

        Args:
            start: from `ready`.
            said: numbers of words, shape (n, length).
            lengths: words in each, shape (n,).
            marks: the numbers of START and END.
        """
        n = len(said)
        first = torch.full((n, 1), marks[0], device=said.device)
        inputs = torch.cat([first, said], dim=1)
        targets = torch.cat([said, torch.zeros_like(first)], dim=1)
        targets[torch.arange(n, device=said.device), lengths] = marks[1]
        packed = self._packed(inputs, lengths + 1)
        outputs: PackedSequence = self.decoder(packed, start.pair)[0]
        wanted = pack_padded_sequence(
            targets, (lengths + 1).cpu(), batch_first=True, enforce_sorted=False
        )
        each = nn.functional.cross_entropy(self.out(outputs.data), wanted.data, reduction="none")
        rows = pack_padded_sequence(
            torch.arange(n, device=said.device)[:, None].expand_as(targets),
            (lengths + 1).cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        return torch.zeros(n, device=each.device).index_add(0, rows.data, each)

    def say(self, state: State, latest: Tensor) -> tuple[Tensor, State]:
        """Log-probabilities of the next word, shape (n, vocabulary), and the state after.

        Args:
            state: of the decoder.
            latest: the number of the word before, shape (n,).
        """
        out, (hidden, cell) = self.decoder(self.words(latest)[:, None], state.pair)
        return self.out(out[:, 0]).log_softmax(dim=-1), State(hidden, cell)

    def _packed(self, texts: Tensor, lengths: Tensor) -> PackedSequence:
        return pack_padded_sequence(
            self.words(texts), lengths.cpu(), batch_first=True, enforce_sorted=False
        )


class QBot(Bot):
    """Asks, and predicts the picture's vector; one round is one fact."""

    def __init__(self, design: Design, vocabulary: int, dimensions: int) -> None:
        """Make layers; pictures have vectors of length `dimensions`."""
        super().__init__(design, vocabulary, design.hidden)
        self.drop = nn.Dropout(design.dropout)
        self.feature = nn.Linear(design.hidden, dimensions)

    def predict(self, memory: Tensor) -> Tensor:
        """Predicted vectors from the memory's top, (…, hidden) to (…, dimensions)."""
        made: Tensor = self.feature(self.drop(memory))
        return made

    def stretch(self, factor: float, mean: Tensor) -> None:
        """Predict from now on what is `factor` times as far from the mean picture, shape (d,)."""
        with torch.no_grad():
            self.feature.weight.mul_(factor)
            # Exactly as it was for a factor of 1.
            self.feature.bias.add_((factor - 1) * (self.feature.bias - mean))


class ABot(Bot):
    """Sees the picture and answers; one round is the last fact, a question, and the picture."""

    def __init__(self, design: Design, vocabulary: int, dimensions: int) -> None:
        """Make layers; pictures have vectors of length `dimensions`."""
        super().__init__(design, vocabulary, 2 * design.hidden + (design.image or dimensions))
        self.questions = nn.LSTM(design.embedding, design.hidden, design.layers, batch_first=True)
        self.drop = nn.Dropout(design.dropout)
        self.image = nn.Linear(dimensions, design.image) if design.image else None

    def look(self, vectors: Tensor) -> Tensor:
        """Pictures as a round has them, shape (n, image)."""
        seen = vectors * self.design.gain
        return seen if self.image is None else self.image(self.drop(seen))


class Pair(nn.Module):
    """Both bots, with weights of their own."""

    def __init__(self, design: Design, vocabulary: int, dimensions: int) -> None:
        """Make both, with initial weights drawn from torch's global generator."""
        super().__init__()
        self.design = design
        self.questioner = QBot(design, vocabulary, dimensions)
        self.answerer = ABot(design, vocabulary, dimensions)
        if design.initial == "gaussian":
            for name, parameter in self.named_parameters():
                if "feature" not in name:
                    _gaussian(parameter)
        if design.keeping:
            for name, parameter in self.named_parameters():
                if ".bias_ih_" in name:  # gates stand as input, forget, cell, output
                    with torch.no_grad():
                        parameter[design.hidden : 2 * design.hidden] += design.keeping


def _gaussian(parameter: nn.Parameter) -> None:
    with torch.no_grad():
        if parameter.ndim == 1:
            parameter.zero_()
        else:
            parameter.normal_(std=math.sqrt(2 / sum(parameter.shape)))
