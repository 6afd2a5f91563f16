"""TEXT: a recurrent network that reads the sentence and sees nothing (Suhr et al. 2017, 2019)."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from deixis.players.statement.neural.builder import Baseline
from deixis.players.statement.neural.inputs import Inputs
from deixis.players.statement.neural.net import ANSWERS, Net, Preset, Setting, mlp
from deixis.players.statement.neural.sentences import Reader
from deixis.training.recipe import Adam, Recipe


@dataclass(frozen=True)
class Rnn:
    """Sizes; builds the model.

    Attributes:
        vectors: of words.
        hidden: of the LSTM.
        layers: hidden ones between its last state and the answer.
    """

    vectors: int
    hidden: int
    layers: tuple[int, ...]

    def __call__(self, setting: Setting) -> Net:
        """The model for a setting."""
        return RnnNet(self, setting)


class RnnNet(Net):
    """Last state of an LSTM, then an MLP."""

    def __init__(self, sizes: Rnn, setting: Setting) -> None:
        super().__init__()
        self.read = Reader(setting.embedding(sizes.vectors), sizes.hidden)
        self.answer = mlp([sizes.hidden, *sizes.layers, 1])

    def forward(self, inputs: Inputs) -> Tensor:
        """Log-odds of true, shape (n,)."""
        _, last = self.read(inputs.tokens, inputs.lengths)
        odds: Tensor = self.answer(last)[:, 0]
        return odds


SMALL = Recipe(epochs=15, optimiser=Adam(lr=2e-3), patience=4, clip_norm=5.0)
NLVR = Recipe(epochs=100, optimiser=Adam(lr=1e-3), patience=5, growth=1.1)
"""Suhr et al. 2017: Adam, patience of five that grows by a tenth at each improvement."""

NLVR2 = Recipe(epochs=100, optimiser=Adam(lr=1e-4), patience=5)
"""Suhr et al. 2019: Adam at 1e-4, stopped by dev accuracy; patience is our choice."""

rnn = Baseline(
    "rnn",
    {
        "small": Preset(Rnn(32, 64, (64,)), "nothing", {ANSWERS: SMALL}),
        "paper": Preset(Rnn(300, 4096, (1024,)), "nothing", {ANSWERS: NLVR2}, 128),
        "paper-nlvr": Preset(Rnn(16, 128, (128,)), "nothing", {ANSWERS: NLVR}, 128),
    },
)
