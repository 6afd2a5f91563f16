"""The published numbers."""

from __future__ import annotations

import pytest
from torch import nn

from deixis.errors import BadInput
from deixis.players.guessing.bots.design import PRESETS, design_of
from deixis.players.guessing.bots.learner import batches, recipe
from deixis.players.guessing.bots.networks import CLIPPED, Pair
from deixis.training.recipe import Moment

V = 8_967
"""Words of v0.9 and the three marks."""


def size(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


def built(name: str, vocabulary: int = V) -> Pair:
    import torch

    with torch.device("meta"):
        return Pair(design_of(name), vocabulary, 4096)


@pytest.mark.parametrize("vocabulary", [V, 11_322])
def test_sizes_of_das2017(vocabulary: int) -> None:
    """Q-bot 11,739,136 + 813 V, A-bot 16,298,284 + 813 V; 19.0 and 23.6 million on v0.9."""
    made = built("hre-das2017", vocabulary)
    assert size(made.questioner) == 11_739_136 + 813 * vocabulary
    assert size(made.answerer) == 16_298_284 + 813 * vocabulary


def test_sizes_of_interventions2017() -> None:
    """Counted from its layers; LSTMs of h units reading d numbers hold 4h(d + h + 2)."""

    def lstm(d: int, layers: int = 2, h: int = 512) -> int:
        return 4 * h * (d + h + 2) + (layers - 1) * 4 * h * (2 * h + 2)

    words = 813 * V
    made = built("hre-interventions2017")
    assert size(made.questioner) == words + 2 * lstm(300) + lstm(512) + 513 * 4096
    assert size(made.answerer) == words + 3 * lstm(300) + lstm(4096 + 1024)
    assert size(made.questioner) == 13_840_384 + 813 * V
    assert size(made.answerer) == 24_944_640 + 813 * V


def test_schedules_reach_their_floor_when_published() -> None:
    """From 1e-3 to 5e-5 in 12,440 steps; in 79,600 for delta; never for the 2017 study."""
    for name, steps in (("hre-das2017", 12_440), ("hre-das2017-delta", 79_600)):
        made = recipe(design_of(name), 0, "cpu")
        rates = [1e-3 * made.schedule(Moment(s, 0.5)) for s in (0, steps - 20, steps + 20)]
        assert rates[0] == 1e-3
        assert rates[1] > 5e-5
        assert rates[2] == pytest.approx(5e-5)
    assert recipe(design_of("hre-interventions2017"), 0, "cpu").schedule(Moment(9**9, 1)) == 1


def test_clipping() -> None:
    made = recipe(design_of("hre-das2017"), 0, "cpu")
    assert (made.clip_value, made.clip_norm) == (5, None)
    names = [n for n, _ in built("hre-das2017", 10).named_parameters()]
    uncut = [n for n in names if not n.startswith(made.clipped)]
    assert uncut == ["questioner.feature.weight", "questioner.feature.bias"]
    assert made.clipped == CLIPPED
    made = recipe(design_of("hre-interventions2017"), 0, "cpu")
    assert (made.clip_value, made.clip_norm, made.clipped) == (None, 5, ())


def test_batches() -> None:
    """Always the same, the incomplete one left out; or in a new order every epoch."""
    ids = [f"d{i}" for i in range(50)]
    kept = batches(design_of("hre-das2017"), ids, 0)
    assert [len(b) for b in kept(0)] == [20, 20]
    assert kept(0) == kept(1)
    assert [len(b) for b in batches(design_of("hre-das2017"), ids[:5], 0)(0)] == [5]
    drawn = batches(design_of("hre-interventions2017", batch=20), ids, 0)
    assert [len(b) for b in drawn(0)] == [20, 20, 10]
    assert drawn(0) != drawn(1)


def test_unknown_bots() -> None:
    with pytest.raises(BadInput, match=f"there are no bots 'x' .known: {', '.join(PRESETS)}."):
        design_of("x")
    with pytest.raises(BadInput, match="--marks: expected none, train, both"):
        design_of("hre-das2017", marks="some")
