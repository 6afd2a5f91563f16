"""Plans: always a layout, with the probability that they are drawn with."""

from __future__ import annotations

import pytest
import torch

from deixis.players.statement.neural.policy import (
    END,
    LONGEST,
    NAMES,
    Policy,
    misread,
    open_ways,
    pointed,
    told,
)
from deixis.players.statement.neural.sentences import Reader, Words, embedding
from deixis.text.layout import Layout, assemble

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
    """Batches change nothing, nor does it who named the modules."""
    rows = WORDS.rows(["a circle", "two squares there"])
    together = policy(*rows, told=PLANS)
    assert together.plans == tuple(PLANS)
    for i, sentence in enumerate(["a circle", "two squares there"]):
        alone = policy(*WORDS.rows([sentence]), told=PLANS[i : i + 1])
        torch.testing.assert_close(alone.likely[0], together.likely[i])


def test_telling_forces_nothing(policy: Policy) -> None:
    """Where plans are told, other ways are as open as where they are sought, the end included."""
    rows = WORDS.rows(["a circle", "two squares there"] * 20)
    drawn = policy(*rows, draw=True)
    torch.testing.assert_close(policy(*rows, told=drawn.plans).likely, drawn.likely)


def test_it_learns_to_clone(policy: Policy) -> None:
    rows = WORDS.rows(["a circle", "two squares there"])
    optimiser = torch.optim.Adam(policy.parameters(), lr=0.05)
    for _ in range(40):
        optimiser.zero_grad()
        (-policy(*rows, told=PLANS).likely.mean()).backward()
        optimiser.step()
    assert policy(*rows).plans == tuple(PLANS)


def test_modules_are_shown_their_words(policy: Policy) -> None:
    """An even mean of the words that stand in the sentence, in either number; else attention."""
    layout = Layout.parse("exist(and(find[black circle], find[square there]))")
    rows = WORDS.rows(["two black squares"])
    planned = policy(*rows, told=[layout.plan])
    shown = pointed([layout], rows[0], WORDS)
    assert shown.tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]
    vectors = policy.read.vectors(rows[0])
    texts = told(planned, shown, vectors)
    torch.testing.assert_close(texts[:2], vectors[0, 1:])
    torch.testing.assert_close(texts[2:], planned.texts[2:])
    seen = -planned.attention[[0, 1], [1, 2]].log().mean()
    torch.testing.assert_close(misread(planned, shown), seen)


def test_each_word_that_is_read_has_an_even_share() -> None:
    """However often it is said: two nouns may share one of their words."""
    words = Words.of(["a black circle above black squares"])
    rows = words.rows(["a black circle above black squares"])
    layout = Layout.parse("exist(find[black square])")
    assert pointed([layout], rows[0], words).tolist()[0] == [0, 0.25, 0, 0, 0.25, 0.5]


def test_the_end_is_open_at_one_truth_only() -> None:
    assert open_ways(("truth",), 3)[END]
    assert not open_ways(("truth", "truth"), 3)[END]
    assert [NAMES[i] for i in open_ways((), 2).nonzero()[:, 0].tolist()] == ["find"]
