"""CNN+RNN: what is seen and what is read, joined by an MLP (Suhr et al. 2017, 2019)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from deixis.players.statement.cnn import look
from deixis.players.statement.neural.builder import Baseline
from deixis.players.statement.neural.inputs import Inputs
from deixis.players.statement.neural.net import ANSWERS, Net, Preset, Setting, mlp
from deixis.players.statement.neural.sentences import Reader
from deixis.players.statement.rnn import NLVR
from deixis.training.recipe import Adam, Cosine, Recipe


@dataclass(frozen=True)
class CnnRnn:
    """Sizes; builds the model.

    Attributes:
        vectors: of words.
        hidden: of the LSTM.
        seen: layer behind what is seen; 0 for none.
        layers: hidden ones between both and the answer; the first is wide enough to hold each thing
            that may be named against each that may be seen.
    """

    vectors: int
    hidden: int
    seen: int
    layers: tuple[int, ...]

    def __call__(self, setting: Setting) -> Net:
        """The model for a setting."""
        return CnnRnnNet(self, setting)


class CnnRnnNet(Net):
    """Both ends meet in an MLP."""

    def __init__(self, sizes: CnnRnn, setting: Setting) -> None:
        super().__init__()
        self.look = look(setting)
        self.read = Reader(setting.embedding(sizes.vectors), sizes.hidden)
        self.seen = mlp([self.look.size, sizes.seen]) if sizes.seen else torch.nn.Identity()
        self.answer = mlp([(sizes.seen or self.look.size) + sizes.hidden, *sizes.layers, 1])

    def forward(self, inputs: Inputs) -> Tensor:
        """Log-odds of true, shape (n,)."""
        _, last = self.read(inputs.tokens, inputs.lengths)
        both = torch.cat([self.seen(self.look(inputs.boxes)), last], dim=1)
        odds: Tensor = self.answer(both)[:, 0]
        return odds


_SMALL = Recipe(
    epochs=24,
    optimiser=Adam(lr=1e-3, weight_decay=0.05, decoupled=True),
    schedule=Cosine(warmup=0.05),
    clip_norm=5.0,
)

cnn_rnn = Baseline(
    "cnn-rnn",
    {
        "small": Preset(CnnRnn(32, 64, 0, (512, 64)), "named:2", {ANSWERS: _SMALL}),
        "paper-nlvr": Preset(CnnRnn(16, 128, 256, (128,)), "pixels", {ANSWERS: NLVR}, 128),
    },
)
