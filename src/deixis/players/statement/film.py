"""FiLM: the sentence scales and shifts what is seen (Perez et al., AAAI 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from deixis.players.statement.neural.builder import Baseline
from deixis.players.statement.neural.cells import COORDINATES, Stem, coordinates, salience
from deixis.players.statement.neural.inputs import Inputs
from deixis.players.statement.neural.net import ANSWERS, Net, Preset, Setting, mlp
from deixis.players.statement.neural.sentences import Reader
from deixis.training.recipe import Adam, Cosine, Recipe


@dataclass(frozen=True)
class Film:
    """Sizes; builds the model.

    Attributes:
        vectors: of words.
        hidden: of the GRU.
        width: channels.
        blocks: residual blocks that are modulated.
        stem: convolutions before them.
        projected: channels before the maximum over cells.
        layers: hidden ones behind it.
        strided: whether the stem halves the picture at each layer.
        kernel: of the stem.
    """

    vectors: int
    hidden: int
    width: int
    blocks: int
    stem: int
    projected: int
    layers: tuple[int, ...]
    strided: bool = False
    kernel: int = 3

    def __call__(self, setting: Setting) -> Net:
        """The model for a setting."""
        return FilmNet(self, setting)


class FilmNet(Net):
    """GRU, stem, modulated blocks, maximum over cells, MLP."""

    def __init__(self, sizes: Film, setting: Setting) -> None:
        super().__init__()
        channels = setting.shape[1]
        self.read = Reader(setting.embedding(sizes.vectors), sizes.hidden, kind="gru")
        self.stem = Stem(
            channels,
            sizes.width,
            sizes.stem,
            strided=sizes.strided,
            activation=nn.ReLU,
            kernel=sizes.kernel,
        )
        self.salient = setting.salient
        self.modulate = nn.Linear(sizes.hidden, sizes.blocks * 2 * sizes.width)
        self.blocks = nn.ModuleList(Block(sizes.width) for _ in range(sizes.blocks))
        self.project = nn.Conv2d(sizes.width + COORDINATES, sizes.projected, 1)
        self.answer = mlp([sizes.projected, *sizes.layers, 1])

    def forward(self, inputs: Inputs) -> Tensor:
        """Log-odds of true, shape (n,)."""
        _, last = self.read(inputs.tokens, inputs.lengths)
        cells = self.stem(inputs.boxes)
        where = coordinates(1, *cells.shape[2:]).to(cells).expand(len(cells), -1, -1, -1)
        given = self.modulate(last).reshape(len(last), len(self.blocks), 2, -1)
        for number, block in enumerate(self.blocks):
            cells = block(cells, where, given[:, number, 0], given[:, number, 1])
        seen = relu(self.project(torch.cat([cells, where], dim=1)))
        if self.salient:
            seen = seen * salience(inputs.boxes)
        odds: Tensor = self.answer(seen.amax((2, 3)))[:, 0]
        return odds


class Block(nn.Module):
    """A residual block whose normalised channels are scaled by 1 + γ and shifted by β."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mix = nn.Conv2d(width + COORDINATES, width, 1)
        self.look = nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width, affine=False)

    def forward(self, cells: Tensor, where: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
        """Of cells, shape (n, width, rows, columns), and their modulation, shape (n, width)."""
        mixed = relu(self.mix(torch.cat([cells, where], dim=1)))
        found = self.norm(self.look(mixed))
        found = (1 + scale)[..., None, None] * found + shift[..., None, None]
        return mixed + relu(found)


_SMALL = Recipe(epochs=16, optimiser=Adam(lr=2e-3), schedule=Cosine(warmup=0.05), clip_norm=5.0)
"""The first third or so of a training shows no progress, so nothing is stopped early; the epoch
that is best on clusters held out is kept."""

_PAPER = Recipe(epochs=100, optimiser=Adam(lr=3e-4, weight_decay=1e-5), patience=5)
"""The released code's optimiser; stopped by dev accuracy (Suhr et al. 2019)."""

film = Baseline(
    "film",
    {
        "small": Preset(
            Film(32, 64, 32, 1, 1, 64, (64,), kernel=1), "named:2", {ANSWERS: _SMALL}, 32
        ),
        "paper": Preset(
            Film(200, 4096, 128, 4, 1, 512, (1024,)), "backbone:3:224", {ANSWERS: _PAPER}
        ),
        "paper-nlvr": Preset(
            Film(200, 4096, 128, 4, 4, 512, (1024,), strided=True), "pixels", {ANSWERS: _PAPER}
        ),
    },
)
