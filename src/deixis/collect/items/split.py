"""Splits by set, with equal shares of every synset."""

from __future__ import annotations

from collections.abc import Mapping

from deixis.measures.splitting import deal

SHARES = {"train": 0.7, "dev": 0.15, "test1": 0.15}


def split(
    sets: Mapping[str, str], shares: Mapping[str, float] = SHARES, *, seed: int = 0
) -> dict[str, str]:
    """Give each set to a split, so that each synset has the same shares everywhere.

    Args:
        sets: the synset of each set.
        shares: of the splits; they add up to one.
        seed: of the shuffling.

    >>> made = split({str(i): "dog" for i in range(20)})
    >>> [list(made.values()).count(s) for s in ("train", "dev", "test1")]
    [14, 3, 3]
    """
    return deal(sets, shares, seed=seed)
