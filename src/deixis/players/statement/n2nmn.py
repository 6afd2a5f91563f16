"""N2NMN: a network that plans its own layouts (Hu et al., ICCV 2017), in three regimes.

``n2nmn:cloning`` learns layouts that it is shown, which words each module reads, and answers, at
once; ``n2nmn:tuning`` goes on by searching for layouts with better answers;
``n2nmn:reinforcement`` searches from the start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from deixis.players.statement.neural.builder import Baseline
from deixis.players.statement.neural.inputs import Inputs
from deixis.players.statement.neural.modules import Modules, odds
from deixis.players.statement.neural.net import Net, Preset, Setting
from deixis.players.statement.neural.policy import (
    LONGEST,
    Plan,
    Planned,
    Policy,
    misread,
    pointed,
    told,
)
from deixis.players.statement.neural.running import nodes, run
from deixis.players.statement.neural.sentences import Reader
from deixis.text.layout import assemble
from deixis.training.loop import Loss
from deixis.training.recipe import Adam, Cosine, Recipe

CLONING, TUNING, SEARCH = "cloning", "tuning", "reinforcement"

_MEMORY = 0.9
"""Share of the old baseline in the new one."""


@dataclass(frozen=True)
class N2nmn:
    """Sizes; builds the model.

    Attributes:
        vectors: of words.
        hidden: of the decoder, and of both ways of the encoder together.
        layers: of the encoder.
        width: of what modules know of a cell.
        curious: weight of the policy's entropy where it searches.
        kept: as in `nmn.Nmn`.
        longest: modules in a layout that it finds.
    """

    vectors: int
    hidden: int
    layers: int
    width: int
    curious: float = 0.05
    kept: int = 12
    longest: int = LONGEST

    def __call__(self, setting: Setting) -> Net:
        """The model for a setting."""
        return N2nmnNet(self, setting)


class N2nmnNet(Net):
    """A policy of layouts, and the modules that they are made of."""

    baseline: Tensor

    def __init__(self, sizes: N2nmn, setting: Setting) -> None:
        super().__init__()
        self.curious = sizes.curious
        self.words = setting.words
        vectors = setting.embedding(sizes.vectors)
        read = Reader(vectors, sizes.hidden // 2, layers=sizes.layers, both_ways=True)
        self.policy = Policy(read, sizes.hidden, sizes.longest)
        self.modules_ = Modules(
            setting.shape,
            vectors.embedding_dim,
            sizes.width,
            kept=sizes.kept if setting.salient else 0,
        )
        self.register_buffer("baseline", torch.tensor(0.7))

    def forward(self, inputs: Inputs) -> Tensor:
        """Log-odds of true by the likeliest layout, shape (n,)."""
        return self.answers(inputs, self.policy(inputs.tokens, inputs.lengths))

    def plans(self, inputs: Inputs) -> tuple[Plan, ...]:
        """The likeliest layouts, without words."""
        found: Planned = self.policy(inputs.tokens, inputs.lengths)
        return found.plans

    def answers(self, inputs: Inputs, planned: Planned) -> Tensor:
        """Log-odds of true by given layouts, shape (n,)."""
        layouts = [assemble(p) for p in planned.plans]
        listed = nodes([x for x in layouts if x is not None])
        cells = self.modules_.cells(inputs.boxes)
        return odds(run(self.modules_, cells, listed, planned.texts))

    def loss(self, inputs: Inputs, stage: str) -> Loss:
        """See `Net`: what answers and layouts cost."""
        assert inputs.labels is not None  # a training knows its labels
        if stage == CLONING:
            plans = [layout.plan for layout in inputs.layouts]
            planned = self.policy(inputs.tokens, inputs.lengths, told=plans)
            shown = pointed(inputs.layouts, inputs.tokens, self.words)
            # Modules read what is shown: through attention that is not yet learnt, all of them get
            # the same mean of a sentence, and settle on answers that depend on nothing.
            texts = told(planned, shown, self.policy.read.vectors(inputs.tokens))
            answered = binary_cross_entropy_with_logits(
                self.answers(inputs, replace(planned, texts=texts)), inputs.labels
            )
            cloned = -planned.likely.mean()
            read = misread(planned, shown)
            return answered + cloned + read, {
                "answers": float(answered.detach()),
                "layouts": float(cloned.detach()),
                "words": float(read.detach()),
            }
        planned = self.policy(inputs.tokens, inputs.lengths, draw=True)
        costs = binary_cross_entropy_with_logits(
            self.answers(inputs, planned), inputs.labels, reduction="none"
        )
        paid = costs.detach()
        searched = ((paid - self.baseline) * planned.likely).mean()
        if self.training:
            self.baseline.mul_(_MEMORY).add_((1 - _MEMORY) * paid.mean())
        curious = planned.entropy.mean()
        said = {"answers": float(paid.mean()), "entropy": float(curious.detach())}
        return costs.mean() + searched - self.curious * curious, said


_SLOW_POLICY = Adam(
    lr=4e-4, betas=(0.9, 0.99), faster=(("modules_.", 2e-3), ("policy.read.vectors.", 2e-3))
)
"""A policy as fast as the modules settles on some layout before any has learnt to answer."""

_SMALL = {
    CLONING: Recipe(
        epochs=25, optimiser=Adam(lr=2e-3), schedule=Cosine(warmup=0.05), clip_norm=2.0
    ),
    TUNING: Recipe(epochs=4, optimiser=Adam(lr=2e-4), clip_norm=2.0),
    SEARCH: Recipe(epochs=40, optimiser=_SLOW_POLICY, clip_norm=2.0),
}
_PAPER = {
    stage: Recipe(epochs=100, optimiser=Adam(lr=1e-3), patience=5, clip_norm=10.0)
    for stage in _SMALL
}

n2nmn = Baseline(
    "n2nmn",
    {
        "small": Preset(N2nmn(32, 64, 1, 48), "named", _SMALL),
        "paper": Preset(N2nmn(300, 1000, 2, 500, 0.005), "backbone:4:448", _PAPER),
    },
    regimes={CLONING: (CLONING,), TUNING: (CLONING, TUNING), SEARCH: (SEARCH,)},
    parsed=True,
)
