"""MAC: a chain of cells, each with a control and a memory (Hudson and Manning, ICLR 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import elu

from deixis.players.statement.neural.builder import Baseline
from deixis.players.statement.neural.cells import Stem, salience
from deixis.players.statement.neural.inputs import Inputs
from deixis.players.statement.neural.net import ANSWERS, Net, Preset, Setting, mlp
from deixis.players.statement.neural.sentences import Reader
from deixis.training.recipe import Adam, Cosine, Recipe


@dataclass(frozen=True)
class Mac:
    """Sizes; builds the model.

    Attributes:
        vectors: of words.
        width: of controls, memories and cells of the picture.
        steps: MAC cells.
        stem: convolutions over the picture.
        dropout: on memories and answers.
        kernel: of the stem.
        kept: cells that are looked at, where it is known where things are.
    """

    vectors: int
    width: int
    steps: int
    stem: int
    dropout: float
    kernel: int = 3
    kept: int = 16

    def __call__(self, setting: Setting) -> Net:
        """The model for a setting."""
        return MacNet(self, setting)


class MacNet(Net):
    """Read words both ways, reason step by step, answer from the memory and the sentence."""

    def __init__(self, sizes: Mac, setting: Setting) -> None:
        super().__init__()
        width = sizes.width
        self.steps = sizes.steps
        self.read = Reader(setting.embedding(sizes.vectors), width // 2, both_ways=True)
        self.stem = Stem(
            setting.shape[1],
            width,
            sizes.stem,
            strided=False,
            activation=nn.ELU,
            kernel=sizes.kernel,
        )
        self.kept = sizes.kept if setting.salient else 0
        self.asks = nn.ModuleList(nn.Linear(width, width) for _ in range(sizes.steps))
        self.start = nn.Parameter(torch.zeros(2, width))
        self.cell = Cell(width, sizes.dropout)
        self.answer = mlp([2 * width, width, 1], nn.ELU)

    def forward(self, inputs: Inputs) -> Tensor:
        """Log-odds of true, shape (n,)."""
        words, last = self.read(inputs.tokens, inputs.lengths)
        known = self.stem(inputs.boxes).flatten(2).transpose(1, 2)
        known, doubt = self.chosen(known, inputs.boxes)
        there = torch.arange(words.shape[1], device=words.device) < inputs.lengths.to(
            words.device
        ).unsqueeze(1)
        control, memory = (s.expand(len(words), -1) for s in self.start)
        for ask in self.asks:
            control, memory = self.cell(control, memory, ask(last), words, there, known, doubt)
        odds: Tensor = self.answer(torch.cat([memory, last], dim=1))[:, 0]
        return odds

    def chosen(self, known: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor]:
        """The cells where things are, shape (n, kept, width), and the logarithm of how surely."""
        if not self.kept:
            return known, known.new_zeros(known.shape[:2])
        surely, places = salience(boxes).flatten(1).topk(min(self.kept, known.shape[1]), dim=1)
        chosen = known.gather(1, places[..., None].expand(-1, -1, known.shape[2]))
        return chosen, surely.clamp(min=_LEAST).log()


_LEAST = 1e-4
"""How surely there is a thing in a cell, at least."""


class Cell(nn.Module):
    """One step: where to attend in the sentence, what to read there, what to remember."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.join = nn.Linear(2 * width, width)
        self.attend = nn.Linear(width, 1)
        self.recall = nn.Linear(width, width)
        self.know = nn.Linear(width, width)
        self.mix = nn.Linear(2 * width, width)
        self.choose = nn.Linear(width, 1)
        self.write = nn.Linear(2 * width, width)
        self.drop = nn.Dropout(dropout)

    def forward(
        self,
        control: Tensor,
        memory: Tensor,
        asked: Tensor,
        words: Tensor,
        there: Tensor,
        known: Tensor,
        doubt: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """The next control and memory, shape (n, width).

        Args:
            control: the one before, shape (n, width).
            memory: the one before, shape (n, width).
            asked: the sentence for this step, shape (n, width).
            words: states at words, shape (n, longest, width).
            there: which of them are words, shape (n, longest).
            known: cells of the pictures, shape (n, cells, width).
            doubt: logarithm of how surely there is a thing in each, shape (n, cells).
        """
        wanted = self.join(torch.cat([control, asked], dim=1))
        chosen = self.attend(wanted[:, None] * words)[..., 0].masked_fill(~there, -1e9).softmax(1)
        control = torch.einsum("nl,nlw->nw", chosen, words)
        met = self.recall(self.drop(memory))[:, None] * self.know(known)
        met = elu(self.mix(torch.cat([met, known], dim=2))) * control[:, None]
        places = (self.choose(elu(met))[..., 0] + doubt).softmax(1)
        found = torch.einsum("nc,ncw->nw", places, known)
        return control, self.write(torch.cat([found, memory], dim=1))


_SMALL = Recipe(
    epochs=16,
    optimiser=Adam(lr=1e-3, betas=(0.9, 0.99)),
    schedule=Cosine(warmup=0.05),
    clip_norm=5.0,
)
"""The first third or so of a training shows no progress, so nothing is stopped early; the epoch
that is best on clusters held out is kept."""

_PAPER = Recipe(epochs=25, optimiser=Adam(lr=1e-4), patience=5, clip_norm=8.0)
"""The released code's optimiser and clipping; stopped by dev accuracy (Suhr et al. 2019)."""

mac = Baseline(
    "mac",
    {
        "small": Preset(Mac(32, 64, 2, 1, 0.0, kernel=1), "named:2", {ANSWERS: _SMALL}, 32),
        "paper": Preset(Mac(300, 512, 12, 2, 0.15), "backbone:3:224", {ANSWERS: _PAPER}),
    },
)
