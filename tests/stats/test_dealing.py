"""Members dealt out: shares within every stratum, and of all; no split is left with nothing."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.stats.dealing import deal

SHARES = {"train": 0.7, "dev": 0.15, "test": 0.15}


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(0, 5))
def test_every_stratum_and_all_of_them_have_the_shares(sizes: list[int], seed: int) -> None:
    strata = {f"{s}/{i}": str(s) for s, n in enumerate(sizes) for i in range(n)}
    made = deal(strata, SHARES, seed=seed)
    for stratum, n in enumerate(sizes):
        own = Counter(made[f"{stratum}/{i}"] for i in range(n))
        assert all(abs(own[name] - share * n) < 1.5 for name, share in SHARES.items())
    if len(strata) >= len(SHARES):
        assert set(made.values()) == set(SHARES)
    weights = dict.fromkeys(strata, 2.5)
    assert deal(strata, SHARES, weights=weights, seed=seed) == made  # the unit does not matter


def test_strata_of_one_member_come_to_the_shares_together() -> None:
    made = deal({str(i): str(i) for i in range(200)}, SHARES)
    assert Counter(made.values()) == {"train": 140, "dev": 30, "test": 30}


def test_shares_that_cannot_be() -> None:
    with pytest.raises(BadInput, match="positive and add up to 1"):
        deal({}, {"train": 0.7, "dev": 0.2})
