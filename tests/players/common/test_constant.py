from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.dataset import Dataset
from deixis.outcomes import score
from deixis.players.common.constant import Constant, constant
from deixis.seeds import Seeds
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views

WORLD = load("figures", variants=1)


@given(
    st.integers(2, 12),
    st.sampled_from(["controlled", "random"]),
    st.sampled_from(["text-to-picture", "picture-to-text"]),
    st.integers(0, 1000),
)
def test_exactly_chance_for_any_number_of_candidates(
    k: int, contexts: str, direction: str, seed: int
) -> None:
    task = make(WORLD, k=k, contexts=contexts, direction=direction, seeds=Seeds(order=seed))
    outcomes = score(task, Constant().reply(views(task)))
    assert (outcomes.credit == 1 / k).all()
    assert (outcomes.rank == (k + 1) / 2).all()
    assert (outcomes.ties == k).all()
    assert outcomes.probability == pytest.approx(1 / k)


def test_under_every_intervention_too(world: Dataset) -> None:
    task = make(world, k=4).do("image=noise", "whole=shuffle", "parts=words:0.5")
    assert (score(task, Constant().reply(views(task))).credit == 0.25).all()
    assert isinstance(constant("", task), Constant)
