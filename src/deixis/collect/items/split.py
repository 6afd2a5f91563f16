"""Splits by set, with equal shares of every synset."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deixis.stats.dealing import deal, neediest

SHARES = {"train": 0.7, "dev": 0.15, "test1": 0.15}


def split(
    sets: Mapping[str, str], shares: Mapping[str, float] = SHARES, *, seed: int = 0
) -> dict[str, str]:
    """Give each set to a split, so that each synset has the same shares everywhere.

    Within a synset sets are shuffled and dealt out so that after every set each split is within
    one of its share; what is left over differs from synset to synset, so that it adds up over all.

    Args:
        sets: the synset of each set.
        shares: of the splits; they add up to one.
        seed: of the shuffling.

    >>> made = split({str(i): "dog" for i in range(20)})
    >>> [list(made.values()).count(s) for s in ("train", "dev", "test1")]
    [14, 3, 3]
    """
    return deal(sets, shares, seed=seed)


def next_split(
    here: Mapping[str, int], given: Mapping[str, int], shares: Mapping[str, float] = SHARES
) -> str:
    """The split of one more set: what its synset lacks most; among equals what all synsets lack.

    Args:
        here: sets of the same synset by split.
        given: all sets by split.
        shares: of the splits; they add up to one.

    >>> next_split({}, {}), next_split({"train": 2}, {"train": 2})
    ('train', 'dev')
    """
    names, share = list(shares), np.array(list(shares.values()))
    of_synset = np.array([here.get(n, 0) for n in names], np.float64)
    of_all = np.array([given.get(n, 0) for n in names], np.float64)
    return names[neediest(of_synset, of_all, share)]
