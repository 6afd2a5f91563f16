"""Plans: always a layout, with the probability that they are drawn with."""

from __future__ import annotations

import pytest
import torch

from deixis.players.statement.neural.policy import END, LONGEST, NAMES, Policy, open_ways
from deixis.players.statement.neural.sentences import Reader, Words, embedding
from deixis.text.layout import assemble

WORDS = Words.of(["there is a black circle above two squares"])
PLANS = [("find", "exist"), ("find", "find", "and", "exist", "not")]


@pytest.fixture
def policy() -> Policy:
    torch.manual_seed(1)
    return Policy(Reader(embedding(WORDS, 6, None), 4, both_ways=True), 8)


def test_whatever_is_drawn_is_a_layout(policy: Policy) -> None:
    rows = WORDS.rows(["a circle", "two squares there"] * 20)
    for draw in (False, True):
        planned = policy(*rows, draw=draw)
        assert all(assemble(plan) is not None for plan in planned.plans)
        assert max(map(len, planned.plans)) <= LONGEST
        assert len(planned.texts) == sum(map(len, planned.plans))
        assert (planned.likely <= 0).all()
        assert (planned.entropy >= 0).all()
    assert len(set(planned.plans)) > 5


def test_a_plan_that_is_told_has_the_probability_of_one_drawn(policy: Policy) -> None:
    """Batches change nothing; told plans have no shortest way to take, drawn ones do."""
    rows = WORDS.rows(["a circle", "two squares there"])
    together = policy(*rows, told=PLANS)
    assert together.plans == tuple(PLANS)
    for i, sentence in enumerate(["a circle", "two squares there"]):
        alone = policy(*WORDS.rows([sentence]), told=PLANS[i : i + 1])
        torch.testing.assert_close(alone.likely[0], together.likely[i])


def test_it_learns_to_clone(policy: Policy) -> None:
    rows = WORDS.rows(["a circle", "two squares there"])
    optimiser = torch.optim.Adam(policy.parameters(), lr=0.05)
    for _ in range(40):
        optimiser.zero_grad()
        (-policy(*rows, told=PLANS).likely.mean()).backward()
        optimiser.step()
    assert policy(*rows).plans == tuple(PLANS)


def test_the_end_is_open_at_one_truth_only() -> None:
    assert open_ways(("truth",), 3)[END]
    assert not open_ways(("truth", "truth"), 3)[END]
    assert [NAMES[i] for i in open_ways((), 2).nonzero()[:, 0].tolist()] == ["find"]
