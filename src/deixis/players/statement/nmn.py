"""NMN: modules put together as the sentence's layout says (Andreas et al., CVPR 2016).

Layouts come from outside: the world's own, a parser, or the built-in grammar.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from deixis.players.statement.neural.builder import Baseline
from deixis.players.statement.neural.inputs import Inputs
from deixis.players.statement.neural.modules import Modules, odds
from deixis.players.statement.neural.net import ANSWERS, Net, Preset, Setting
from deixis.players.statement.neural.running import Node, nodes, run
from deixis.players.statement.neural.sentences import UNKNOWN
from deixis.training.recipe import Adam, Cosine, Recipe


@dataclass(frozen=True)
class Nmn:
    """Sizes; builds the model.

    Attributes:
        vectors: of words.
        width: of what modules know of a cell.
        kept: cells of a box that are looked at, where it is known where things are.
    """

    vectors: int
    width: int
    kept: int = 12

    def __call__(self, setting: Setting) -> Net:
        """The model for a setting."""
        return NmnNet(self, setting)


class NmnNet(Net):
    """Modules read the mean vector of the words that the layout gives them."""

    def __init__(self, sizes: Nmn, setting: Setting) -> None:
        super().__init__()
        self.known = setting.words.numbers
        self.vectors = setting.embedding(sizes.vectors)
        self.modules_ = Modules(
            setting.shape,
            self.vectors.embedding_dim,
            sizes.width,
            kept=sizes.kept if setting.salient else 0,
        )

    def forward(self, inputs: Inputs) -> Tensor:
        """Log-odds of true, shape (n,)."""
        listed = nodes(inputs.layouts)
        cells = self.modules_.cells(inputs.boxes)
        return odds(run(self.modules_, cells, listed, self.texts(listed)))

    def texts(self, listed: list[Node]) -> Tensor:
        """What each node reads, shape (nodes, vectors); zeros where it reads no words."""
        numbers = [[self.known.get(w, UNKNOWN) for w in n.words.split()] for n in listed]
        flat = torch.tensor(
            [i for some in numbers for i in some],
            dtype=torch.long,
            device=self.vectors.weight.device,
        )
        owner = torch.tensor(
            [place for place, some in enumerate(numbers) for _ in some],
            dtype=torch.long,
            device=flat.device,
        )
        sums = flat.new_zeros(len(listed), self.vectors.embedding_dim, dtype=torch.float32)
        sums = sums.index_add(0, owner, self.vectors(flat))
        lengths = torch.tensor([max(len(some), 1) for some in numbers], device=flat.device)
        return sums / lengths[:, None]


_SMALL = Recipe(epochs=25, optimiser=Adam(lr=2e-3), schedule=Cosine(warmup=0.05), clip_norm=2.0)

nmn = Baseline("nmn", {"small": Preset(Nmn(32, 48), "named", {ANSWERS: _SMALL})}, parsed=True)
